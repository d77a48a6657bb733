import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { JUDGE_HEADER } from '#protocol/request-kind.ts'
import { type Ask, MAX_TOKENS, UnusableAnswer } from './ask.ts'
import { costOf } from './prices.ts'

export interface AnthropicOptions {
  apiKey: string
  model: string
  baseUrl: string
}

/** Asks the Messages API. The header lets our own proxy know these calls, so that they are never tracked. */
export function askAnthropic({ apiKey, model, baseUrl }: AnthropicOptions): Ask {
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    maxRetries: 1,
    defaultHeaders: { [JUDGE_HEADER]: '1' },
  })
  return async ({ system, prompt, schema }, signal) => {
    const message = await client.messages.create(
      {
        model,
        max_tokens: MAX_TOKENS,
        system,
        messages: [{ role: 'user', content: prompt }],
        // The API refuses limits of length and number; the helper leaves them out, and we check them ourselves.
        output_config: { format: zodOutputFormat(schema) },
      },
      { signal },
    )
    const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
    const costUsd = costOf(model, message.usage.input_tokens, message.usage.output_tokens)
    if (text === '') throw new UnusableAnswer(`the judge gave no answer (${message.stop_reason})`, costUsd)
    return { text, costUsd }
  }
}

import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { JUDGE_HEADER } from '#protocol/request-kind.ts'
import { type Ask, type Question, UnusableAnswer } from './ask.ts'

export interface AnthropicOptions {
  apiKey: string
  model: string
  baseUrl: string
}

const MAX_TOKENS = 4096
const CHARS_PER_TOKEN = 3

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

/** Dollars per million tokens, input and output. A model we do not know is counted as the dearest, so a budget always holds. */
const PRICES: [RegExp, number, number][] = [
  [/haiku-5-5/, 0.1, 0.5],
  [/haiku/, 1, 5],
  [/sonnet-5-5/, 2, 10],
  [/sonnet/, 3, 15],
  [/opus-5-5/, 4, 20],
  [/opus/, 5, 25],
]

function costOf(model: string, input: number, output: number): number {
  const [, inPrice, outPrice] = PRICES.find(([name]) => name.test(model)) ?? [undefined, 15, 75]
  return (input * inPrice + output * outPrice) / 1_000_000
}

/** What a question costs when its answer is as long as it may be. */
export function mostOf(model: string, { system, prompt }: Question): number {
  return costOf(model, (system.length + prompt.length) / CHARS_PER_TOKEN, MAX_TOKENS)
}

import { z } from 'zod'
import { type Ask, UnusableAnswer } from './ask.ts'

/** Runs a program and gathers its output; the shape of `exec/spawn.ts`, which this room does not import. */
export type Run = (
  program: string,
  args: string[],
  options: { input?: string; signal?: AbortSignal },
) => Promise<{ code: number | null; stdout: string; stderr: string }>

export interface ClaudeCliOptions {
  bin: string
  model: string
  run: Run
}

/** Asks the user's own `claude`, headless, with no tools, no hooks and no session left behind. */
export function askClaudeCli({ bin, model, run }: ClaudeCliOptions): Ask {
  return async ({ system, prompt, schema }, signal) => {
    const args = [
      '-p',
      ...['--output-format', 'json'],
      ...['--model', model],
      ...['--tools', ''],
      ...['--system-prompt', system],
      ...['--json-schema', JSON.stringify(z.toJSONSchema(schema))],
      ...['--settings', JSON.stringify({ disableAllHooks: true })],
      '--strict-mcp-config',
      '--no-session-persistence',
    ]
    const { code, stdout, stderr } = await run(bin, args, { input: prompt, signal })
    const result = Result.safeParse(parseOr(stdout)).data
    if (!result || result.is_error) {
      throw new UnusableAnswer(`\`${bin}\` gave no answer (exit ${code}): ${(result?.result || stderr).slice(0, 300)}`)
    }
    const text = result.structured_output === undefined ? result.result : JSON.stringify(result.structured_output)
    return { text, costUsd: result.total_cost_usd }
  }
}

const Result = z.looseObject({
  is_error: z.boolean().catch(false),
  result: z.string().catch(''),
  structured_output: z.unknown().optional(),
  total_cost_usd: z.number().catch(0),
})

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Whatever it printed is no result; the caller says so with what stood on stderr.
    return undefined
  }
}

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { z } from 'zod'
import type { RunProgram } from '#core/ports/programs.ts'
import { JUDGE_HEADER, JUDGE_SESSION } from '#protocol/request-kind.ts'
import { type Ask, UnusableAnswer } from './ask.ts'

export interface ClaudeCliOptions {
  bin: string
  model: string
  run: RunProgram
  /** The variables it may see: its own login and settings. */
  env: NodeJS.ProcessEnv
}

/**
 * Asks the user's own `claude`, headless, with no tools, no hooks and no session left behind, away from any project.
 * Where its settings lead it through our own proxy, the header and the session id tell whose call it is; the header
 * alone would not do, since the user's settings may hold headers of their own.
 */
export function askClaudeCli({ bin, model, run, env }: ClaudeCliOptions): Ask {
  const headers = [env.ANTHROPIC_CUSTOM_HEADERS, `${JUDGE_HEADER}: 1`].filter(Boolean).join('\n')
  const place = { cwd: tmpdir(), env: { ...env, ANTHROPIC_CUSTOM_HEADERS: headers } }
  return async ({ system, prompt, schema }, signal) => {
    const args = [
      '-p',
      ...['--output-format', 'json'],
      ...['--model', model],
      ...['--tools', ''],
      ...['--system-prompt', system],
      ...['--json-schema', JSON.stringify(plain(schema))],
      ...['--settings', JSON.stringify({ disableAllHooks: true })],
      ...['--setting-sources', 'user'],
      ...['--session-id', JUDGE_SESSION + randomUUID().slice(JUDGE_SESSION.length)],
      '--strict-mcp-config',
      '--no-session-persistence',
    ]
    const { code, stdout, stderr } = await run(bin, args, { ...place, input: prompt, signal })
    const result = Result.safeParse(parseOr(stdout)).data
    if (!result || result.is_error) {
      throw new UnusableAnswer(
        `\`${bin}\` gave no answer (exit ${code}): ${(result?.result || stderr).slice(0, 300)}`,
        result?.total_cost_usd,
      )
    }
    const text = result.structured_output === undefined ? result.result : JSON.stringify(result.structured_output)
    return { text, costUsd: result.total_cost_usd }
  }
}

/** Removes `$schema`: the client silently ignores a schema that names its version. */
function plain(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema)
  return rest
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
    // What it printed is not a result; the caller reports stderr.
    return undefined
  }
}

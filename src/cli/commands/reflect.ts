import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Reflection } from '#daemon/commands/learning.ts'
import { isObject } from '#protocol/json.ts'
import type { Cli } from '../context.ts'
import { ownSession, sessionOption, withLearnings } from '../learning.ts'
import { clean, note, print, printJson } from '../print.ts'

const SHAPE = `Give JSON on standard input, for example:

  grove reflect <<'JSON'
  {"candidates": [{"category": "pitfall", "summary": "…", "detail": "…", "scope": "project", "confidence": "high",
    "criteria_met": ["behavior_changing"], "tags": ["…"]}]}
  JSON

If there is nothing to keep: grove skip "<why>"`
const MAX_INPUT = 5_000_000

export function define(command: Command, cli: Cli): void {
  command
    .option(...sessionOption)
    .option('--json', 'print JSON')
    .action(async ({ session, json }: { session?: string; json?: boolean }) => {
      const { candidates, sessionId } = await handedIn(cli, session)
      const [named, own] = [session ?? sessionId, ownSession(cli)]
      const sessions = { ...(named && { named }), ...(own && { own }) }
      const reflection = await withLearnings(cli, (learnings) => learnings.reflect(candidates, sessions))
      if (json) printJson(asJson(reflection))
      else print(text(reflection))
      if (!reflection.ok) {
        note('\nerror: no candidate has the right shape, so nothing was kept. Correct what is named and run it again.')
        process.exitCode = 1
      }
    })
}

/** What is on standard input. An agent whose input cannot be read is told again when it wants to stop. */
async function handedIn(cli: Cli, session: string | undefined) {
  try {
    return read(await input())
  } catch (error) {
    if (error instanceof Trouble) {
      // The agent sees the error itself as well; where it cannot be noted, that is enough.
      await withLearnings(cli, (learnings) => learnings.turnDown(error.message, session ?? ownSession(cli))).catch(
        () => undefined,
      )
    }
    throw error
  }
}

async function input(): Promise<string> {
  if (process.stdin.isTTY) throw new Trouble('There is nothing on standard input.', SHAPE)
  const given = await readAll(process.stdin)
  if (given.length > MAX_INPUT)
    throw new Trouble('The input is larger than 5 MB.', 'Keep a few insights, not all of it.')
  return given
}

function read(given: string): { candidates: unknown[]; sessionId?: string } {
  if (given.trim() === '') throw new Trouble('There is nothing on standard input.', SHAPE)
  const value = parsed(given)
  // A list of candidates alone, or one candidate alone, is clear enough.
  const whole = Array.isArray(value) ? { candidates: value } : isObject(value) ? value : {}
  const candidates = 'summary' in whole ? [whole] : whole.candidates
  if (!Array.isArray(candidates)) throw new Trouble('The input has no list of candidates.', SHAPE)
  if (candidates.length === 0) throw new Trouble('The list of candidates is empty.', SHAPE)
  const id = whole.session_id
  return { candidates, ...(typeof id === 'string' && id !== '' && { sessionId: id }) }
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch (error) {
    throw new Trouble(`The input is not valid JSON: ${clean((error as Error).message)}.`, SHAPE)
  }
}

/** In the words the input is written in. */
function asJson({ ok, sessionId, accepted, rejected, lost, observations, gate }: Reflection) {
  return {
    ok,
    session_id: sessionId ?? null,
    gate: gate ?? null,
    accepted: accepted.map(({ id, category, summary, scope, storedIn }) => ({
      id,
      category,
      summary,
      scope,
      stored_in: storedIn,
    })),
    rejected,
    lost,
    observations,
  }
}

function text({ accepted, rejected, lost, gate, notes }: Reflection): string {
  const lines = [
    ...accepted.map(({ id, summary, storedIn }) => `kept      ${id}  ${summary}${where(storedIn)}`),
    ...lost.map((summary) => `lost      ${summary}: it could not be written; the warning says why`),
    ...rejected.map(({ summary, reasons }) => `rejected  ${summary || '(no summary)'}: ${reasons.join('; ')}`),
    ...(gate === 'reflected' ? ['', 'Thank you. You may finish now.'] : []),
    ...(gate === undefined && accepted.length > 0 ? ['', 'No waiting session was found; the learnings are kept.'] : []),
    ...notes,
  ]
  return lines.map(clean).join('\n')
}

function where(storedIn: string[]): string {
  const [first] = storedIn
  if (storedIn.length === 1 && first === 'markdown') return ''
  return first === 'nowhere' ? ' (ephemeral, not kept)' : ` (${storedIn.join(', ')})`
}

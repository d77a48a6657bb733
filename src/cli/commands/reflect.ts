import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { tilde } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import type { Reflection } from '#daemon/commands/learning.ts'
import { isObject } from '#protocol/json.ts'
import { CATEGORY_MEANING, CRITERION_QUESTION, SCOPE_MEANING } from '#protocol/learning-json.ts'
import type { Cli } from '../context.ts'
import { ownSession, sessionOption, withLearnings } from '../learning.ts'
import { clean, note, print, printJson } from '../print.ts'

const SHAPE = `Use options, for example:

  grove reflect --category pitfall --summary '<one sentence>' --detail '<what happens, why, what to do>' --tags <a,b> --criteria behavior_changing

or pass JSON in a file (--file) or on standard input:

  {"candidates": [{"category": "pitfall", "summary": "…", "detail": "…",
    "scope": "project", "confidence": "high", "tags": ["…"],
    "criteria_met": ["behavior_changing"]}]}

If there is nothing to keep: grove skip '<why>'`
const MAX_INPUT = 5_000_000

interface Options {
  session?: string
  json?: boolean
  file?: string
  category?: string
  summary?: string
  detail?: string
  scope?: string
  confidence?: string
  criteria?: string
  tags?: string
  files?: string
  ticket?: string
  supersedes?: string
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--category <name>', meanings(CATEGORY_MEANING))
    .option('--summary <text>', 'one sentence that someone can act on')
    .option('--detail <text>', 'what happens, why, and what to do about it')
    .option('--tags <list>', 'tags to find it by, separated by commas')
    .option('--criteria <list>', meanings(CRITERION_QUESTION))
    .option('--scope <name>', meanings(SCOPE_MEANING))
    .option('--confidence <level>', 'high, medium or low')
    .option('--files <list>', 'files it is about, separated by commas')
    .option('--ticket <id>', 'the ticket it comes from, if not the one just closed')
    .option('--supersedes <id>', 'an earlier learning that this one corrects or contradicts')
    .option('--file <path>', 'a file with JSON: one candidate, or a list of them')
    .option(...sessionOption)
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const { session, json } = options
      const { candidates, sessionId } = await handedIn(cli, options)
      const [named, own] = [session ?? sessionId, ownSession(cli)]
      const sessions = { ...(named && { named }), ...(own && { own }) }
      const reflection = await withLearnings(cli, (learnings) => learnings.reflect(candidates, sessions))
      if (json) printJson(asJson(reflection))
      else print(text(reflection))
      if (!reflection.ok) {
        note('\nerror: nothing was kept. Fix the problems above and try again, or run `grove skip`.')
        process.exitCode = 1
      }
    })
}

/** The candidates, from options, file or standard input. Unreadable input is noted, so that the agent is asked again when it stops. */
async function handedIn(cli: Cli, options: Options) {
  const { session, file } = options
  try {
    const said = candidateIn(options)
    return said ? { candidates: [said] } : read(await (file === undefined ? input() : inFile(resolve(cli.cwd, file))))
  } catch (error) {
    if (error instanceof Trouble) {
      // A failed note is ignored: the agent sees the error itself as well.
      await withLearnings(cli, (learnings) => learnings.turnDown(error.message, session ?? ownSession(cli))).catch(
        () => undefined,
      )
    }
    throw error
  }
}

/** The candidate that the options describe, if any of them does. */
function candidateIn({ session, json, file, criteria, tags, files, ticket, ...said }: Options): object | undefined {
  if ([criteria, tags, files, ticket, ...Object.values(said)].every((value) => value === undefined)) return undefined
  const list = (value = '') =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  return {
    ...said,
    criteria_met: list(criteria),
    tags: list(tags),
    context_files: list(files),
    ...(ticket && { ticket_id: ticket }),
  }
}

function meanings(all: Record<string, string>): string {
  return Object.entries(all)
    .map(([name, meaning]) => `${name} (${meaning})`)
    .join(', ')
}

async function input(): Promise<string> {
  if (process.stdin.isTTY) throw new Trouble('No input was given.', SHAPE)
  return notTooLarge(await readAll(process.stdin))
}

async function inFile(path: string): Promise<string> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new Trouble(`There is no file ${tilde(path)}.`, SHAPE)
  return notTooLarge(found.size > MAX_INPUT ? ' '.repeat(MAX_INPUT + 1) : await readFile(path, 'utf8'))
}

function notTooLarge(given: string): string {
  if (given.length > MAX_INPUT)
    throw new Trouble('The input is larger than 5 MB.', 'Submit a few insights, not everything.')
  return given
}

function read(given: string): { candidates: unknown[]; sessionId?: string } {
  if (given.trim() === '') throw new Trouble('No input was given.', SHAPE)
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

/** Field names as the input spells them. */
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
    ...lost.map((summary) => `lost      ${summary}: could not be written; see the warning`),
    ...rejected.map(({ summary, reasons }) => `rejected  ${summary || '(no summary)'}: ${reasons.join('; ')}`),
    ...(gate === 'reflected' ? ['', 'Thank you. You may finish now.'] : []),
    ...(gate === undefined && accepted.length > 0 ? ['', '(No session was waiting for this reflection.)'] : []),
    ...notes,
  ]
  return lines.map(clean).join('\n')
}

function where(storedIn: string[]): string {
  const [first] = storedIn
  if (storedIn.length === 1 && first === 'markdown') return ''
  return first === 'nowhere' ? ' (ephemeral, not kept)' : ` (${storedIn.join(', ')})`
}

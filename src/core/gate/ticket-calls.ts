import type { ParseShell, ShellNode, ShellWord } from '../shell/ast.ts'
import { expandWord, type Place } from '../shell/expand.ts'
import { type OptionNames, readOptions } from '../shell/options.ts'
import { baseName, literal, type Value } from '../shell/values.ts'
import type { TicketCall, TicketSystem } from './session.ts'

/**
 * What a command line does to tickets. The line is read as a shell reads it, so `echo "bd close x"` closes nothing and
 * `cd app && bd close x y --reason "done; really"` closes two.
 */
export function ticketCalls(command: string, parse: ParseShell): TicketCall[] {
  if (command.length > LONGEST || !MENTIONS.test(command)) return []
  const found: TicketCall[] = []
  const place: Place = { cwd: undefined, previous: undefined, variables: new Map(), functions: new Map(), args: [] }
  walk(parse(command).body, { parse, place, found, maybe: false, isHeard: true, depth: 0 })
  return found
}

/** Nobody closes tickets with a longer line, and reading it would take long. */
const LONGEST = 100_000
/** Most commands are about something else, and need not be parsed. */
const MENTIONS = /\b(bd|beads|tissue)(\.exe)?\b/

interface Walk {
  parse: ParseShell
  place: Place
  found: TicketCall[]
  maybe: boolean
  /** Whether the whole line fails when this fails: nothing comes after it that could succeed. */
  isHeard: boolean
  /** It runs only if something before it succeeds whose failing is not heard. */
  isBehind?: boolean
  depth: number
}

const MAX_DEPTH = 6

function walk(nodes: readonly ShellNode[], at: Walk): undefined {
  for (const node of nodes) step(node, node === nodes.at(-1) ? at : { ...at, isHeard: false })
}

function step(node: ShellNode, at: Walk): undefined {
  switch (node.type) {
    case 'command':
      for (const { name, value } of node.assigns) at.place.variables.set(name, expand(value, at))
      return call(
        node.words.flatMap((word) => expand(word, at)),
        node.redirects.flatMap((redirect) => (redirect.type === 'text' ? expand(redirect.body, at) : [])),
        at,
      )
    case 'pipeline':
      return walk(node.stages, at)
    case 'sequence':
      if (!node.and) return walk(node.items, at)
      for (const [index, item] of node.items.entries()) {
        step(item, index > 0 && !at.isHeard ? { ...at, isBehind: true } : at)
      }
      return
    case 'subshell':
      return walk(node.items, at)
    case 'redirected':
      return step(node.body, at)
    case 'choice':
      walk(node.condition, { ...at, isHeard: false })
      for (const branch of node.branches) walk(branch, { ...at, maybe: true })
      return
    case 'each':
      for (const value of node.values?.flatMap((word) => expand(word, at)) ?? []) {
        at.place.variables.set(node.variable, [value])
        walk(node.body, { ...at, isHeard: false })
      }
      return
    case 'while':
      walk(node.condition, { ...at, isHeard: false })
      return walk(node.body, { ...at, maybe: true })
    case 'function':
      // Defining a function runs nothing; calls of one's own functions are too rare to follow.
      return
  }
}

/** What is put in by a substitution is only known when it runs; what the substitution closes, it closes. */
function expand(word: ShellWord, at: Walk): Value[] {
  return expandWord(word, at.place, (script) => walk(script, at))
}

/** Words that only run what follows them. */
const PREFIXES: Record<string, OptionNames & { skip?: number }> = {
  sudo: { values: 'u g' },
  command: {},
  builtin: {},
  exec: { values: 'a' },
  nohup: {},
  setsid: {},
  time: {},
  env: { values: 'u C' },
  nice: { values: 'n' },
  stdbuf: { values: 'i o e' },
  timeout: { values: 's k signal kill-after', skip: 1 },
  // The ids come from elsewhere, and are left out.
  xargs: { values: 'a d E I L n P s max-args max-procs delimiter arg-file replace' },
  npx: { values: 'p package' },
  bunx: {},
  uvx: { values: 'from with' },
}
/** `pnpm exec bd …`, `uv run bd …`. */
const RUNNERS: Record<string, string> = {
  npm: 'exec',
  pnpm: 'exec',
  yarn: 'exec',
  uv: 'run',
  poetry: 'run',
  mise: 'exec',
}
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash'])

function call(words: Value[], stdin: Value[], at: Walk): undefined {
  // Where it lies may be known only to the running shell: `$HOME/go/bin/bd`.
  const name = baseName(words[0]?.text ?? '').replace(/\.exe$/, '')
  const args = words.slice(1)
  const prefix = Object.hasOwn(PREFIXES, name) ? PREFIXES[name] : undefined
  if (prefix && at.depth < MAX_DEPTH) {
    const { operands } = readOptions(args, { ...prefix, stopAtOperand: true })
    const rest = operands.slice(prefix.skip ?? 0)
    const start = rest.findIndex(({ text }) => !/^\w+=/.test(text))
    if (start >= 0) call(rest.slice(start), stdin, { ...at, depth: at.depth + 1 })
    return
  }
  if (Object.hasOwn(RUNNERS, name) && RUNNERS[name] === args[0]?.text && at.depth < MAX_DEPTH) {
    const { operands } = readOptions(args.slice(1), { stopAtOperand: true })
    return call(operands, stdin, { ...at, depth: at.depth + 1 })
  }
  if ((SHELLS.has(name) || name === 'eval') && at.depth < MAX_DEPTH) {
    const text = scriptOf(name, args, stdin)
    if (text !== undefined) walk(at.parse(text).body, { ...at, depth: at.depth + 1 })
    return
  }
  const read = name === 'bd' || name === 'beads' ? beadsCall(args) : name === 'tissue' ? tissueCall(args) : undefined
  if (!read) return
  at.found.push({ ...read, ...(at.maybe && { maybe: true }), ...(at.isBehind && { isBehind: true }) })
}

/** The text a shell is given to run: after `-c`, or on its standard input. */
function scriptOf(name: string, args: Value[], stdin: Value[]): string | undefined {
  if (name === 'eval') return args.map(({ text }) => text).join(' ')
  const options = readOptions(args, { values: 'c o O rcfile init-file', stopAtOperand: true })
  const isFile = options.operands.length > 0 && !options.has('s')
  return literal(options.get('c')) ?? (isFile ? undefined : literal(stdin[0]))
}

/** The options that take a value: of every command, of `close`, and of `update`. */
const BEADS_VALUES = [
  'db actor C directory lock-timeout dolt-auto-commit format',
  'r reason reason-file m message comment resolution session',
  's status a assignee p priority t type l label labels add-label remove-label set-labels title d description body-file',
  'notes append-notes design design-file acceptance acceptance-criteria external-ref spec-id e estimate parent due defer',
  'await-id metadata set-metadata unset-metadata if-status if-assignee',
].join(' ')

function beadsCall(args: Value[]): TicketCall | undefined {
  const options = readOptions(args, { values: BEADS_VALUES })
  const [verb, ...operands] = options.operands.map(({ text }) => text)
  if (options.has('help', 'h', 'dry-run')) return undefined
  // `bd done <id> <why>` takes its last word for the reason.
  const named =
    verb === 'done' && !options.has('r', 'reason') ? [operands[0] ?? '', ...operands.slice(1, -1)] : operands
  const ids = named.flatMap((text) => text.split(',')).filter(isId)
  if (verb === 'close' || verb === 'complete' || verb === 'done') return ticketCall('beads', 'close', ids)
  if (verb !== 'update') return undefined
  const status = literal(options.get('status', 's'))?.replace(/^=/, '')
  if (status === 'closed') return { ...ticketCall('beads', 'close', ids), byUpdate: true }
  if (status === 'in_progress' || options.has('claim')) return ticketCall('beads', 'start', ids)
  return undefined
}

function tissueCall(args: Value[]): TicketCall | undefined {
  const options = readOptions(args, { values: 'store title body b status priority p add-tag rm-tag m message' })
  const [verb, id, status] = options.operands.map(({ text }) => text)
  if (options.has('help', 'h') || id === undefined || !isId(id)) return undefined
  const to = verb === 'status' ? status : verb === 'edit' ? literal(options.get('status')) : undefined
  if (to === 'closed') return ticketCall('tissue', 'close', [id])
  return to === 'in_progress' ? ticketCall('tissue', 'start', [id]) : undefined
}

/** Each is looked for in what the command prints. */
const MOST_IDS = 200

function ticketCall(system: TicketSystem, does: TicketCall['does'], ids: string[]): TicketCall {
  return { system, does, ids: ids.slice(0, MOST_IDS) }
}

/** `bd-42`, `app-1j9.5`, `a3f8e9`; an id only the running shell knows is left out. */
function isId(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(text)
}

/** What Claude Code's own task tools do. */
export function taskCall(tool: string, input: Record<string, unknown>): TicketCall | undefined {
  if (tool !== 'TaskUpdate') return undefined
  const id = input.taskId ?? input.task_id ?? input.id
  const ids = typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  if (input.status === 'completed') return ticketCall('tasks', 'close', ids)
  return input.status === 'in_progress' ? ticketCall('tasks', 'start', ids) : undefined
}

/** The task that a tool has just created, with what it is about. */
export function taskCreated(
  tool: string,
  input: Record<string, unknown>,
  response: unknown,
): { id: string; title: string; description: string } | undefined {
  if (tool !== 'TaskCreate' || typeof response !== 'object' || response === null) return undefined
  const { id } = (response as { task?: { id?: unknown } }).task ?? {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  if (typeof id !== 'string' || text(input.subject) === '') return undefined
  return { id, title: text(input.subject), description: text(input.description) }
}

const FAILED = /\b(error|failed|cannot|could not|couldn't|not found|no such|invalid|denied|blocked)\b/i
/** What a system says of a ticket it has closed; what comes after is the ticket's own text, whatever words it uses. */
const CLOSED = /^\W*closed\b|"status"\s*:\s*"closed"|\balready closed\b/i
const UPDATED = /^\W*updated\b/i
const COLOURS = /\p{Cc}\[[\d;]*m/gu
/** The system itself did not run. */
const BROKEN = /\b(?:bd|beads|tissue)(?:\.exe)?: (?:command )?not found|^\W*error\b.*\b(?:database|beads|tissue|bd)\b/im

/**
 * Whether a closing went through, given what the command printed. Both systems end with 0 although single tickets could
 * not be closed, so what they say about a ticket counts for more than the exit code; other lines are other commands'.
 */
export function wentThrough({ ids, maybe, isBehind, byUpdate }: TicketCall, output: string): boolean {
  const end = output.slice(-20_000).replace(COLOURS, '')
  // Ids may be given without the prefix that all of a project's tickets have.
  const named = ids.map((id) => new RegExp(`(?<![\\w-])(\\w+-)*${id.replace(/[^\w-]/g, '\\$&')}(?![\\w-]|\\.\\w)`))
  const about = end
    .split('\n')
    .filter((line) => (ids.length > 0 ? named.some((id) => id.test(line)) : /^\W*(error|closed)\b/i.test(line)))
  if (byUpdate && about.some((line) => UPDATED.test(line))) return true
  if (about.some((line) => CLOSED.test(line) || (/\bclosed?\b/i.test(line) && !FAILED.test(line)))) return true
  // What speaks only of other things speaks of what stood before it, and failed.
  const isUnsaid = isBehind && about.length === 0 && end.trim() !== ''
  return !maybe && !isUnsaid && !about.some((line) => FAILED.test(line)) && !BROKEN.test(end)
}

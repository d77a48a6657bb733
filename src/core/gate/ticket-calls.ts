import { readOptions } from '../shell/options.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName, literal, type Value } from '../shell/values.ts'
import type { TicketCall, TicketSystem } from './session.ts'

/** Tickets are not closed with longer commands, and parsing those would take long. */
const LONGEST = 100_000
const MENTIONS = /\b(bd|beads|tissue)(\.exe)?\b/

/** Whether a command line can have to do with tickets at all; most have not, and need not be read for it. */
export function mentionsTickets(command: string): boolean {
  return command.length <= LONGEST && MENTIONS.test(command)
}

/**
 * What the programs of a command line do to tickets: `echo "bd close x"` runs no `bd` and closes nothing,
 * `cd app && bd close x y --reason "done; really"` closes two.
 */
export function ticketCalls(commands: readonly SimpleCommand[]): TicketCall[] {
  return commands.flatMap(({ name, args, maybe, isBehind }) => {
    const call = callOf(name, args)
    return call ? [{ ...call, ...(maybe && { maybe }), ...(isBehind && { isBehind }) }] : []
  })
}

/** Where the program lies may be known only to the running shell: `$HOME/go/bin/bd`. */
function callOf(name: string, args: Value[]): TicketCall | undefined {
  const program = baseName(name).replace(/\.exe$/, '')
  if (program === 'bd' || program === 'beads') return beadsCall(args)
  return program === 'tissue' ? tissueCall(args) : undefined
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
const BROKEN =
  /\b(?:bd|beads|tissue)(?:\.exe)?: (?:command )?not found|^[^\w\n\r\u2028\u2029]*error\b.*\b(?:database|beads|tissue|bd)\b/im

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
  // `a && bd close x`: output that does not mention the ticket came from `a`, which then failed.
  const isUnsaid = isBehind && about.length === 0 && end.trim() !== ''
  return !maybe && !isUnsaid && !about.some((line) => FAILED.test(line)) && !BROKEN.test(end)
}

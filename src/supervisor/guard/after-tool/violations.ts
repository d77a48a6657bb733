import { programOf } from '#core/action/programs-run.ts'
import { cap, neutralise } from '#core/context/fence.ts'
import type { GuardedProject, TreeChange, TreeState } from '#core/ports/guard.ts'
import { refusal } from '#core/refusal.ts'
import type { ShellReading } from '#core/shell/reading.ts'
import type { SimpleCommand } from '#core/shell/simple-command.ts'
import { isKnown } from '#core/shell/values.ts'
import { refusalText } from '#protocol/refusal.ts'
import { shellWord } from '#protocol/shell-word.ts'
import { SLOTS } from '../../state-slots.ts'
import type { Agent } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'
import type { Seen } from './tool-windows.ts'

/** Changes outside the scope that were seen only afterwards: told at once, kept until they are undone. */

const MOST_KEPT = 100
const MOST_TOLD = 15

export interface Violation extends Agent {
  root: string
  /** Absent when no intent was selected. */
  intentId?: string
  at: number
  files: ViolatedFile[]
}

export interface ViolatedFile {
  /** It decides whether the guard is asked, or was done while a person was being asked: first it is put back, or a person accepts it. */
  first?: true
  /** Of what the digest is taken, as `setUp` does. */
  isSetUp?: true
  path: string
  absolute: string
  /** Digest before; null: it was not there. Undefined: as in the commit. */
  before?: string | null
  /** Where a copy of what it said before lies. */
  copy?: string
  head?: string
  /** The submodule it lies in. */
  module?: string
}

type Needs = Pick<GuardWorld, 'states' | 'clock'>

/** Keeps the violation and lets people see it. */
export async function noteViolation(
  world: Pick<GuardWorld, 'states' | 'clock' | 'notify'>,
  key: string,
  violation: Violation,
) {
  // What a command in the background did earlier is still to be put back, to what it was then.
  const earlier = (await world.states.get(SLOTS.guardViolation, key))?.files ?? []
  const known = new Set(earlier.map(({ absolute }) => absolute))
  const files = [...earlier, ...violation.files.filter(({ absolute }) => !known.has(absolute))]
  await world.states.put(SLOTS.guardViolation, key, { ...violation, files }, world.clock.now())
  world.notify({
    type: 'guard:violation',
    sessionId: violation.sessionId,
    paths: violation.files.map(({ path }) => path),
  })
}

/** What the agent is told: what happened, and for each file the command that puts it back. */
export function violationText(
  { intentId, files }: Pick<Violation, 'intentId' | 'files'>,
  tool: string,
  isUndecided = false,
): string {
  const told = files.slice(0, MOST_TOLD)
  const rest = files.length > told.length ? ` and ${files.length - told.length} more` : ''
  const where = isUndecided
    ? 'This call was not approved, because its hook was ended while it waited for a person; yet files changed'
    : intentId
      ? `Files outside the scope of intent ${cap(neutralise(intentId), 80)} changed`
      : 'No intent is selected, and files changed'
  const error = refusal(
    'scope_violation',
    `${where} while ${tool} ran: ${told.map(({ path }) => path).join(', ')}${rest}.`,
    "If your command changed them, put them back now with the commands below, from the project's root, or call request_scope. If a person or another agent changed them, leave them as they are and say so.",
  )
  return `${refusalText(error)}\n${told.map((file) => `- ${file.path}: ${undo(file)}`).join('\n')}`
}

/** The tree stands on another commit: reported, but not counted as a change that was made. */
export function movedText(
  { window: { tree: was }, now, moved }: Pick<Seen, 'window' | 'now' | 'moved'>,
  tool: string,
): string {
  const named = moved.slice(0, MOST_TOLD).map(({ path }) => path)
  const rest = moved.length > named.length ? ` and ${moved.length - named.length} more` : ''
  const isOtherBranch = was.branch !== undefined && was.branch !== now.branch
  const back = isOtherBranch ? `git switch ${shellWord(was.branch!)}` : `git reset --keep ${was.head?.slice(0, 12)}`
  return `scope_violation: while ${tool} ran the working tree moved to another commit, and with it files outside the scope changed: ${named.join(', ')}${rest}. If that was not asked for, take it back with \`${back}\`; otherwise say so to the user.`
}

/** The working tree stands on another branch than before, at the same commit: no file is another, but commits go elsewhere. */
export function branchText({ window: { tree: was }, now }: Pick<Seen, 'window' | 'now'>): string | undefined {
  const isOther = was.branch !== undefined && now.branch !== was.branch && was.head === now.head
  return isOther
    ? `The working tree is on ${now.branch ? `branch ${now.branch}` : 'no branch'} now; it was on ${was.branch}.`
    : undefined
}

/** The command that puts a file back. */
export function undo(file: ViolatedFile): string {
  return wayBack(file)?.map(shellWord).join(' ') ?? 'there is no copy of what it said before; ask the user'
}

/** The command that puts the file back, as words; undefined where no copy of the earlier content was kept. */
function wayBack({ path, before, copy, head, module }: ViolatedFile): string[] | undefined {
  if (before === null) return ['rm', '--', path]
  if (copy) return ['cp', '--', copy, path]
  if (before !== undefined || !head) return undefined
  const [place, name] = module ? [['-C', module], path.slice(module.length + 1)] : [[], path]
  return ['git', ...place, 'restore', `--source=${head.slice(0, 12)}`, '--', name]
}

const RESTORES = new Set(['git restore', 'git checkout'])
/** Afterwards it is for a person to decide. */
const PATIENCE_MS = 30 * 60_000

/**
 * Files outside the scope that this session may write all the same, because it is to put them back: with the commands
 * it was told or with git's own, and with no others.
 */
export async function mayPutBack(
  { states, clock }: Needs,
  { sessionId }: Agent,
  { commands }: ShellReading,
): Promise<Set<string>> {
  const open = (await openOf(states, sessionId)).filter(({ violation }) => violation.at > clock.now() - PATIENCE_MS)
  const files = open.flatMap(({ violation }) => violation.files)
  if (files.length === 0) return new Set()
  const told = new Set(files.map((file) => wayBack(file)?.join('\0')))
  const isWayBack = (command: SimpleCommand) => {
    const words = wordsOf(command)
    return words !== undefined && (told.has(words.join('\0')) || RESTORES.has(programOf(command)))
  }
  return new Set(commands.length > 0 && commands.every(isWayBack) ? files.map((file) => file.absolute) : [])
}

/** A command as it was told: nothing in it is filled in by the running shell, and nothing is written besides. */
function wordsOf({ name, args, redirects }: SimpleCommand): string[] | undefined {
  return args.every(isKnown) && redirects.length === 0 ? [name, ...args.map(({ text }) => text)] : undefined
}

/** Tells whether a file that this session is to put back is as it was. */
export async function isPutBack(
  { states, tree }: Pick<GuardWorld, 'states' | 'tree'>,
  { sessionId }: Agent,
  seen: { root: string; now: TreeState },
) {
  const files = (await openOf(states, sessionId)).flatMap(({ violation: { root, files } }) =>
    files.map((file) => ({ ...file, root })),
  )
  return async (absolute: string, { path, after }: TreeChange): Promise<boolean> => {
    const file = files.find((one) => one.absolute === absolute)
    if (!file) return false
    const now = file.root === seen.root ? seen.now : file.before === undefined ? await tree.look(file.root) : undefined
    return isAsBefore(file, after, now?.kind === 'git' && !tree.listed(now).includes(path))
  }
}

function isAsBefore({ before }: ViolatedFile, now: string | null, isAsCommitted: boolean): boolean {
  return before === undefined ? isAsCommitted : now === before
}

/** Forgets what has been put back. */
export async function settleViolations(
  world: Pick<GuardWorld, 'states' | 'clock' | 'tree' | 'files' | 'setUp'>,
  project: GuardedProject,
  { sessionId }: Agent,
  seen?: TreeState,
): Promise<void> {
  const open = await openOf(world.states, sessionId)
  if (open.length === 0) return
  const now = seen ?? (await world.tree.look(project.root))
  for (const { key, violation } of open) {
    const files: ViolatedFile[] = []
    for (const file of violation.files) {
      const seen = now?.files[file.path]
      const hash = file.isSetUp
        ? (world.setUp.look(project)[file.absolute] ?? null)
        : (seen ?? (await world.files.read(file.absolute))?.hash ?? null)
      const isAsCommitted = now?.kind === 'git' && !world.tree.listed(now).includes(file.path)
      if (!isAsBefore(file, hash, isAsCommitted)) files.push(file)
    }
    if (files.length > 0) await world.states.put(SLOTS.guardViolation, key, { ...violation, files }, world.clock.now())
    else {
      await world.states.remove(SLOTS.guardViolation, key)
      await world.tree.drop(key)
    }
  }
}

/** Changes of this session that have to be put back before anything else is written. */
export async function firstToPutBack({ states }: Pick<GuardWorld, 'states'>, { sessionId }: Agent) {
  for (const { key, violation } of await openOf(states, sessionId)) {
    const files = violation.files.filter(({ first }) => first)
    if (files.length > 0) return { key, files }
  }
  return undefined
}

/** A person lets them stay. */
export async function acceptFirst({ states, clock }: Needs, key: string): Promise<void> {
  await states.update(SLOTS.guardViolation, key, clock.now(), (violation) => {
    const files = violation?.files.filter(({ first }) => !first) ?? []
    return violation && files.length > 0 ? { ...violation, files } : undefined
  })
}

/** By path what an agent's set-up files are to be put back to. */
export async function setUpBefore({ states }: Pick<GuardWorld, 'states'>, { sessionId }: Agent) {
  const files = (await openOf(states, sessionId)).flatMap(({ violation }) => violation.files)
  return new Map(files.filter(({ isSetUp }) => isSetUp).map(({ absolute, before }) => [absolute, before ?? null]))
}

/** What other sessions are known to have changed outside their scopes since a command began; absolute paths. */
export async function strayedMeanwhile(
  { states }: Pick<GuardWorld, 'states'>,
  { sessionId, startedAt }: { sessionId: string; startedAt: number },
): Promise<Set<string>> {
  const all = (await states.list(SLOTS.guardViolation, MOST_KEPT)).map(({ value }) => value)
  const others = all.filter((violation) => violation.sessionId !== sessionId && violation.at >= startedAt)
  return new Set(others.flatMap(({ files }) => files.map(({ absolute }) => absolute)))
}

async function openOf(states: GuardWorld['states'], sessionId: string) {
  const all = await states.list(SLOTS.guardViolation, MOST_KEPT)
  return all
    .map(({ key, value }) => ({ key, violation: value }))
    .filter(({ violation }) => violation.sessionId === sessionId)
}

import type { GuardedProject, RepositoryChange, RepositoryState, TreeChange, TreeState } from '#core/ports/guard.ts'
import { SLOTS } from '../../state-slots.ts'
import type { Call } from '../before-tool/call.ts'
import { isInScope, isRuleFile } from '../before-tool/scope-check.ts'
import type { Expectation, Target } from '../before-tool/targets.ts'
import type { Agent, Selection } from '../intents/active-intent.ts'
import type { Chosen } from '../intents/chosen-intent.ts'
import { isAccountedFor } from '../stale-files/seen-files.ts'
import type { GuardWorld } from '../world.ts'
import { isPutBack, setUpBefore, strayedMeanwhile } from './violations.ts'

/** The time between the two looks at the working tree around a call whose writes cannot be known beforehand. */

const MOST_OPEN = 200

export interface Window extends Agent {
  project: GuardedProject
  tool: string
  toolUseId: string
  command?: string
  transcript?: string
  /** Absent when no intent was selected. */
  selection?: Selection
  scope: string[]
  startedAt: number
  tree: TreeState
  /** Absent outside git. */
  repository?: RepositoryState
  copies: Record<string, string>
  /** What decides whether the guard is asked, as it was. */
  setUp?: { digests: Record<string, string | null>; copies: Record<string, string> }
  inBackground: boolean
  /** The command has ended and left a process running that the client does not report. */
  isLeftRunning?: true
  /** The turn has ended since the last look, and people may have worked meanwhile. */
  isIdle?: true
  /** A turn has ended before, and it was still there. */
  wasIdle?: true
  /** The turn that it belongs to. */
  promptId?: string
  /** The files that it may write by its own words; absent when those cannot be known. */
  mayWrite?: MayWrite
  /** Files that are kept for this call until it has run. */
  leases: string[]
}

/** Absolute paths: files, and folders with everything below. */
export interface MayWrite {
  files: string[]
  trees: string[]
}

/**
 * Takes the first look, at the whole tree also where a command seems to say what it writes: what it says is not all it
 * may do. Without an id for the call it could not be found again.
 */
export async function openWindow(
  world: GuardWorld,
  call: Call,
  chosen: Chosen | undefined,
  expected: Expectation,
  leases: string[] = [],
) {
  const { readOnly } = expected
  const { toolUseId, project, effect } = call
  if (!toolUseId) return
  const isLeftRunning = effect.kind === 'shell' && !effect.inBackground && effect.script.goesOn && !readOnly
  const startedAt = world.clock.now()
  const scope = chosen?.intent.ownedScope ?? []
  const tree = await world.tree.lookAgain(project.root)
  if (!tree) {
    world.log.warn({ root: project.root }, 'the working tree is too large to look at; this command is not compared')
    return
  }
  const digests = project.undeclared ? undefined : world.setUp.look(project)
  const repository = project.undeclared ? undefined : world.tree.repository(project.root)
  const window: Window = {
    sessionId: call.sessionId,
    ...(call.agentId && { agentId: call.agentId }),
    project,
    tool: call.tool,
    toolUseId,
    ...(effect.kind === 'shell' && { command: effect.command }),
    ...(call.event.transcript_path && { transcript: call.event.transcript_path }),
    ...(chosen && { selection: chosen.selection }),
    scope,
    startedAt,
    tree,
    ...(repository && { repository }),
    copies: world.tree.keep(project.root, worthKeeping(world, project, scope, tree, readOnly), toolUseId),
    ...(digests && { setUp: { digests, copies: world.setUp.keep(thereIn(digests), toolUseId) } }),
    inBackground: effect.kind === 'shell' && (effect.inBackground || isLeftRunning),
    ...(isLeftRunning && { isLeftRunning }),
    ...(call.event.prompt_id && { promptId: call.event.prompt_id }),
    ...(!expected.undecided && { mayWrite: mayWriteOf(expected) }),
    leases,
  }
  await world.states.put(SLOTS.guardWindow, toolUseId, window, startedAt)
}

function mayWriteOf({ targets }: Expectation): MayWrite {
  const of = (isFile: boolean) =>
    targets.filter(({ extent }) => (extent === 'file') === isFile).map(({ absolute }) => absolute)
  return { files: of(true), trees: of(false) }
}

/** Whether a command may have written a file, by its own words. */
export function mayHaveWritten({ mayWrite }: Pick<Window, 'mayWrite'>, absolute: string): boolean {
  if (!mayWrite) return true
  return mayWrite.files.includes(absolute) || mayWrite.trees.some((tree) => absolute.startsWith(`${tree}/`))
}

function thereIn(digests: Record<string, string | null>): string[] {
  return Object.keys(digests).filter((path) => digests[path] !== null)
}

/** Where a command surely reads, many copies would cost more than they are worth. */
const MOST_FOR_READING = 40

/** In git everything that differs from the commit; elsewhere there is no telling, so only what the intent may write. */
function worthKeeping(
  world: GuardWorld,
  project: GuardedProject,
  ownedScope: string[],
  tree: TreeState,
  readOnly: boolean,
): string[] {
  const listed = world.tree.listed(tree)
  if (readOnly && listed.length > MOST_FOR_READING) return []
  if (tree.kind !== 'folder') return listed
  return listed.filter((path) => isInScope(world, project, { ownedScope }, targetAt(world, project, path)))
}

/** A change with its two sides of the scope. */
export interface Seen {
  window: Window
  inside: TreeChange[]
  outside: TreeChange[]
  /** Outside too, but only because the tree stands on another commit now. */
  moved: TreeChange[]
  /** What decides whether the guard is asked; absolute paths. */
  setUp: { path: string; before: string | null }[]
  /** What changed in the repository besides its files. */
  repository: RepositoryChange[]
  now: TreeState
  /** What was started goes on in the background. */
  goesOn: boolean
}

/**
 * Takes the second look. The window stays in sight until `endWindow`, when what was seen is on record: a command of another agent that
 * ends in between finds one or the other, and is not told of what is not its own.
 */
export async function lookAgain(
  world: GuardWorld,
  toolUseId: string,
  { isOver = false, turnEnds = false } = {},
): Promise<Seen | undefined> {
  const window = await world.states.get(SLOTS.guardWindow, toolUseId)
  if (!window) return undefined
  const goesOn = window.inBackground && !isOver
  const { project, tree } = window
  const now = await world.tree.lookAfter(project.root)
  const repository = window.repository && world.tree.repository(project.root)
  if (goesOn && now) await beginAnew(world, window, { tree: now, ...(repository && { repository }) }, turnEnds)
  if (!now) {
    if (!goesOn) await world.states.remove(SLOTS.guardWindow, toolUseId)
    await world.tree.drop(toolUseId)
    return undefined
  }
  const changes = await world.tree.changes(project.root, tree, now)
  const sideOf = await sidesIn(world, window, now)
  const kept = repository ? world.tree.repositoryChanges(project.root, window.repository!, repository) : []
  const seen: Seen = { window, inside: [], outside: [], moved: [], setUp: [], repository: kept, now, goesOn }
  for (const change of changes) {
    const side = await sideOf(change)
    if (side) seen[side].push(change)
  }
  seen.setUp = await setUpChanges(world, window)
  // What is both of the project and of the set-up is told once.
  const isSetUp = new Set(seen.setUp.map(({ path }) => path))
  seen.outside = seen.outside.filter(({ path }) => !isSetUp.has(targetAt(world, project, path).absolute))
  return seen
}

/** Keeps the window of a command that goes on: what it has done so far is told now, and from here on it is compared with this look. */
async function beginAnew(
  world: GuardWorld,
  window: Window,
  look: Pick<Window, 'tree' | 'repository'>,
  turnEnds: boolean,
): Promise<void> {
  const { project, toolUseId } = window
  const copies = world.tree.keep(project.root, world.tree.listed(look.tree), `${toolUseId}-${world.clock.now()}`)
  const { isIdle: _, ...kept } = window
  const since = { ...look, copies, ...setUpNow(world, window) }
  const idle = turnEnds && ({ isIdle: true, wasIdle: true } as const)
  await world.states.put(SLOTS.guardWindow, toolUseId, { ...kept, ...since, ...idle }, world.clock.now())
}

type Side = 'inside' | 'outside' | 'moved'

/** Tells on which side of the scope each change lies; undefined for what the command has not done, or what is accounted for. */
async function sidesIn(
  world: GuardWorld,
  window: Window,
  now: TreeState,
): Promise<(change: TreeChange) => Promise<Side | undefined>> {
  const { project, startedAt } = window
  // In this order: what has left the windows by now is among what strayed.
  const others = await otherWindows(world, window)
  const strayed = await strayedMeanwhile(world, window)
  const isBack = await isPutBack(world, window, { root: project.root, now })
  const isIn = (scope: string[], target: Target) => isInScope(world, project, { ownedScope: scope }, target)
  return async (change) => {
    const target = targetAt(world, project, change.path)
    const { absolute } = target
    if (isGrovesWork(target, project)) return undefined
    if (await isAccountedFor(world, window, absolute, change.after, startedAt)) return undefined
    if (await isBack(absolute, change)) return undefined
    const isOurs = isIn(window.scope, target)
    if (change.moved) return isOurs ? undefined : 'moved'
    const mayBeIts = mayHaveWritten(window, absolute)
    // A command that says what it writes has not written the others: a person has, or another agent.
    if (isOurs && !isRuleFile(world, project, target)) return mayBeIts ? 'inside' : undefined
    const writers = others.filter((other) => mayHaveWritten(other, absolute))
    // By its own words the command does not write this file, and another command that ran at the same time may, or did.
    if (!mayBeIts && (strayed.has(absolute) || writers.length > 0)) return undefined
    // Two commands ran at once, and this file belongs to the other one's intent, which may have written it.
    return writers.some(({ scope }) => isIn(scope, target)) ? undefined : 'outside'
  }
}

/** What changed of the files that decide whether the guard is asked, unless it was put back or Grove wrote it. */
async function setUpChanges(world: GuardWorld, window: Window): Promise<Seen['setUp']> {
  if (!window.setUp) return []
  const digests = world.setUp.look(window.project)
  const wanted = await setUpBefore(world, window)
  const changes: Seen['setUp'] = []
  for (const [path, before] of Object.entries(window.setUp.digests)) {
    const after = digests[path] ?? null
    if (after === before || after === wanted.get(path)) continue
    if (!(await isAccountedFor(world, window, path, after, window.startedAt))) changes.push({ path, before })
  }
  return changes
}

function setUpNow(world: GuardWorld, { project, toolUseId, setUp }: Window): Pick<Window, 'setUp'> {
  if (!setUp) return {}
  const digests = world.setUp.look(project)
  return { setUp: { digests, copies: world.setUp.keep(thereIn(digests), `${toolUseId}-${world.clock.now()}`) } }
}

/** What was seen is on record; what goes on in the background stays open. */
export async function endWindow({ states }: GuardWorld, { window, goesOn }: Seen): Promise<void> {
  if (!goesOn) await states.remove(SLOTS.guardWindow, window.toolUseId)
}

/** The call was refused after all. */
export async function forgetWindow(world: GuardWorld, toolUseId: string | undefined): Promise<void> {
  if (toolUseId === undefined) return
  await world.states.remove(SLOTS.guardWindow, toolUseId)
  if (!(await world.states.get(SLOTS.guardViolation, toolUseId))) await world.tree.drop(toolUseId)
}

/** Where a path of the working tree really leads, for the same check as before a write. */
export function targetAt({ paths }: Pick<GuardWorld, 'paths'>, project: GuardedProject, path: string): Target {
  const { absolute, relative, outside } = paths.resolve(project.root, project.root, path, { entry: true })
  return {
    shown: outside || relative === undefined ? absolute : relative,
    absolute,
    ...(relative !== undefined && { relative }),
    outside,
    extent: 'file',
    replaces: false,
  }
}

/** What Grove itself adds to while commands run. Its settings are not among it: they say what agents may do. */
function isGrovesWork({ absolute, relative = '' }: Target, { orchestration }: GuardedProject): boolean {
  const isLedger = absolute === `${orchestration}/agent_trace.jsonl` || absolute === `${orchestration}/.gitattributes`
  return isLedger || GROVES_FILES.test(relative)
}

const GROVES_FILES = /^\.grove\/(?:learnings\.md|stats\.log|\.gitattributes)/

async function otherWindows({ states }: GuardWorld, ours: Window): Promise<Window[]> {
  const open = (await states.list(SLOTS.guardWindow, MOST_OPEN)).map(({ value }) => value)
  return open.filter(
    ({ sessionId, agentId, project }) =>
      project.root === ours.project.root && (sessionId !== ours.sessionId || agentId !== ours.agentId),
  )
}

/** Windows of an agent that were not closed: what runs in the background, or was interrupted. */
export async function openWindowsOf({ states }: GuardWorld, agent: Agent): Promise<Window[]> {
  const open = (await states.list(SLOTS.guardWindow, MOST_OPEN)).map(({ value }) => value)
  return open.filter(({ sessionId, agentId }) => sessionId === agent.sessionId && agentId === agent.agentId)
}

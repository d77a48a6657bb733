import type { ToolCall, ToolEffect } from '#core/action/reading.ts'
import { commandLineOf, isGroveTool, isHarmless } from '#core/action/tools.ts'
import { cap, neutralise } from '#core/context/fence.ts'
import { type Approval, NO_INTENT } from '#core/intent/approval.ts'
import {
  busyFile,
  closedIntent,
  type Denial,
  noIntent,
  otherProject,
  peopleOnly,
  putBackFirst,
  staleFile,
  unknownIntent,
  unreadableIntents,
} from '#core/intent/denial.ts'
import { type Intent, isOpen } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { dayOf } from '#core/text/day.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { isRefusal, refusalText } from '#protocol/refusal.ts'
import { callOf } from '../action/tool-call.ts'
import type { Contribution } from '../handle-hook.ts'
import { SLOTS } from '../state-slots.ts'
import { type Agent, activeIntent, agentKey, type Selection } from './active-intent.ts'
import { changesDetail, detailOf, whatOf } from './approval-detail.ts'
import { file, noteAsked, type Question, refused, use, waitForAnswer } from './approvals.ts'
import { isAttended } from './attended.ts'
import { scopeRequest } from './handshake.ts'
import { boundTargets, scopeDenial } from './permit.ts'
import { declaresReadOnly } from './read-only-tools.ts'
import { staleFiles } from './seen-files.ts'
import { type Expectation, fileTargets, shellTargets, type Target } from './targets.ts'
import { acceptFirst, firstToPutBack, mayPutBack, undo } from './violations.ts'
import { noteWaiting, waitIsOver } from './waiting-calls.ts'
import { forgetWindow, openWindow } from './windows.ts'
import type { GuardWorld } from './world.ts'
import { giveLease, takeLease } from './write-leases.ts'

type Event = HookEventOf<'PreToolUse'>
type AnyCall = Event | HookEventOf<'PermissionRequest'>

/** One call on its way through the gate. */
export interface Call extends Agent {
  project: GuardedProject
  cwd: string
  tool: string
  toolUseId?: string
  effect: ToolEffect
  asked: ToolCall
  event: Event
  /** The session was not started in this project. */
  isElsewhere?: boolean
}

/** The gatekeeper: intent, scope, staleness, approval, in this order; the first no is the answer. */
export async function beforeTool(
  world: GuardWorld,
  project: GuardedProject,
  event: Event,
  { since, isElsewhere }: { since: number; isElsewhere: boolean },
): Promise<Contribution | undefined> {
  const { tool_name: tool } = event
  if (isGroveTool(tool, 'request_scope')) return askForScope(world, project, event)
  if (isHarmless(tool) || world.settings(project).isReadOnlyTool(tool)) return undefined
  if (tool.startsWith('mcp__') && (await declaresReadOnly(world, project, tool, since))) return undefined
  const asked = callOf(event)
  const cwd = event.cwd ?? project.root
  const effect = await world.tools.effect(asked, { cwd, root: project.root })
  const call: Call = {
    sessionId: event.session_id,
    ...(event.agent_id && { agentId: event.agent_id }),
    project,
    cwd,
    tool,
    ...(event.tool_use_id && { toolUseId: event.tool_use_id }),
    effect,
    asked,
    event,
    isElsewhere,
  }
  const expected = ownPart(world, call, await expectation(world, call), isElsewhere)
  const reachesOut = call.effect.kind === 'shell' && call.effect.script.outward.length > 0
  if (expected.readOnly && !reachesOut && !isForPeople(call.effect, ASKS_GROVE)) {
    // A call that only reads passes, but the tree is compared all the same: the reading may be wrong.
    if (call.effect.kind === 'shell') await openWindow(world, call, await chosenQuietly(world, call), expected)
    return undefined
  }
  const said = await decide(world, call, expected)
  return said && isRefusal(said) ? deny(world, call, said) : said
}

async function deny(world: GuardWorld, { sessionId, asked }: Call, denial: Denial): Promise<Contribution> {
  const { code, message } = denial
  world.tools.deny(asked)
  const now = world.clock.now()
  const more = (count = 0) => count + 1
  await world.states.update(SLOTS.stoppedWrites, dayOf(now), now, more)
  await world.states.update(SLOTS.stoppedInSession, sessionId, now, more)
  world.notify({ type: 'guard:denied', sessionId, code, message })
  return { deny: refusalText(denial) }
}

/**
 * Keeps the targets that this project judges: without those in other guarded projects and, for a session started
 * elsewhere, those in none.
 */
function ownPart(
  { projects }: GuardWorld,
  { project: { root } }: Call,
  expected: Expectation,
  isElsewhere: boolean,
): Expectation {
  const targets = expected.targets.filter(({ absolute }) => {
    const owner = projects.at(absolute.slice(0, absolute.lastIndexOf('/')) || '/')
    return owner === undefined ? !isElsewhere : owner.root === root
  })
  return { ...expected, targets }
}

/** What a call would write, as far as can be told before it runs. */
export async function expectation(
  world: GuardWorld,
  { project, cwd, effect }: Pick<Call, 'project' | 'cwd' | 'effect'>,
): Promise<Expectation> {
  switch (effect.kind) {
    case 'none':
      return { targets: [], undecided: false, readOnly: true }
    case 'files':
      return { targets: fileTargets(world, project, cwd, effect.paths), undecided: false, readOnly: false }
    case 'shell':
      return shellTargets(world, project, cwd, effect)
    case 'unknown':
      return { targets: fileTargets(world, project, cwd, effect.paths), undecided: true, readOnly: false }
  }
}

const NOTHING: ReadonlySet<string> = new Set()

/** `grove intent approve`, however Grove is called; or the same through its API. */
const FOR_PEOPLE = /(?:\bgrove\S*|\$\{?\w+\}?)\s+intent\s+(?:approve|add)\b|\/api\/(?:approvals|intents)\b/
/** What sends requests writes no file, and would pass as reading. */
const ASKS_GROVE =
  /\b(?:curl|wget|https?|xh|nc|ncat|socat|telnet)\s[^|;&\n]*\/api\/(?:approvals|intents)\b|\b(?:node|deno|bun|python[\d.]*|ruby|perl|php)\s[\s\S]*\/api\/(?:approvals|intents)\b/

function isForPeople(effect: ToolEffect, pattern: RegExp): boolean {
  return effect.kind === 'shell' && pattern.test(effect.command.replace(/\\\n/g, ' ').replace(/["'\\]/g, ''))
}

async function decide(
  world: GuardWorld,
  call: Call,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  if (isForPeople(call.effect, FOR_PEOPLE)) return peopleOnly()
  const chosen = await intentFor(world, call)
  const forgiven = call.effect.kind === 'shell' ? await mayPutBack(world, call, call.effect.script) : NOTHING
  const targets = expected.targets.filter(({ absolute }) => !forgiven.has(absolute))
  const first = forgiven.size > 0 ? undefined : await comesFirst(world, call)
  if (first) return first
  if (isRefusal(chosen)) return withoutIntent(world, call, { ...expected, targets }, chosen, forgiven.size > 0)
  const { intent } = chosen
  const out = await scopeDenial(world, call.project, intent, targets)
  if (out) return out
  const approval = await approvalFor(world, call, intent, expected)
  if (approval && !isYes(approval)) return approval
  // Taken last, because the lease holds from here until the tool has run.
  const stale = await lockAndCompare(world, call, expected.targets)
  if (stale) return stale
  if (call.effect.kind !== 'files') await openWindow(world, call, chosen, expected, lockable(expected.targets))
  return approval
}

/** Unapproved changes must be restored, or accepted by a person, before anything else is written. */
async function comesFirst(world: GuardWorld, call: Call): Promise<Denial | undefined> {
  const open = await firstToPutBack(world, call)
  if (!open) return undefined
  const { sessionId, agentId, project } = call
  const paths = open.files.map(({ path }) => path)
  const approval = await file(world, {
    ...{ kind: 'action', sessionId, ...(agentId && { agentId }), project, intentId: NO_INTENT },
    // One question, whichever tools are refused until it is answered.
    tool: 'keep',
    subject: `keep ${open.key}`,
    what: `keep what was changed without permission: ${paths.join(', ')}`,
    detail: await changesDetail(world, open.files),
  })
  if (await use(world, approval.id)) {
    await acceptFirst(world, open.key)
    return undefined
  }
  return putBackFirst(paths, open.files.map(undo), approval.id)
}

/** A person said yes, with a word to the agent. */
function isYes(said: Denial | Contribution): said is Contribution {
  return !isRefusal(said) && said.ask === undefined && said.deny === undefined
}

/**
 * Without an intent, only ignored and temporary files may be written; tests, builds and installs run. What reaches
 * outside the working tree is for a person to decide.
 */
async function withoutIntent(
  world: GuardWorld,
  call: Call,
  expected: Expectation,
  denial: Denial,
  putsBack: boolean,
): Promise<Denial | Contribution | undefined> {
  const { effect, project } = call
  if (effect.kind !== 'shell') {
    const isFree = effect.kind === 'files' && (await boundTargets(world, project, expected.targets)).length === 0
    return isFree ? undefined : denial
  }
  const { outward, routine } = effect.script
  if ((await boundTargets(world, project, expected.targets)).length > 0) return denial
  if (outward.length > 0) {
    const said = await askPerson(world, call, NO_INTENT, expected)
    if (said && !isYes(said)) return said
    await openWindow(world, call, undefined, expected)
    return said
  }
  if (expected.undecided && !routine && !putsBack) return denial
  await openWindow(world, call, undefined, expected)
  return undefined
}

/** The intent of a call that needs none. */
async function chosenQuietly(world: GuardWorld, call: Call): Promise<Chosen | undefined> {
  const chosen = await intentFor(world, call)
  return isRefusal(chosen) ? undefined : chosen
}

/** The intent an agent works for, with what it said about its changes. */
export interface Chosen {
  intent: Intent
  selection: Selection
}

async function intentFor(world: GuardWorld, call: Call): Promise<Chosen | Denial> {
  const book = await world.intents.open(call.project)
  const [problem] = book.problems
  const selection = await activeIntent(world, call)
  const isOwn = selection !== undefined && book.find(selection.intentId) !== undefined
  if (call.isElsewhere && !isOwn && !problem)
    return otherProject(call.project.root, call.sessionId, book.choice, selection !== undefined)
  if (!selection) {
    return problem && book.choice.count === 0
      ? unreadableIntents(problemText(problem))
      : noIntent(call.tool, book.choice)
  }
  const intent = book.find(selection.intentId)
  if (!intent) {
    return problem ? unreadableIntents(problemText(problem)) : unknownIntent(selection.intentId, book.choice)
  }
  return isOpen(intent) ? { intent, selection } : closedIntent(intent, book.choice)
}

function problemText({ line, column, message }: { line: number; column: number; message: string }): string {
  return `active_intents.yaml, line ${line}, column ${column}: ${message}`
}

const LEASE_MS = 30_000
const LEASE_WAIT_MS = 6000
const MOST_LEASES = 40

/** Files that are really written one by one; for folders and whole trees there is nothing to compare. */
function lockable(targets: readonly Target[]): string[] {
  const files = targets.filter(({ extent, replaces, outside }) => extent === 'file' && replaces && !outside)
  return [...new Set(files.map(({ absolute }) => absolute))].slice(0, MOST_LEASES).sort()
}

/** Two agents that both have read a file must not both pass the gate before either has written. */
async function lockAndCompare(world: GuardWorld, call: Call, targets: readonly Target[]): Promise<Denial | undefined> {
  const paths = lockable(targets)
  // Calls of one agent do not shut each other out: its client runs writes to one file in order.
  const holder = agentKey(call)
  for (const path of paths) {
    const other = await takeLease(world, path, holder, { forMs: LEASE_MS, waitMs: LEASE_WAIT_MS })
    if (other === undefined) continue
    await unlock(world, call, targets)
    return busyFile(shownOf(path, targets))
  }
  const stale = await staleFiles(world, call, paths)
  if (stale.length === 0) return undefined
  await unlock(world, call, targets)
  return staleFile(stale.map((path) => shownOf(path, targets)))
}

function shownOf(path: string, targets: readonly Target[]): string {
  return targets.find(({ absolute }) => absolute === path)?.shown ?? path
}

async function unlock(world: GuardWorld, call: Agent, targets: readonly Target[]): Promise<void> {
  await releasePaths(world, call, lockable(targets))
}

/** Releases the leases on the files. */
export async function releasePaths(world: GuardWorld, agent: Agent, paths: readonly string[]): Promise<void> {
  for (const path of paths) await giveLease(world, path, agentKey(agent))
}

/** An intent in `.intentignore` writes, and reaches out, only with a person's word; tests and builds run. Undefined: it may. */
async function approvalFor(
  world: GuardWorld,
  call: Call,
  intent: Intent,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  if (!(await world.intents.ignored(call.project)).includes(intent.id)) return undefined
  if (call.effect.kind === 'shell') {
    const { outward, routine } = call.effect.script
    const isHarmless = outward.length === 0 && (routine || !expected.undecided)
    if (isHarmless && (await boundTargets(world, call.project, expected.targets)).length === 0) return undefined
  }
  return askPerson(world, call, intent.id, expected)
}

/** Puts the call before a person and waits. Undefined: they said yes. */
async function askPerson(
  world: GuardWorld,
  call: Call,
  intentId: string,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  const { targets } = expected
  // A person is not asked about what would be refused anyway.
  const stale = await staleFiles(world, call, lockable(targets))
  if (stale.length > 0) return staleFile(stale.map((path) => shownOf(path, targets)))
  const { project, sessionId } = call
  const detail = await detailOf(world, call, expected)
  const isAsked = await isAtTerminal(world, project, call.event)
  if (!isAsked) await beginWait(world, call, expected)
  const approval = await file(world, {
    ...actionQuestion(project, call.event, intentId),
    what: whatOf(call, expected),
    detail,
  })
  if (isAsked) {
    if (await use(world, approval.id)) return wordOf(approval)
    if (approval.status === 'rejected') return refused(approval, 0)
    await noteAsked(world, call.toolUseId, { approvalId: approval.id, sessionId })
    const why =
      intentId === NO_INTENT ? 'No intent is selected' : `The intent ${intentId} needs your approval (.intentignore)`
    return { ask: `${why}: ${approval.what}` }
  }
  const { approvalWaitMs } = world.settings(project)
  const answer = (await waitForAnswer(world, approval.id, approvalWaitMs)) ?? approval
  const isApproved = await use(world, approval.id)
  await endWait(world, call, isApproved)
  return isApproved ? wordOf(answer) : refused(answer, approvalWaitMs)
}

/** Recorded before a person is asked: from then on the hook may be killed, and the client would run the call. */
async function beginWait(world: GuardWorld, call: Call, expected: Expectation): Promise<void> {
  await noteWaiting(world, call.project, call, expected.targets)
  if (call.effect.kind !== 'files') await openWindow(world, call, undefined, expected)
}

async function endWait(world: GuardWorld, { toolUseId }: Call, isApproved: boolean): Promise<void> {
  await waitIsOver(world, toolUseId)
  if (!isApproved) await forgetWindow(world, toolUseId)
}

/** What the person said with their yes is for the agent too. */
function wordOf({ note }: Approval): Contribution | undefined {
  return note ? { context: `A person has approved this call and says: ${cap(neutralise(note), 500)}` } : undefined
}

/** The question whether this call may be made for an intent in `.intentignore`. */
export function actionQuestion(project: GuardedProject, event: AnyCall, intentId: string): Question {
  const { session_id: sessionId, agent_id: agentId, tool_name: tool, tool_input: input } = event
  const subject = commandLineOf(tool, input) ?? JSON.stringify(input)
  return { kind: 'action', sessionId, ...(agentId && { agentId }), project, intentId, tool, subject }
}

async function isAtTerminal(
  { settings, transcripts }: GuardWorld,
  project: GuardedProject,
  event: Event,
): Promise<boolean> {
  const { askIn } = settings(project)
  if (askIn !== 'auto') return askIn === 'terminal'
  return isAttended(transcripts, event.transcript_path)
}

/**
 * Only a person can widen a scope. The request is in the inbox before the tool runs; at an attended terminal the
 * client's own prompt asks as well.
 */
async function askForScope(
  world: GuardWorld,
  project: GuardedProject,
  event: Event,
): Promise<Contribution | undefined> {
  const { paths, reason } = event.tool_input
  const agent: Agent = { sessionId: event.session_id, ...(event.agent_id && { agentId: event.agent_id }) }
  const request = await scopeRequest(world, project, agent, Array.isArray(paths) ? paths.map(String) : [])
  // What cannot be asked for is told by the tool itself.
  if (isRefusal(request)) return undefined
  const approval = await file(world, { ...request, ...(typeof reason === 'string' && { reason }) })
  if (approval.status !== 'pending' || !(await isAtTerminal(world, project, event))) return undefined
  await noteAsked(world, event.tool_use_id, { approvalId: approval.id, sessionId: agent.sessionId })
  return { ask: `The agent wants to ${approval.what}${approval.reason ? ` (${approval.reason})` : ''}`.slice(0, 600) }
}

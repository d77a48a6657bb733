import { recordOf, type ToolReading } from '#core/action/reading.ts'
import { cap } from '#core/context/fence.ts'
import { checkConstraints, covers } from '#core/drift/checks.ts'
import { type Drifted, recovers, recoveryPlan } from '#core/drift/correction.ts'
import { decideDrift } from '#core/drift/recovery.ts'
import { type Bounds, type DriftAction, type DriftReading, judgeAction } from '#core/drift/score.ts'
import { limitOn } from '#core/goal/orders.ts'
import { redact } from '#core/redact/redact.ts'
import type { DriftType, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import type { ToolUse } from '#core/turn.ts'
import { callIn, type SeenUse } from '../action/tool-call.ts'
import { failOpen } from '../fail-open.ts'
import { recoveryOf } from '../judge/check-recovery.ts'
import { isDelivered } from '../session/deliveries.ts'
import { noteAstray, noteScore, planOf, stayOnGoal } from '../session/drift.ts'
import type { SessionState } from '../session/session-state.ts'
import { openTurn } from '../session/transcript.ts'
import { type ActiveWork, activeWork, followTrail, isNoted, noteActionId, noteOnGoalFiles } from '../session/work.ts'
import type { World } from '../world.ts'
import { announce, announcedAction, announcedReading } from './announced.ts'
import { correct, inForce, saveMode } from './correct.ts'
import { evidenceFor } from './evidence.ts'
import { markRecovered } from './recovered.ts'
import { takesBack } from './take-back.ts'

/**
 * The agent, or a subagent, acted. The action is scored against the goal, and answered with a correction where it needs
 * one. The same action told by both proxy and hooks is noted once. Answers with the step to keep; what was rejected
 * is none.
 */
export async function noteAction(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
  agentId?: string,
): Promise<Step | undefined> {
  const active = activeWork(session)
  if (!active || isNoted(session, toolUse.id)) return undefined
  const { task, trail: before } = active
  noteActionId(session, toolUse.id)
  openTurn(session)
  const action = announcedAction(session, toolUse) ?? (await whatItDoes(world, session, toolUse))
  // A subagent works for its own prompt, so its distance from the goal says nothing; what the user forbade holds for it too.
  const all = driftActionsOf(session, action)
  const scored = agentId === undefined ? all : all.filter((one) => breaksLimit(task, one))
  const judged = await worst(scored.map((one) => score(world, session, active, one, toolUse.id)))
  if (!judged) return stepOf(world, task, toolUse, action, agentId)

  const { trail, reading } = judged
  // The scorer hands the trail back untouched when an action says nothing either way.
  const neutral = trail === before
  followTrail(session, trail)
  const kept = await applyReading(world, session, { task, trail }, { toolUse, action, reading, neutral, agentId })
  // What was rejected is no part of the work: more of the same must not look at home beside it.
  if (!kept) followTrail(session, { ...before, risk: trail.risk, score: trail.score })
  return kept
}

/** What a call does, read from where the session works. */
export function whatItDoes(world: World, { place }: SessionState, toolUse: SeenUse): Promise<ToolReading> {
  return world.tools.read(callIn(toolUse), place ?? {})
}

/** The action's reading, with what the repository has to say for it; undefined when scoring itself has trouble. */
function score(world: World, session: SessionState, { task, trail }: ActiveWork, action: DriftAction, id: string) {
  return failOpen(world.log, 'score an action', undefined, async () => {
    const bounds = boundsNow(session, task, action)
    const first = announcedReading(session, id, trail, bounds) ?? judgeAction(trail, action, bounds)
    // Evidence can only speak for an action, so it is looked up only where something speaks against it.
    if (first.reading.score >= 8 || action.path === undefined) return first
    const known = await evidenceFor(world, session, task, action.path)
    return judgeAction(trail, action, { ...bounds, evidence: { ...known, ...bounds.evidence } })
  })
}

/** A command that takes several places away is as good as the worst of it. */
async function worst<Judged extends { reading: DriftReading }>(
  each: Promise<Judged | undefined>[],
): Promise<Judged | undefined> {
  const known = (await Promise.all(each)).filter((one) => one !== undefined)
  return known.toSorted((a, b) => a.reading.score - b.reading.score)[0]
}

function boundsNow(session: SessionState, task: Task, action: DriftAction): Bounds {
  return { ...boundsOf(task, action), ignoredCorrections: ignoredBy(session) }
}

/** The agent is about to act; what can be said of it by now is worked out while the tool runs. */
export async function scoreAhead(world: World, session: SessionState, toolUse: SeenUse): Promise<void> {
  const active = activeWork(session)
  if (!active || isNoted(session, toolUse.id)) return
  const { task, trail } = active
  const cwd = session.place?.cwd
  const action = await whatItDoes(world, session, toolUse)
  if (action.outcome === 'denied') return
  const [scored, ...more] = driftActionsOf(session, action)
  const bounds = scored && more.length === 0 && boundsNow(session, task, scored)
  const judged = bounds && { trail, bounds, outcome: judgeAction(trail, scored, bounds) }
  announce(session, { toolUse, cwd, action, ...(judged && { judged }) })
}

/** Only what the agent has heard can be ignored. Once it is forced, the way back alone counts. */
function ignoredBy(session: SessionState): number {
  const { standing, corrections } = session.drift
  return standing.mode === 'forced' ? 0 : corrections.filter((key) => isDelivered(session, key)).length
}

interface Scored {
  toolUse: ToolUse
  action: ToolReading
  reading: DriftReading
  neutral: boolean
  agentId: string | undefined
}

async function applyReading(
  world: World,
  session: SessionState,
  active: ActiveWork,
  { toolUse, action, reading, neutral, agentId }: Scored,
): Promise<Step | undefined> {
  const { task } = active
  const step = stepOf(world, task, toolUse, action, agentId)
  const touched = worstFirst(action.removes ?? action.files, reading)
  // What says nothing either way is neither a failed recovery nor one that succeeded, and has no score of its own.
  if (neutral) return step
  const { score } = reading
  noteScore(session, score)
  const before = session.drift.standing
  const decision = decideDrift(before, { type: 'action', score, recovers: recovers(planOf(session), action.files) })
  const scored = { ...step, driftScore: score, driftType: driftTypeOf(score) }
  if (decision.keep && score >= 8) noteOnGoalFiles(session, action.files)
  if (decision.recovered) {
    await markRecovered(world, session, task, decision.state)
    return scored
  }
  if (decision.level === undefined) stayOnGoal(session, decision.state)
  else {
    const drift = driftedBy(active, { ...scored, files: touched }, reading)
    const plan = recoveryPlan(drift, [...task.expectedScope, ...session.work.onGoalFiles.toReversed()])
    const { level, keep, state: next } = decision
    const key = correctionKey(step.id)
    const rejected = { ...scored, files: touched }
    noteAstray(session, touched, action.removes !== undefined)
    await correct(world, session, task, { key, level, score, next, drift, plan, ...(!keep && { rejected }) })
  }
  const now = session.drift.standing
  if (now.mode !== before.mode || now.escalation !== before.escalation) await saveMode(world, session, task)
  if (now.mode !== 'normal') {
    const what = `${action.kind} ${action.files.join(', ') || action.command || ''}`
    world.consult(session.sessionId, recoveryOf(task, now.plan, what))
  }
  return decision.keep ? scored : undefined
}

function worstFirst(paths: string[], { reasons }: DriftReading): string[] {
  const file = reasons[0]?.file
  return file !== undefined && paths.includes(file) ? [file, ...paths.filter((path) => path !== file)] : paths
}

/** A secret that reaches into the words that are kept is read from its beginning; the longest is a private key. */
const READ_FOR_SECRETS = 600 + 4000

/** The step with what the agent said before it. */
export function withWords(step: Step, said: string | undefined): Step {
  if (!said) return step
  return { ...step, reasoning: redact(said.slice(-READ_FOR_SECRETS)).slice(-600), keyDecision: DECIDES.test(said) }
}

export async function keepStep(world: World, step: Step): Promise<void> {
  await world.store.steps.append(step)
  const { sessionId, taskId, id: stepId, tool, files, driftScore: score = 10 } = step
  world.publish({ type: 'step', sessionId, taskId, stepId, tool, files, score })
}

function driftedBy(active: ActiveWork, step: Step, reading: DriftReading): Drifted {
  const file = step.files[0]
  const reason = diagnostic(reading, step)
  return { goal: inForce(active), constraints: active.task.constraints, reason, ...(file && { file }) }
}

/** One sentence naming the file, or the command, and the reason. */
function diagnostic({ reasons }: DriftReading, { files, command, query }: Step): string {
  const [first] = reasons
  const what = first?.file ?? files[0] ?? (command ? `\`${cap(command, 60)}\`` : (query ?? 'the last action'))
  return `${what}: ${first?.why ?? 'it does not fit the goal or the work so far'}.`
}

/** Files that the user named speak for an action, and no limit closes a file that they asked to change. */
export function boundsOf({ expectedScope, constraints }: Task, { path }: DriftAction): Bounds {
  const inScope = path !== undefined && covers(expectedScope, path)
  const limit = path === undefined ? undefined : limitOn({ constraints, expectedScope }, path)
  return { ...(limit !== undefined && { constraints: [limit] }), ...(inScope && { evidence: { inScope } }) }
}

/** Whether the user's own words forbid an action: "do not touch …", "only …". */
function breaksLimit(task: Task, action: DriftAction): boolean {
  return checkConstraints(action, boundsOf(task, action).constraints ?? []) !== undefined
}

/** Under which key the correction for an action is delivered. */
export function correctionKey(toolUseId: string): string {
  return `correction:${toolUseId}`
}

function stepOf(world: World, task: Task, { id }: ToolUse, action: ToolReading, agentId?: string): Step {
  return {
    id,
    sessionId: task.sessionId,
    taskId: task.id,
    ...(agentId && { agentId }),
    ...recordOf(action),
    keywords: [],
    keyDecision: false,
    at: world.clock.now(),
  }
}

const DECIDES =
  /\b(?:decided?|instead of|rather than|chose|choose|trade-?off|because|the (?:best|right|simplest) (?:way|approach))\b/i

const MOST_PLACES = 8

/**
 * What there is to score of an action. To take a place away is to write to what lies in it; to take back what was done
 * astray is a command like any other.
 */
export function driftActionsOf(session: SessionState, action: ToolReading): DriftAction[] {
  const { command = '', removes = [] } = action
  const lost = removes.filter((path) => !takesBack(session, command, path)).slice(0, MOST_PLACES)
  if (lost.length > 0) return lost.map((path) => ({ kind: 'write', path }))
  const one = driftActionOf(action)
  return one ? [one] : []
}

/** The action as the drift scorer takes it; undefined for tools that say nothing about drift. */
function driftActionOf({ kind, files, folders, command, query, excerpt }: ToolReading): DriftAction | undefined {
  const path = files[0] ?? (kind === 'search' ? folders[0] : undefined)
  switch (kind) {
    case 'read':
    case 'edit':
    case 'write':
      return path === undefined ? undefined : { kind, path, ...(excerpt && { diff: excerpt }) }
    case 'search':
      return { kind, ...(path && { path }), ...(query && { query }) }
    case 'bash':
      return command === undefined ? undefined : { kind: 'cmd', cmd: command }
    default:
      return undefined
  }
}

function driftTypeOf(score: number): DriftType {
  if (score >= 8) return 'none'
  if (score >= 5) return 'minor'
  return score >= 3 ? 'major' : 'critical'
}

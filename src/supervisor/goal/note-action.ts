import { type Action, actionOf, placesOf } from '#core/action/action.ts'
import { cap } from '#core/context/fence.ts'
import { covers } from '#core/drift/checks.ts'
import { type Drifted, recovers, recoveryPlan } from '#core/drift/correction.ts'
import { decideDrift } from '#core/drift/recovery.ts'
import { type Bounds, type DriftAction, type DriftReading, type DriftTrail, judgeAction } from '#core/drift/score.ts'
import { pathsIn } from '#core/goal/goal.ts'
import { toolClass, toolEffect } from '#core/intent/tools.ts'
import { redact } from '#core/redact/redact.ts'
import type { DriftType, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import type { ToolUse } from '#core/turn.ts'
import { failOpen } from '../fail-open.ts'
import { recoveryOf } from '../judge/consult.ts'
import type { World } from '../world.ts'
import { announce, announcedAction, announcedReading } from './announced.ts'
import { correct, inForce, saveMode } from './correct.ts'
import { evidenceFor } from './evidence.ts'
import { type Mind, pushBounded } from './mind.ts'
import { markRecovered } from './recovered.ts'
import { noteAstray, takesBack } from './take-back.ts'

const SEEN = 500
const ON_GOAL_FILES = 12

/**
 * The agent, or a subagent, acted. The action is scored against the goal, and answered with a correction where it needs
 * one. The same action seen through the other door is the same action. Answers with the step to keep; what was rejected
 * is none.
 */
export async function noteAction(
  world: World,
  mind: Mind,
  toolUse: ToolUse,
  agentId?: string,
): Promise<Step | undefined> {
  const { task } = mind
  if (!task || mind.seen.includes(toolUse.id)) return undefined
  mind.seen = pushBounded(mind.seen, toolUse.id, SEEN)
  delete mind.closed
  const action = announcedAction(mind, toolUse) ?? whatItDoes(toolUse, mind.cwd)
  // A subagent works for its own prompt, and most tools change and look at nothing: neither tells of drift.
  const scored = agentId === undefined ? driftActionsOf(mind, action) : []
  const before = mind.trail
  const judged = before && (await worst(scored.map((one) => score(world, mind, task, before, one, toolUse.id))))
  if (!judged) return stepOf(world, task, toolUse, action, agentId)

  const { trail, reading } = judged
  // The scorer hands the trail back untouched when an action says nothing either way.
  const neutral = trail === before
  mind.trail = trail
  const kept = await applyReading(world, mind, task, { toolUse, action, reading, neutral })
  // What was rejected is no part of the work: more of the same must not look at home beside it.
  if (!kept) mind.trail = { ...before, risk: trail.risk, score: trail.score }
  return kept
}

/** A tool of another server that says it writes a file is a write like any other. */
export function whatItDoes(toolUse: ToolUse, cwd: string | undefined): Action {
  const action = actionOf(toolUse, cwd)
  const { name, input } = toolUse
  if (action.kind !== 'mcp' || toolClass(name) === 'safe') return action
  const effect = toolEffect(name, input)
  if (effect.kind !== 'unknown' || effect.paths.length === 0) return action
  // It names a folder, or what it moves from where to where.
  const removes = action.files.length === 0 ? placesOf(effect.paths, cwd) : []
  return { ...action, kind: 'write', ...(removes.length > 0 && { removes }) }
}

/** The action's reading, with what the repository has to say for it; undefined when scoring itself has trouble. */
function score(world: World, mind: Mind, task: Task, trail: DriftTrail, action: DriftAction, id: string) {
  return failOpen(world.log, 'score an action', undefined, async () => {
    const bounds = boundsNow(mind, task, action)
    const first = announcedReading(mind, id, trail, bounds) ?? judgeAction(trail, action, bounds)
    // Evidence can only speak for an action, so it is looked up only where something speaks against it.
    if (first.reading.score >= 8 || action.path === undefined) return first
    const known = await evidenceFor(world, mind, task, action.path)
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

function boundsNow(mind: Mind, task: Task, action: DriftAction): Bounds {
  return { ...boundsOf(task, action), ignoredCorrections: ignoredBy(mind) }
}

/** The agent is about to act; what can be said of it by now is worked out while the tool runs. */
export function foreseeAction(mind: Mind, toolUse: ToolUse): void {
  const { task, trail, cwd } = mind
  if (!task || mind.seen.includes(toolUse.id)) return
  const action = whatItDoes(toolUse, cwd)
  const [scored, ...more] = driftActionsOf(mind, action)
  const bounds = scored && more.length === 0 && boundsNow(mind, task, scored)
  const judged = trail && bounds && { trail, bounds, outcome: judgeAction(trail, scored, bounds) }
  announce(mind, { toolUse, cwd, action, ...(judged && { judged }) })
}

/** Only what the agent has heard can be ignored. Once it is forced, the way back alone counts. */
function ignoredBy({ corrections = [], delivered, drift }: Mind): number {
  return drift.mode === 'forced' ? 0 : corrections.filter((key) => delivered.includes(key)).length
}

interface Scored {
  toolUse: ToolUse
  action: Action
  reading: DriftReading
  neutral: boolean
}

async function applyReading(
  world: World,
  mind: Mind,
  task: Task,
  { toolUse, action, reading, neutral }: Scored,
): Promise<Step | undefined> {
  const step = stepOf(world, task, toolUse, action)
  const touched = worstFirst(action.removes ?? action.files, reading)
  // What says nothing either way is neither a failed recovery nor one that succeeded, and has no score of its own.
  if (neutral) return step
  const { score } = reading
  mind.lastScore = score
  if (score >= 8) delete mind.corrections
  const decision = decideDrift(mind.drift, {
    type: 'action',
    score,
    recovers: recovers(mind.plan, action.files),
    neutral,
  })
  const changed = decision.state !== mind.drift
  mind.drift = decision.state
  const scored = { ...step, driftScore: score, driftType: driftTypeOf(score) }
  if (decision.keep && score >= 8)
    for (const file of action.files) mind.onGoalFiles = pushBounded(mind.onGoalFiles, file, ON_GOAL_FILES)
  if (decision.recovered) await markRecovered(world, mind, task)
  if (decision.level) {
    const drift = driftedBy(mind, task, { ...scored, files: touched }, reading)
    const plan = recoveryPlan(drift, [...task.expectedScope, ...mind.onGoalFiles.toReversed()])
    const { level, keep } = decision
    const key = `correction:${step.id}`
    const rejected = { ...scored, files: touched }
    noteAstray(mind, touched, action.removes !== undefined)
    await correct(world, mind, task, { key, level, score, drift, plan, ...(!keep && { rejected }) })
  }
  if (changed) await saveMode(world, mind, task)
  if (mind.plan && mind.drift.mode !== 'normal' && !decision.recovered) {
    world.consult(
      mind.sessionId,
      recoveryOf(task, mind.plan, `${action.kind} ${action.files.join(', ') || action.command || ''}`),
    )
  }
  return decision.keep ? scored : undefined
}

function worstFirst(paths: string[], { reasons }: DriftReading): string[] {
  const file = reasons[0]?.file
  return file !== undefined && paths.includes(file) ? [file, ...paths.filter((path) => path !== file)] : paths
}

/** The step with what the agent said before it. */
export function withWords(step: Step, said: string | undefined): Step {
  if (!said) return step
  return { ...step, reasoning: redact(said).slice(-600), keyDecision: DECIDES.test(said) }
}

export async function keepStep(world: World, step: Step): Promise<void> {
  await world.store.steps.append(step)
  const { sessionId, taskId, id: stepId, tool, files, driftScore: score = 10 } = step
  world.publish({ type: 'step', sessionId, taskId, stepId, tool, files, score })
}

function driftedBy(mind: Mind, task: Task, step: Step, reading: DriftReading): Drifted {
  const file = step.files[0]
  const reason = diagnostic(reading, step)
  return { goal: inForce(mind, task), constraints: task.constraints, reason, ...(file && { file }) }
}

/** One sentence naming the file, or the command, and the reason. */
function diagnostic({ reasons }: DriftReading, { files, command, query }: Step): string {
  const [first] = reasons
  const what = first?.file ?? files[0] ?? (command ? `\`${cap(command, 60)}\`` : (query ?? 'the last action'))
  return `${what}: ${first?.why ?? 'it does not fit the goal or the work so far'}.`
}

/** Files that the user named speak for an action. They limit it only where the user said "only". */
export function boundsOf({ expectedScope, constraints }: Task, { path }: DriftAction): Bounds {
  const limits = constraints.filter((constraint) => /\bonly\b/i.test(constraint)).flatMap(pathsIn)
  const inScope = path !== undefined && covers(expectedScope, path)
  return { constraints, scope: limits, ...(inScope && { evidence: { inScope } }) }
}

function stepOf(
  world: World,
  task: Task,
  { id, name }: ToolUse,
  { kind, files, folders, command, query, excerpt }: Action,
  agentId?: string,
): Step {
  return {
    id,
    sessionId: task.sessionId,
    taskId: task.id,
    ...(agentId && { agentId }),
    tool: name,
    kind,
    files,
    folders,
    ...(command && { command }),
    ...(query && { query }),
    ...(excerpt && { excerpt }),
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
export function driftActionsOf(mind: Mind, action: Action): DriftAction[] {
  const { command = '', removes = [] } = action
  const lost = removes.filter((path) => !takesBack(mind, command, path)).slice(0, MOST_PLACES)
  if (lost.length > 0) return lost.map((path) => ({ kind: 'write', path }))
  const one = driftActionOf(action)
  return one ? [one] : []
}

/** The action as the drift scorer takes it; undefined for tools that say nothing about drift. */
function driftActionOf({ kind, files, folders, command, query, excerpt }: Action): DriftAction | undefined {
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

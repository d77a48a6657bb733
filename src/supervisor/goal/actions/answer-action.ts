import { folderOf } from '#core/action/paths.ts'
import { commandWords } from '#core/action/programs-run.ts'
import type { ToolReading } from '#core/action/reading.ts'
import { isScratch } from '#core/action/scratch.ts'
import { recovers, recoveryPlan } from '#core/drift/correction.ts'
import { type DriftState, decideDrift } from '#core/drift/recovery.ts'
import type { DriftReading } from '#core/drift/score.ts'
import type { CorrectionLevel, DriftType, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { recoveryOf } from '../../judge/check-recovery.ts'
import { noteAstray, noteScore, noteUnheeded, planOf, stayOnGoal } from '../../session/drift.ts'
import { noteDoubt } from '../../session/judging.ts'
import type { SessionState } from '../../session/session-state.ts'
import { type ActiveWork, dropOnGoalFiles, noteOnGoalFiles } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { correct, saveMode } from './correct.ts'
import { isNamed } from './drift-actions.ts'
import { driftedBy } from './drifted-by.ts'
import { goalFiles } from './goal-files.ts'
import { markRecovered } from './recovered.ts'
import { heardCorrections } from './score-action.ts'

/** Under it a judge, where there is one, is asked what it thinks. */
const DOUBTFUL = 7

interface Scored {
  step: Step
  action: ToolReading
  reading: DriftReading
  neutral: boolean
}

export async function applyReading(
  world: World,
  session: SessionState,
  active: ActiveWork,
  { step, action, reading, neutral }: Scored,
): Promise<Step | undefined> {
  const { task } = active
  // What says nothing either way is neither a failed recovery nor one that succeeded, and has no score of its own.
  if (neutral && reading.reasons.length === 0) return step
  const { score, proof } = reading
  noteScore(session, score)
  if (score < DOUBTFUL) noteDoubt(session)
  const scored = { ...step, driftScore: score, driftType: driftTypeOf(score) }
  const isWayBack = recovers(planOf(session), action.files)
  const before = session.drift.standing
  // Reading is never told to stop, nor is trying something out: looking around may be how the agent finds its way back, but
  // it is not the way back itself.
  const isOff = score < 8 || before.mode !== 'normal'
  if (looksOnly(action) && reading.reasons.length === 0 && isOff && !isWayBack) return scored
  const decision = decideDrift(before, { type: 'action', score, recovers: isWayBack, proof })
  if (decision.keep && score >= 8) noteOnGoalFiles(session, action.files.filter(isOfProject))
  if (decision.recovered) {
    await markRecovered(world, session, task, decision.state)
    return scored
  }
  let answered: Step = scored
  const { level } = decision
  if (level === undefined) stayOnGoal(session, decision.state)
  else answered = await correctDrift(world, session, active, { step: scored, action, reading }, { ...decision, level })
  const now = session.drift.standing
  if (now.mode !== before.mode || now.escalation !== before.escalation) await saveMode(world, session, task)
  if (now.mode !== 'normal') {
    const what = `${action.kind} ${action.files.join(', ') || action.command || ''}`
    world.consult(session.sessionId, recoveryOf(task, now.plan, what))
  }
  return decision.keep ? answered : undefined
}

/** Corrects an action: what it touched is no longer the goal's, and the agent is told what it did and what comes next. */
async function correctDrift(
  world: World,
  session: SessionState,
  active: ActiveWork,
  { step, action, reading }: Omit<Scored, 'neutral'>,
  { level, keep, state: next }: { level: CorrectionLevel; keep: boolean; state: DriftState },
): Promise<Step> {
  const { task } = active
  const { score, proof } = reading
  const places = [...action.changes, ...(action.restores ?? [])]
  // What a command names besides is not what it did.
  const named = action.kind === 'bash' && reading.reasons.some(({ file }) => file === undefined) ? [] : action.files
  const touched = worstFirst(places.length > 0 ? places : named, reading)
  leaveOutDrift(session, task, touched)
  const drift = driftedBy(session, active, action, touched, reading)
  const plan = recoveryPlan(drift, goalFiles(session, task, proof))
  if (level !== 'nudge') {
    if (heardCorrections(session) > 0) noteUnheeded(session, task.id)
    const forbiddenIn = proof && !keep ? { forbiddenIn: task.id } : {}
    noteAstray(session, touched, {
      removed: action.removes !== undefined,
      ...(action.kind === 'edit' && { wasThere: true }),
      ...forbiddenIn,
    })
  }
  const rejected = { ...step, files: touched }
  const key = correctionKey(step.id)
  const told = { key, level, score, next, drift, plan, ...(!keep && { rejected }) }
  return { ...step, level, correction: await correct(world, session, task, told) }
}

/** Words that sound as if a program changed something, whatever it is. */
const CHANGES_SOMETHING =
  /^(?:(?:install|add|upgrade|update|create|init|remove|uninstall|publish|deploy|migrate|generate|apply|bump|version|push|release|patch)\b|--(?:fix|write|in-place)\b|-i$)/

/** A command that changes nothing as far as it can be read, and that does not sound as if it did: a test, a build, a look. */
function looksOnly({ kind, readsOnly, changes, restores, effect }: ToolReading): boolean {
  if (readsOnly) return true
  const words = effect.kind === 'shell' ? effect.script.commands.flatMap(commandWords) : []
  return kind === 'bash' && changes.length === 0 && !restores && !words.some((word) => CHANGES_SOMETHING.test(word))
}

function isOfProject(path: string): boolean {
  return !/^(?:[/~]|\.\.\/|[A-Za-z]:)/.test(path) && !isScratch(path)
}

/** What lies beside a stray file, and was taken for the work only a moment ago, was the beginning of the drift. */
function leaveOutDrift(session: SessionState, { expectedScope }: Task, touched: string[]) {
  dropOnGoalFiles(session, (file) => touched.includes(file) && !isNamed(expectedScope, file))
  const [first] = session.work.onGoalFiles
  const folders = new Set(touched.map(folderOf))
  if (first === undefined || folders.has(folderOf(first))) return
  dropOnGoalFiles(session, (file) => folders.has(folderOf(file)) && !isNamed(expectedScope, file))
}

function worstFirst(paths: string[], { reasons }: DriftReading): string[] {
  const file = reasons[0]?.file
  return file !== undefined ? [file, ...paths.filter((path) => path !== file)] : paths
}

/** Under which key the correction for an action is delivered. */
export function correctionKey(toolUseId: string): string {
  return `correction:${toolUseId}`
}

function driftTypeOf(score: number): DriftType {
  if (score >= 8) return 'none'
  if (score >= 5) return 'minor'
  return score >= 3 ? 'major' : 'critical'
}

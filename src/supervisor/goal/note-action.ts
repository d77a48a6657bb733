import { folderOf } from '#core/action/paths.ts'
import { recordOf, type ToolReading } from '#core/action/reading.ts'
import { isScratch } from '#core/action/scratch.ts'
import { cap } from '#core/context/fence.ts'
import { covers } from '#core/drift/checks.ts'
import { type Drifted, recovers, recoveryPlan } from '#core/drift/correction.ts'
import { asksToHandOver, endsInHandingOver, handsOver } from '#core/drift/delivered.ts'
import { type KnownWork, listed, whyForeign } from '#core/drift/explain.ts'
import { complaintsIn, withComplaints, withPass } from '#core/drift/follows.ts'
import { decideDrift, type Proof } from '#core/drift/recovery.ts'
import { type Bounds, type DriftAction, type DriftReading, type DriftTrail, judgeAction } from '#core/drift/score.ts'
import { keywordsOf } from '#core/goal/goal.ts'
import { onlyAnswers } from '#core/goal/limits/answer-only.ts'
import { limitOn } from '#core/goal/orders.ts'
import type { DriftType, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import type { ToolUse } from '#core/turn.ts'
import { lastWords } from '../action/last-words.ts'
import { callIn, type SeenUse } from '../action/tool-call.ts'
import { failOpen } from '../fail-open.ts'
import { recoveryOf } from '../judge/check-recovery.ts'
import { isDelivered } from '../session/deliveries.ts'
import { forgetAstray, noteAstray, noteScore, noteUnheeded, planOf, stayOnGoal } from '../session/drift.ts'
import { noteDoubt } from '../session/judging.ts'
import type { SessionState } from '../session/session-state.ts'
import { openTurn } from '../session/transcript.ts'
import {
  type ActiveWork,
  activeWork,
  dropOnGoalFiles,
  followTrail,
  isNoted,
  noteActionId,
  noteChanged,
  noteOnGoalFiles,
} from '../session/work.ts'
import type { World } from '../world.ts'
import { announce, announcedAction, announcedReading } from './announced.ts'
import { asked, correct, saveMode } from './correct.ts'
import { hearDeclared, planBounds } from './declared-plan.ts'
import { boundsOf, breaksLimit, driftActionsOf, isNamed } from './drift-actions.ts'
import { evidenceFor } from './evidence.ts'
import { markRecovered } from './recovered.ts'
import { takesBack } from './take-back.ts'

/**
 * Notes an action of the agent, or of a subagent, once its outcome is known. What ran is scored against the goal, and corrected
 * where it has to be; what was denied or failed is only recorded. An action that proxy and hooks both report is noted once.
 * Resolves to the step to store; undefined for an action that was rejected, which becomes a drift event.
 */
export async function noteAction(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
  agentId?: string,
  hear?: () => Promise<boolean>,
): Promise<Step | undefined> {
  const active = activeWork(session)
  if (!active || isNoted(session, toolUse.id)) return undefined
  noteActionId(session, toolUse.id)
  openTurn(session)
  const action = announcedAction(session, toolUse) ?? (await whatItDoes(world, session, toolUse))
  const done = stepOf(world, active.task, toolUse, action, agentId)
  const ran = action.outcome === 'ran'
  const step = ran ? await noteDeed(world, session, active, { action, toolUse, agentId, hear, done }) : done
  if (agentId === undefined) hearComplaint(session, action, toolUse.output)
  return step
}

interface Deed {
  action: ToolReading
  toolUse: SeenUse
  agentId: string | undefined
  hear: (() => Promise<boolean>) | undefined
  /** The step as it is kept when nothing speaks against it. */
  done: Step
}

async function noteDeed(
  world: World,
  session: SessionState,
  active: ActiveWork,
  { action, toolUse, agentId, hear, done }: Deed,
): Promise<Step | undefined> {
  hearDeclared(session, toolUse)
  // A person was asked about it and it ran: their word counts more than any score.
  if (session.drift.askedAbout === toolUse.id) return allowedByPerson(world, session, done)
  let judged = await judge(world, session, active, action, toolUse.id, agentId)
  // Before anything is held against the agent: the user may have asked for just this, while it worked.
  const hasHeard = judged !== undefined && judged.reading.score < GOOD && (await hear?.()) === true
  const { task, trail: before } = (hasHeard ? activeWork(session) : undefined) ?? active
  if (hasHeard) judged = await judge(world, session, { task, trail: before }, action, toolUse.id, agentId)
  const step = { ...done, taskId: task.id }
  noteTakenBack(session, action)
  noteChanged(session, action.changes)
  if (!judged) return step

  const { trail, reading } = judged
  // The scorer hands the trail back untouched when an action says nothing either way.
  const neutral = trail === before
  followTrail(session, trail)
  const heard = heardCorrections(session)
  const kept = await applyReading(world, session, { task, trail }, { step, action, reading, neutral })
  // What was rejected, or done against a correction, is no part of the work: more of the same must not look at home beside it.
  if (!kept || (kept.level === 'correct' && heard > 0))
    followTrail(session, { ...before, risk: trail.risk, score: trail.score })
  return kept
}

/** What a command complains of, the agent may well see to next. A look at something that is not there is no complaint. */
function hearComplaint(session: SessionState, { kind, command = '', programs, outcome }: ToolReading, output = '') {
  const active = activeWork(session)
  if (!active || kind !== 'bash' || LOOKS.has(programs[0] ?? '') || outcome === 'denied') return
  const { cwd } = session.place ?? {}
  const named = complaintsIn(cwd ? output.replaceAll(`${cwd}/`, '') : output, outcome === 'failed')
  if (named) return followTrail(session, withComplaints(active.trail, named, command))
  followTrail(session, withDelivery(session, withPass(active.trail, command), command))
}

/** The trail of an agent that has just handed its work over, where the user's newest words ask for that and nothing else. */
function withDelivery({ work }: SessionState, trail: DriftTrail, command: string): DriftTrail {
  const asked = work.instruction?.text.trim() ?? ''
  if (!handsOver(command)) return trail
  if (asksToHandOver(asked)) return { ...trail, delivered: asked }
  return endsInHandingOver(asked) ? { ...trail, handedOver: true } : trail
}

const LOOKS = new Set([
  ...['ls', 'cat', 'head', 'tail', 'grep', 'rg', 'ag', 'find', 'fd', 'tree', 'stat', 'wc', 'which', 'jq', 'echo'],
  ...['test', '[', 'sed', 'git log', 'git show', 'git diff', 'git status', 'git grep', 'git blame', 'git ls-files'],
])

async function judge(
  world: World,
  session: SessionState,
  work: ActiveWork,
  action: ToolReading,
  id: string,
  agentId: string | undefined,
) {
  const all = driftActionsOf(session, action)
  // A subagent works for its own prompt, so its distance from the goal says nothing; what the user forbade holds for it too.
  const scored = agentId === undefined ? all : all.filter((one) => breaksLimit(work.task, one))
  const judged = await worst(scored.map((one) => score(world, session, work, one, id)))
  // The way back asks for just this.
  const { removes = [], restores = [] } = action
  const places = [...removes, ...restores]
  const isTakenBack = places.length > 0 && places.every((path) => takesBack(session, action, path))
  return judged && isTakenBack ? { ...judged, reading: { ...judged.reading, score: 10, reasons: [] } } : judged
}

/** What a call does, read from where the session works. */
export function whatItDoes(world: World, { place }: SessionState, toolUse: SeenUse): Promise<ToolReading> {
  return world.tools.read(callIn(toolUse), place ?? {})
}

/** The action's reading, with what the repository has to say for it; undefined when scoring itself has trouble. */
export function score(world: World, session: SessionState, { task, trail }: ActiveWork, action: DriftAction, id = '') {
  return failOpen(world.log, 'score an action', undefined, async () => {
    const bounds = boundsNow(session, task, action)
    const first = announcedReading(session, id, trail, bounds) ?? judgeAction(trail, action, bounds)
    // Evidence can only speak for an action, so it is looked up only where something speaks against it.
    if (first.reading.score >= GOOD || action.path === undefined) return first
    const known = await evidenceFor(world, session, task, action.path)
    return judgeAction(trail, action, { ...bounds, evidence: { ...known, ...bounds.evidence } })
  })
}

/** A command that changes several places is as good as the worst of it. */
export async function worst<Judged extends { reading: DriftReading }>(
  each: Promise<Judged | undefined>[],
): Promise<Judged | undefined> {
  const known = (await Promise.all(each)).filter((one) => one !== undefined)
  return known.toSorted((a, b) => a.reading.score - b.reading.score)[0]
}

function boundsNow(session: SessionState, task: Task, action: DriftAction): Bounds {
  const delivered = activeWork(session)?.trail.delivered
  const isOther = delivered !== undefined && action.path !== undefined && !session.work.changed.includes(action.path)
  return {
    ...planBounds(session, action),
    ...boundsOf(task, action),
    ...(isOther && { delivered }),
    ...ignoredBy(session),
  }
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
function ignoredBy(session: SessionState): Pick<Bounds, 'ignoredCorrections' | 'ignoredReminders'> {
  const { standing, reminders } = session.drift
  if (standing.mode === 'forced') return {}
  return { ignoredCorrections: heardCorrections(session), ignoredReminders: heardOf(session, reminders) }
}

/** How many corrections the agent has heard since it was last on goal. */
export function heardCorrections(session: SessionState): number {
  return heardOf(session, session.drift.corrections)
}

function heardOf(session: SessionState, keys: readonly string[]): number {
  return keys.filter((key) => isDelivered(session, key)).length
}

async function allowedByPerson(world: World, session: SessionState, step: Step): Promise<Step> {
  const { task } = activeWork(session)!
  noteOnGoalFiles(session, step.changes ?? [])
  noteChanged(session, step.changes ?? [])
  await markRecovered(world, session, task, { mode: 'normal', escalation: 0 })
  noteScore(session, 10)
  return { ...step, driftScore: 10, driftType: 'none' }
}

/** Removing what was made astray, or putting back what was there, settles it. */
function noteTakenBack(session: SessionState, action: ToolReading) {
  const { removes = [], restores = [] } = action
  forgetAstray(session, (path) => {
    const isThere = (place: string) => place === '.' || covers([place], path)
    return restores.some(isThere) || (removes.some(isThere) && takesBack(session, action, path))
  })
}

/** From here on nothing is said. */
const GOOD = 8

/** Under it a judge, where there is one, is asked what it thinks. */
const DOUBTFUL = 7

interface Scored {
  step: Step
  action: ToolReading
  reading: DriftReading
  neutral: boolean
}

async function applyReading(
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
  let answered = scored
  if (decision.level === undefined) stayOnGoal(session, decision.state)
  else {
    const { level, keep, state: next } = decision
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
    const rejected = { ...scored, files: touched }
    const key = correctionKey(step.id)
    const words = await correct(world, session, task, {
      key,
      level,
      score,
      next,
      drift,
      plan,
      ...(!keep && { rejected }),
    })
    answered = { ...scored, level, correction: words }
  }
  const now = session.drift.standing
  if (now.mode !== before.mode || now.escalation !== before.escalation) await saveMode(world, session, task)
  if (now.mode !== 'normal') {
    const what = `${action.kind} ${action.files.join(', ') || action.command || ''}`
    world.consult(session.sessionId, recoveryOf(task, now.plan, what))
  }
  return decision.keep ? answered : undefined
}

const CHANGES_SOMETHING =
  /(?:^|[\s;&|])(?:install|add|upgrade|update|create|init|remove|uninstall|publish|deploy|migrate|generate|apply|bump|version|push|release|patch)\b|--(?:fix|write|in-place)\b|\s-i\b/

/** A command that changes nothing as far as it can be read, and that does not sound as if it did: a test, a build, a look. */
function looksOnly({ kind, readsOnly, changes, restores, command = '' }: ToolReading): boolean {
  if (readsOnly) return true
  return kind === 'bash' && changes.length === 0 && !restores && !CHANGES_SOMETHING.test(command)
}

function isOfProject(path: string): boolean {
  return !/^(?:[/~]|\.\.\/|[A-Za-z]:)/.test(path) && !isScratch(path)
}

/**
 * The files that the goal is about: those that the user named, then those that the work has touched. Newest first, where
 * there is proof; where statistics doubt the newest action, those just before it are doubtful as well.
 */
export function goalFiles(
  { work, drift }: SessionState,
  { expectedScope, constraints }: Task,
  proof: Proof | undefined,
): string[] {
  const astray = new Set(drift.astray.map(({ path }) => path))
  const isChanged = (file: string) => work.changed.includes(file)
  const touched = proof
    ? work.onGoalFiles.toReversed()
    : [...work.onGoalFiles.filter(isChanged), ...work.onGoalFiles.filter((file) => !isChanged(file))]
  // What was named by its name alone lies where the agent has found it.
  const placed = expectedScope.map((place) => touched.find((file) => file.endsWith(`/${place}`)) ?? place)
  // "async/await" looks like a folder: where there is work to go by, only what it has met is one.
  const named = placed.filter(
    (place) => touched.length === 0 || FILE.test(place) || touched.some((f) => covers([place], f)),
  )
  // The way back leaves out files that the user has closed meanwhile.
  const limits = { constraints: constraints.filter((limit) => !onlyAnswers(limit)), expectedScope }
  return [...new Set([...named, ...touched])].filter((file) => !astray.has(file) && limitOn(limits, file) === undefined)
}

const FILE = /\.\w{1,12}$|\/$/

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

/** The step with what the agent said before it. */
export function withWords(step: Step, said: string | undefined): Step {
  if (!said) return step
  return { ...step, reasoning: lastWords(said), keyDecision: DECIDES.test(said) }
}

export async function keepStep(world: World, step: Step): Promise<void> {
  await world.store.steps.append(step)
  // Only what ran is published to the live feed; a call that failed or was denied is stored all the same.
  if (step.outcome) return
  const { sessionId, taskId, id: stepId, tool, files, driftScore: score = 10 } = step
  world.publish({ type: 'step', sessionId, taskId, stepId, tool, files, score })
}

function driftedBy(
  session: SessionState,
  active: ActiveWork,
  action: ToolReading,
  touched: string[],
  { reasons, proof }: DriftReading,
): Drifted {
  const [file] = touched
  const known = knownWork(session, active, proof)
  const why = reasons[0]?.why ?? whyForeign({ path: file, command: action.command }, known)
  return { ...asked(active), did: didOf(action, file), why, ...(file && { file }), ...(proof && { proof }) }
}

/** What the work is about, with what it has touched apart from what only the words name. */
export function knownWork(session: SessionState, { task, trail }: ActiveWork, proof: Proof | undefined): KnownWork {
  const files = goalFiles(session, task, proof)
  const isTouched = (file: string) => session.work.onGoalFiles.includes(file)
  return {
    instruction: `${task.instruction}\n${trail.goal}`,
    touched: files.filter(isTouched),
    named: files.filter((file) => !isTouched(file)),
  }
}

/** What the agent did, in the past tense. */
function didOf({ kind, command = '', removes, moves, restores, query }: ToolReading, file: string | undefined): string {
  if (file === undefined) return command ? `ran \`${cap(command.replace(/\s+/g, ' '), 60)}\`` : `used ${query ?? kind}`
  if (removes?.includes(file))
    return `${moves?.includes(file) ? 'moved' : 'removed'} ${shortList([file, ...removes.filter((one) => one !== file)])}`
  if (restores?.includes(file)) return file === '.' ? 'threw away what was not committed' : `put back ${file}`
  const by = kind === 'bash' && !command.includes(file) && isShort(command) ? ` by \`${command}\`` : ''
  return `${kind === 'write' ? 'wrote' : 'changed'} ${file}${by}`
}

function shortList(paths: string[]): string {
  return paths.length < 4 ? listed(paths, 'and') : `${paths.slice(0, 2).join(', ')} and ${paths.length - 2} more`
}

/** A command that can be told in passing. */
function isShort(command: string): boolean {
  return command.length <= 48 && !command.includes('\n') && command.split(' ').length <= 6
}

/** Under which key the correction for an action is delivered. */
export function correctionKey(toolUseId: string): string {
  return `correction:${toolUseId}`
}

const MOST_KEYWORDS = 8

function stepOf(world: World, task: Task, { id }: ToolUse, action: ToolReading, agentId?: string): Step {
  const record = recordOf(action)
  const { outcome, changes, earlierWork } = action
  const ran =
    outcome === 'failed' || outcome === 'denied'
      ? { outcome }
      : { ...(changes.length > 0 && { changes }), ...(earlierWork && { earlierWork }) }
  return {
    id,
    sessionId: task.sessionId,
    taskId: task.id,
    ...(agentId && { agentId }),
    ...record,
    keywords: keywordsOf([...record.files, record.query ?? '', record.excerpt ?? ''].join(' ')).slice(0, MOST_KEYWORDS),
    keyDecision: false,
    at: world.clock.now(),
    ...ran,
  }
}

const DECIDES =
  /\b(?:decided?|instead of|rather than|chose|choose|trade-?off|because|the (?:best|right|simplest) (?:way|approach))\b/i

function driftTypeOf(score: number): DriftType {
  if (score >= 8) return 'none'
  if (score >= 5) return 'minor'
  return score >= 3 ? 'major' : 'critical'
}

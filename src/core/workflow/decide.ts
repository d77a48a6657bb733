import type { Carried, Flow, Task } from './flow.ts'
import { type Hold, type HoldChoice, takesChoice } from './hold.ts'
import type { Stage } from './stage.ts'

/** What happens to a feature session: the outcome of a task, or a person's word. */
export type FlowEvent =
  /** `open` questions come from comments in files that the form names: they are decided before anything is planned. */
  | { type: 'opened'; open: number }
  /** Claude waits for decisions; `validate` when a validation run should check first whether they are real. */
  | { type: 'asked'; validate: boolean }
  /** `next` is the step that is at hand, wherever an event may lead back to the work. */
  | { type: 'validated'; open: number; ofReview: boolean; next: string | null; at: string }
  | { type: 'answered'; carried: Carried[] }
  | { type: 'plan_proposed'; version: number; hash: string; next: string | null; ciFailing: boolean }
  | { type: 'plan_kept'; next: string | null; ciFailing: boolean }
  | { type: 'reviewed'; clean: boolean; next: string | null; at: string }
  | { type: 'step_done'; stepId: string }
  | { type: 'collected'; items: number; next: string | null }
  | { type: 'checked'; passed: boolean; detail: string; at: string }
  | { type: 'fixed' }
  | { type: 'committed' }
  | { type: 'described' }
  | { type: 'published' }
  | { type: 'pr_reviewed' }
  | { type: 'watched'; failing: boolean; open: number }
  | { type: 'held'; hold: Hold }
  | { type: 'time_came' }
  | { type: 'interrupted'; at: string }
  | { type: 'expired'; at: string }
  | { type: 'rolled_back' }
  | { type: 'approve'; hash: string; signOff: boolean; open: number; next: string | null; at: string; by?: string }
  | { type: 'consent'; hash: string; given: boolean; next: string | null; at: string }
  | { type: 'comment'; hash: string; carried: Carried[] }
  | { type: 'guide'; text: string }
  | { type: 'choose'; choice: HoldChoice; text: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'final'; action: 'merge' | 'plan_changes' | 're_review'; feedback: string }

export type Decided = { flow: Flow; reason: string } | { refused: Refused }
export type Refused = 'not_possible_now' | 'plan_not_found' | 'plan_changed' | 'signoff_required' | 'choice_not_offered'

/** Attempts that Grove makes by itself before it asks a person. */
export const MAX_FIXES = 3

/** The whole workflow: every way from one state to another is a branch here. */
export function decide(flow: Flow, event: FlowEvent): Decided {
  if (isTooLate(flow, event)) return refuse('not_possible_now')
  switch (event.type) {
    case 'opened':
      return to(flow, 1, event.open > 0 ? null : { type: 'discover' }, 'opened')
    case 'asked':
      return stay(flow, event.validate ? { type: 'validate' } : whileAsking(flow), 'questions_asked')
    case 'validated':
      return event.open > 0 ? stay(flow, whileAsking(flow), 'questions_ready') : nothingToAsk(flow, event)
    case 'answered':
      return answered(flow, event.carried)
    case 'plan_proposed':
      return proposed(flow, event)
    case 'plan_kept':
      return kept(flow, event)
    case 'reviewed':
      return reviewed(flow, event)
    case 'step_done':
      return stay(flow, { type: 'collect', stepId: event.stepId }, 'step_complete')
    case 'collected':
      return event.items > 0 ? back(flow, [], null, 'todos_collected') : work(flow, event.next, 'next_step')
    case 'checked':
      return checked(flow, event)
    case 'fixed':
      return stay(flow, { type: 'check' }, 'fixed')
    case 'committed':
      return to(flow, 4, { type: 'describe' }, 'implementation_complete')
    case 'described':
      return stay(flow, { type: 'publish' }, 'described')
    case 'published':
      return to(flow, 5, { type: 'pr_review' }, 'pr_created')
    case 'pr_reviewed':
      return stay(flow, { type: 'watch' }, 'reviewed')
    case 'watched':
      return event.failing || event.open > 0
        ? stay(flow, null, event.failing ? 'ci_failed' : 'issues_found')
        : to(flow, 6, null, 'pr_approved')
    case 'held':
      return {
        flow: { ...flow, hold: event.hold, ...(FAILS.has(event.hold.kind) && { status: 'error' }) },
        reason: event.hold.kind,
      }
    case 'time_came':
      return flow.hold?.until ? { flow: { ...flow, hold: null }, reason: 'time_came' } : refuse('not_possible_now')
    case 'interrupted':
      return { flow: { ...flow, status: 'interrupted', hold: interruption(event.at) }, reason: 'interrupted' }
    case 'expired':
      return { flow: { ...flow, status: 'expired', hold: expiry(event.at) }, reason: 'expired' }
    case 'rolled_back':
      return { flow: { ...flow, status: 'rolled_back', task: null, hold: null, approval: null }, reason: 'rolled_back' }
    case 'approve':
      return approve(flow, event)
    case 'consent':
      return consent(flow, event)
    case 'comment':
      if (!canReplan(flow)) return refuse('not_possible_now')
      if (event.hash !== flow.planHash) return refuse('plan_changed')
      return back(flow, event.carried, { type: 'revise' }, 'changes_requested')
    case 'guide':
      return isOver(flow) ? refuse('not_possible_now') : { flow: carry(flow, guidance(event.text)), reason: 'guidance' }
    case 'choose':
      return choose(flow, event.choice, event.text)
    case 'pause':
      return flow.status === 'active' || flow.status === 'error' || flow.status === 'interrupted'
        ? { flow: { ...flow, status: 'paused' }, reason: 'paused' }
        : refuse('not_possible_now')
    case 'resume':
      return resume(flow)
    case 'final':
      return final(flow, event)
  }
}

/** The report of a run that a person's word has overtaken: it would take away the task that this word has set. */
function isTooLate({ task }: Flow, { type }: FlowEvent): boolean {
  return (type === 'reviewed' && task?.type !== 'review') || (type === 'step_done' && task?.type !== 'implement')
}

/** The checks of a pull request go on meanwhile, and a person sees review and checks together. */
function whileAsking(flow: Flow): Task | null {
  return flow.currentStage === 5 ? { type: 'watch' } : null
}

const FAILS = new Set<Hold['kind']>(['agent_failed', 'repository_failed'])

function nothingToAsk(flow: Flow, event: { ofReview: boolean; next: string | null; at: string }): Decided {
  switch (flow.currentStage) {
    case 1:
      return stay(flow, { type: 'discover' }, 'questions_filtered')
    case 2:
      return event.ofReview
        ? clean(flow, event, 'questions_filtered')
        : stay(flow, { type: 'revise' }, 'questions_filtered')
    case 5:
      return stay(flow, { type: 'watch' }, 'questions_filtered')
    default:
      return work(flow, event.next, 'questions_filtered')
  }
}

/** Answers change the plan, and the plan is changed in stage 2 only. Before there is one, discovery goes on. */
function answered(flow: Flow, carried: Carried[]): Decided {
  if (flow.currentStage === 1) return stay(carry(flow, ...carried), { type: 'discover' }, 'answered')
  return back(flow, carried, { type: 'revise' }, 'answered')
}

function proposed(
  flow: Flow,
  event: { version: number; hash: string; next: string | null; ciFailing: boolean },
): Decided {
  if (event.hash === flow.planHash) return kept(flow, event)
  const holds = <T extends { planHash: string }>(word: T | null) => (word?.planHash === event.hash ? word : null)
  const planned: Flow = {
    ...flow,
    currentPlanVersion: event.version,
    planHash: event.hash,
    approval: holds(flow.approval),
    startWhenClean: flow.startWhenClean === event.hash ? flow.startWhenClean : null,
    isClean: false,
    carried: [],
  }
  return to(planned, 2, nextReview(planned), flow.currentStage === 1 ? 'plan_created' : 'plan_updated')
}

/** The plan stands as it is: what was approved goes on, what was not is reviewed again. */
function kept(flow: Flow, event: { next: string | null; ciFailing: boolean }): Decided {
  if (flow.planHash === '') return refuse('plan_not_found')
  const settled = { ...flow, carried: flow.carried.filter(({ from }) => from === 'guidance') }
  if (flow.approval?.planHash !== flow.planHash) return to(settled, 2, nextReview(settled), 'plan_kept')
  const onlyReview = flow.carried.length > 0 && flow.carried.every(({ from }) => from === 'pr_review')
  if (event.next === null && onlyReview && !event.ciFailing) return to(settled, 6, null, 'issues_accepted')
  return work(settled, event.next, 'plan_kept')
}

function nextReview(flow: Flow): Task | null {
  return flow.reviewCount < flow.recommendedReviews ? { type: 'review' } : null
}

function reviewed(flow: Flow, event: { clean: boolean; next: string | null; at: string }): Decided {
  const counted = { ...flow, reviewCount: flow.reviewCount + 1, isClean: event.clean }
  return event.clean ? clean(counted, event, 'review_clean') : stay(counted, { type: 'validate' }, 'findings')
}

/** A clean review offers approval; only a standing consent for exactly this plan starts the work without a click. */
function clean(flow: Flow, { next, at }: { next: string | null; at: string }, reason: string): Decided {
  const offered = { ...flow, isClean: true }
  if (flow.startWhenClean === '' || flow.startWhenClean !== flow.planHash) return stay(offered, null, reason)
  return begin(offered, { signedOff: true, at }, next, 'start_when_clean')
}

function approve(
  flow: Flow,
  event: { hash: string; signOff: boolean; open: number; next: string | null; at: string; by?: string },
): Decided {
  if (flow.planHash === '') return refuse('plan_not_found')
  if (flow.currentStage !== 2 || isOver(flow)) return refuse('not_possible_now')
  if (event.hash !== flow.planHash) return refuse('plan_changed')
  // Decisions that are not in the plan yet would be lost.
  if (event.open > 0 || flow.task?.type === 'revise') return refuse('not_possible_now')
  if (flow.reviewCount < flow.recommendedReviews && !event.signOff) return refuse('signoff_required')
  const word = { signedOff: event.signOff, at: event.at, ...(event.by !== undefined && { by: event.by }) }
  return begin({ ...flow, status: 'active' }, word, event.next, 'approved')
}

function consent(flow: Flow, event: { hash: string; given: boolean; next: string | null; at: string }): Decided {
  if (flow.planHash === '') return refuse('plan_not_found')
  if (flow.currentStage !== 2 || isOver(flow)) return refuse('not_possible_now')
  if (event.hash !== flow.planHash) return refuse('plan_changed')
  const given = { ...flow, startWhenClean: event.given ? event.hash : null }
  const isWaiting = flow.isClean && flow.task === null && flow.hold === null && flow.status === 'active'
  return event.given && isWaiting
    ? begin(given, { signedOff: true, at: event.at }, event.next, 'start_when_clean')
    : { flow: given, reason: event.given ? 'consent_given' : 'consent_withdrawn' }
}

function begin(
  flow: Flow,
  word: { signedOff: boolean; at: string; by?: string },
  next: string | null,
  reason: string,
): Decided {
  const approval = { planHash: flow.planHash, planVersion: flow.currentPlanVersion, ...word }
  return work({ ...flow, approval, fixAttempts: 0, acceptsFailure: false, hold: null }, next, reason)
}

/** The next step, or the checks when none is left. */
function work(flow: Flow, next: string | null, reason: string): Decided {
  return to(flow, 3, next === null ? { type: 'check' } : { type: 'implement', stepId: next }, reason)
}

function checked(flow: Flow, event: { passed: boolean; detail: string; at: string }): Decided {
  if (event.passed || flow.acceptsFailure)
    return stay(flow, { type: 'commit' }, event.passed ? 'checks_passed' : 'failure_accepted')
  if (flow.fixAttempts < MAX_FIXES) {
    const fix = { type: 'fix', detail: event.detail } as const
    return stay({ ...flow, fixAttempts: flow.fixAttempts + 1 }, fix, 'checks_failed')
  }
  const hold: Hold = {
    kind: 'checks_failed',
    message: `The project’s checks still fail after ${MAX_FIXES} attempts to fix them.`,
    detail: event.detail,
    since: event.at,
    until: null,
  }
  return { flow: { ...flow, task: { type: 'fix', detail: event.detail }, hold }, reason: 'checks_failed' }
}

function choose(flow: Flow, choice: HoldChoice, text: string): Decided {
  if (!flow.hold) return refuse('not_possible_now')
  if (takesChoice(flow.hold, choice, text) !== 'yes') return refuse('choice_not_offered')
  const free: Flow = { ...flow, hold: null, status: flow.status === 'expired' ? 'expired' : 'active' }
  const active: Flow = { ...free, status: 'active' }
  switch (choice) {
    case 'wait':
      return { flow, reason: 'waits' }
    case 'pause':
      return { flow: { ...free, status: 'paused' }, reason: 'paused' }
    case 'close':
      return { flow: { ...free, status: 'paused' }, reason: 'closed' }
    case 'look_only':
    case 'fresh_with_changes':
    case 'stash_and_start':
      return { flow: { ...free, task: null }, reason: choice }
    case 'rollback':
      return { flow, reason: 'rollback' }
    case 'continue':
      if (flow.hold.kind === 'checks_failed')
        return stay({ ...active, acceptsFailure: true }, { type: 'commit' }, 'failure_accepted')
      if (flow.hold.kind === 'setup_failed') return to(active, 1, { type: 'discover' }, 'setup_skipped')
      return { flow: active, reason: 'continued' }
    case 'guide':
      return { flow: { ...carry(active, guidance(text)), fixAttempts: 0 }, reason: 'guided' }
    case 'local_review':
      return { flow: { ...active, localReview: true }, reason: 'local_review' }
    case 'merge_base':
      return { flow: { ...active, baseUpdate: 'merge' }, reason: 'merge_base' }
    case 'skip_rebase':
      return { flow: { ...active, baseUpdate: 'skip' }, reason: 'skip_rebase' }
    case 'push':
      return { flow: { ...active, mayPush: true }, reason: 'push_allowed' }
    default:
      return { flow: active, reason: choice }
  }
}

function resume(flow: Flow): Decided {
  if (flow.status === 'paused') return { flow: { ...flow, status: 'active' }, reason: 'resumed' }
  if (flow.hold?.kind === 'interrupted') return { flow: { ...flow, status: 'active', hold: null }, reason: 'resumed' }
  return refuse('not_possible_now')
}

function final(flow: Flow, event: { action: 'merge' | 'plan_changes' | 're_review'; feedback: string }): Decided {
  if (flow.currentStage !== 6 || isOver(flow)) return refuse('not_possible_now')
  const feedback: Carried = { from: 'final_approval', text: event.feedback }
  switch (event.action) {
    case 'merge':
      return { flow: { ...flow, status: 'completed', task: null, hold: null }, reason: 'completed' }
    case 'plan_changes':
      return back({ ...flow, status: 'active' }, [feedback], { type: 'revise' }, 'plan_changes')
    case 're_review':
      return to({ ...carry(flow, feedback), status: 'active' }, 5, { type: 'pr_review' }, 're_review')
  }
}

function canReplan(flow: Flow): boolean {
  return flow.planHash !== '' && flow.currentStage !== 4 && !isOver(flow)
}

/** Nothing goes on from here. */
export function isOver({ status }: Pick<Flow, 'status'>): boolean {
  return status === 'completed' || status === 'rolled_back' || status === 'corrupted' || status === 'expired'
}

/** Whether Grove itself has something to do. */
export function isRunnable({ status, task, hold }: Pick<Flow, 'status' | 'task' | 'hold'>): boolean {
  return status === 'active' && task !== null && hold === null
}

/** To the plan review: from a later stage that is a new planning, and it counts. */
function back(flow: Flow, carried: Carried[], task: Task | null, reason: string): Decided {
  const isReturn = flow.currentStage > 2
  const counted = isReturn ? { ...flow, replanningCount: flow.replanningCount + 1 } : flow
  return to({ ...carry(counted, ...carried), isClean: false }, 2, task, reason)
}

function to(flow: Flow, stage: Stage, task: Task | null, reason: string): Decided {
  return { flow: { ...flow, currentStage: stage, task }, reason }
}

function stay(flow: Flow, task: Task | null, reason: string): Decided {
  return to(flow, flow.currentStage, task, reason)
}

function carry(flow: Flow, ...carried: Carried[]): Flow {
  return { ...flow, carried: [...flow.carried, ...carried] }
}

function guidance(text: string): Carried {
  return { from: 'guidance', text }
}

function refuse(refused: Refused): Decided {
  return { refused }
}

function interruption(since: string): Hold {
  return {
    kind: 'interrupted',
    message:
      'Grove was stopped while Claude worked. Nothing that was reported is lost, but the current work was cut short.',
    detail: null,
    since,
    until: null,
  }
}

function expiry(since: string): Hold {
  return {
    kind: 'expired',
    message: 'This session has expired: it was idle for too long. Its changes and pull request are untouched.',
    detail: null,
    since,
    until: null,
  }
}

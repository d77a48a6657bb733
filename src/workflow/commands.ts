import { nextStep } from '#core/plan/order.ts'
import { redact } from '#core/redact/redact.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { resetBreaker } from '#core/workflow/breaker.ts'
import { decide, type Refused as FlowRefused } from '#core/workflow/decide.ts'
import type { Carried } from '#core/workflow/flow.ts'
import type { HoldChoice } from '#core/workflow/hold.ts'
import { decisionText, readAnswer, released } from '#core/workflow/questions.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import type { PlanComment } from '#protocol/workflow/reviews.ts'
import { announce, planId } from './announce.ts'
import { askedEvents, changeQuestions } from './asking.ts'
import type { Engine } from './engine.ts'
import type { Feature } from './feature.ts'
import { placeOf } from './tasks/context.ts'
import type { FeatureFiles } from './world.ts'

/** What people do with a feature session. Each command is refused with a reason, or has happened when it returns. */

export type CommandRefusal = Refusal<FlowRefused | 'question_not_found' | 'answer_not_offered' | 'repository_trouble'>

const WORDS: Record<FlowRefused, [string, string]> = {
  not_possible_now: [
    'This is not possible in the state the session is in.',
    'Look at the session again; it lists what can be done now.',
  ],
  plan_not_found: ['There is no plan yet.', 'Wait until Claude has handed one in.'],
  plan_changed: ['The plan is another than the one you have read.', 'Read the newest version, and decide about that.'],
  signoff_required: ['Fewer reviews than recommended.', 'Accept the risk with the sign-off, or let the reviews go on.'],
  choice_not_offered: ['This choice is not on offer, or lacks the words it needs.', 'Choose one of the offered ones.'],
}

function refused(code: FlowRefused): CommandRefusal {
  const [message, suggestion] = WORDS[code]
  return refusal(code, message, suggestion)
}

export async function pause(engine: Engine, feature: Feature): Promise<CommandRefusal | undefined> {
  const no = await feature.happen({ type: 'pause' })
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

export async function resume(_: Engine, feature: Feature): Promise<CommandRefusal | undefined> {
  const no = await feature.happen({ type: 'resume' }, (files) => ({
    events: [{ type: 'execution.resumed', stepId: files.status.currentStepId, reason: 'resumed' }],
  }))
  return no && refused(no)
}

/** Ends the turn that runs; the session waits for a word. */
export async function interrupt(engine: Engine, feature: Feature): Promise<CommandRefusal | undefined> {
  const process = engine.process(feature)
  if (!process) return refused('not_possible_now')
  await process.interrupt()
  return undefined
}

/** Said at once where Claude works; else kept for when it goes on. */
export async function message(engine: Engine, feature: Feature, text: string): Promise<CommandRefusal | undefined> {
  const process = engine.process(feature)
  if (process) {
    feature.say({ spawnId: '', kind: 'prompt', text: redact(text) })
    await process.say({
      id: engine.world.newId(),
      parts: [`# The user says\n\n${text}`],
      text: 'Take this into account and go on.',
    })
    return undefined
  }
  const no = await feature.happen({ type: 'guide', text: redact(text) })
  return no && refused(no)
}

/** Whose word it is; an owner without a name is not named. */
function named(by: string | null): { by?: string } {
  return by === null ? {} : { by }
}

export interface GivenAnswer {
  questionId: string
  value: string | string[]
  text?: string | undefined
}

/** Answers questions that can be answered now; the last one lets the session go on. All of them hold, or none does. */
export async function answer(
  engine: Engine,
  feature: Feature,
  given: readonly GivenAnswer[],
  by: string | null = null,
): Promise<CommandRefusal | undefined> {
  const at = feature.now()
  let no: CommandRefusal | undefined
  let isCut = false
  await feature.update((files) => {
    const accepted = new Map<string, NonNullable<Question['answer']>>()
    let { questions } = files.questions
    for (const { questionId, value, text } of given) {
      const question = released(questions).find(({ id }) => id === questionId)
      if (!question) {
        no = refusal(
          'question_not_found',
          `There is no question ${questionId} that can be answered now.`,
          'List the questions of the session again.',
        )
        return undefined
      }
      const read = readAnswer(question, { value, text })
      if (typeof read === 'string') {
        no = refusal('answer_not_offered', read, 'Answer with one of the options, or in your own words as `text`.')
        return undefined
      }
      const kept = { value: redactAll(read.value), text: read.text && redact(read.text), ...named(by) }
      accepted.set(questionId, kept)
      questions = questions.map((one) =>
        one.id === questionId ? { ...one, answer: kept, state: 'answered', answeredAt: at } : one,
      )
    }
    const settled = settle({ ...files, questions: { ...files.questions, questions } }, accepted, at)
    const events: NewWorkflowEvent[] = [
      ...[...accepted].map(([questionId, kept]) => ({ type: 'question.answered' as const, questionId, answer: kept })),
      ...askedEvents(files.questions.questions, questions),
    ]
    const { files: after, reason } = goOn(settled)
    isCut = after.session.task?.type !== files.session.task?.type && files.session.task !== null
    return { files: after, events: [...events, ...announce(files, after, reason)] }
  })
  if (isCut) await engine.stop(feature)
  return no
}

/** When nothing is open any more, the answers go to where they are needed; into work that runs they go as a request. */
function goOn(files: FeatureFiles): { files: FeatureFiles; reason: string } {
  const { questions } = files.questions
  const { session } = files
  if (questions.some(({ state }) => state === 'open' || state === 'validating')) return { files, reason: 'answered' }
  const planned = files.plan?.createdAt ?? ''
  const fresh = questions.filter(({ state, answeredAt }) => state === 'answered' && (answeredAt ?? '') >= planned)
  const carried = fresh.map(carriedOf)
  const event =
    session.task === null
      ? ({ type: 'answered', carried } as const)
      : ({ type: 'comment', hash: session.planHash, carried } as const)
  const decided = decide(session, event)
  return 'refused' in decided
    ? { files, reason: 'answered' }
    : { files: { ...files, session: { ...session, ...decided.flow } }, reason: decided.reason }
}

function carriedOf(question: Question): Carried {
  const from = question.todoId
    ? 'todo'
    : question.category === 'ci'
      ? 'ci'
      : question.immediate
        ? 'blocker'
        : question.stage === 'pr_review'
          ? 'pr_review'
          : 'answer'
  return { from, text: decisionText(question) }
}

function redactAll(value: string | string[]): string | string[] {
  return typeof value === 'string' ? redact(value) : value.map(redact)
}

/** Findings, comments and issues that an answer was about are dealt with. */
function settle(files: FeatureFiles, accepted: ReadonlyMap<string, unknown>, at: string): FeatureFiles {
  const isSettled = (id: string | null) => id !== null && accepted.has(id)
  const answeredTodos = new Map(
    files.questions.questions.flatMap((one) =>
      one.todoId && accepted.has(one.id) ? [[one.todoId, decisionText(one)]] : [],
    ),
  )
  return {
    ...files,
    reviews: {
      ...files.reviews,
      iterations: files.reviews.iterations.map((iteration) => {
        const findings = iteration.findings.map((one) => (isSettled(one.questionId) ? { ...one, resolved: true } : one))
        return { ...iteration, findings, userApproved: findings.every(({ resolved }) => resolved) }
      }),
    },
    pr: {
      ...files.pr,
      reviews: files.pr.reviews.map((review) => {
        const issuesFound = review.issuesFound.map((one) =>
          isSettled(one.questionId) ? { ...one, resolved: true } : one,
        )
        return { ...review, issuesFound, allResolved: issuesFound.every(({ resolved }) => resolved) }
      }),
    },
    todos: {
      ...files.todos,
      items: files.todos.items.map((item) =>
        answeredTodos.has(item.id)
          ? {
              ...item,
              status: 'decided' as const,
              selectedOption: answeredTodos.get(item.id)!.split('\nDecision: ').at(-1)!,
              resolvedAt: at,
            }
          : item,
      ),
    },
  }
}

/** A person wants to decide about it after all. */
export async function restore(_: Engine, feature: Feature, questionId: string): Promise<CommandRefusal | undefined> {
  let isFound = false
  await feature.update((files) => {
    isFound = files.questions.questions.some(({ id, state }) => id === questionId && state === 'filtered')
    if (!isFound) return undefined
    const after = changeQuestions(files, (one) => (one.id === questionId ? { ...one, state: 'open' as const } : one))
    // What waits for a click waits for the answer now; what runs is not disturbed.
    const session =
      after.session.currentStage === 2 && after.session.task === null
        ? { ...after.session, isClean: false }
        : after.session
    return {
      files: { ...after, session },
      events: [
        { type: 'question.restored', questionId },
        ...askedEvents(files.questions.questions, after.questions.questions),
      ],
    }
  })
  return isFound
    ? undefined
    : refusal('question_not_found', 'There is no such filtered question.', 'List the questions with `all`.')
}

export async function comment(
  engine: Engine,
  feature: Feature,
  hash: string,
  comments: readonly PlanComment[],
  by: string | null = null,
): Promise<CommandRefusal | undefined> {
  const lines = comments.map(({ stepId, quote, text }) => {
    const about = [stepId ? `step ${stepId}` : 'the plan', ...(quote ? [`"${quote}"`] : [])].join(', ')
    return `- About ${about}: ${text}`
  })
  const carried: Carried[] = [{ from: 'change_request', text: redact(lines.join('\n')) }]
  const kept = comments.map((one) => ({ ...one, text: redact(one.text) }))
  const no = await feature.happen({ type: 'comment', hash, carried }, (files) => ({
    files: withdraw(files),
    events: [{ type: 'plan.commented', planId: planId(files.session), comments: kept, ...named(by) }],
  }))
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

/** What was open loses its ground with the plan it was about. */
function withdraw(files: FeatureFiles): FeatureFiles {
  return changeQuestions(files, (one) =>
    one.state === 'open' || one.state === 'validating' ? { ...one, state: 'withdrawn' } : one,
  )
}

export async function approve(
  engine: Engine,
  feature: Feature,
  hash: string,
  signOff: boolean,
  by: string | null = null,
): Promise<CommandRefusal | undefined> {
  const { questions } = feature.files.questions
  const open = questions.filter(({ state }) => state === 'open' || state === 'validating').length
  const event = { type: 'approve', hash, signOff, open, next: next(feature), at: feature.now(), ...named(by) } as const
  const no = await feature.happen(event, (files) => ({
    files: { ...files, plan: files.plan && { ...files.plan, isApproved: true } },
  }))
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

export async function startWhenClean(
  _: Engine,
  feature: Feature,
  hash: string,
  given: boolean,
): Promise<CommandRefusal | undefined> {
  const no = await feature.happen({ type: 'consent', hash, given, next: next(feature), at: feature.now() })
  return no && refused(no)
}

function next({ files }: Feature): string | null {
  return files.plan ? (nextStep(files.plan)?.id ?? null) : null
}

export async function final(
  engine: Engine,
  feature: Feature,
  action: 'merge' | 'plan_changes' | 're_review',
  feedback: string,
  by: string | null = null,
): Promise<CommandRefusal | undefined> {
  const words = redact(feedback)
  const no = await feature.happen({ type: 'final', action, feedback: words }, () => ({
    events: [{ type: 'final.decided', action, feedback: words, ...named(by) }],
  }))
  if (no) return refused(no)
  if (action === 'merge') {
    await engine.world.remember(feature.files).catch((err: unknown) => {
      engine.world.log.warn({ err, feature: feature.key }, 'the finished feature was not kept as a memory')
    })
  }
  return undefined
}

/** Resets what the choice is about, and lets the session go on. */
export async function choose(
  engine: Engine,
  feature: Feature,
  choice: HoldChoice,
  text: string,
): Promise<CommandRefusal | undefined> {
  const kind = feature.session.hold?.kind
  if (choice === 'rollback' && kind) {
    const done = await rollback(engine, feature)
    return 'code' in done ? done : undefined
  }
  if (choice === 'stash_and_start' && kind === 'expired') {
    const { baseCommitSha, id } = feature.session
    const saved = await engine.world.repository.rollback(placeOf(feature), baseCommitSha, `${id}/expired`)
    if (!saved.ok) return refusal('repository_trouble', saved.message, 'Nothing was changed. Look at the worktree.')
  }
  const isFresh = choice === 'fresh_with_changes' || choice === 'stash_and_start'
  const no = await feature.happen({ type: 'choose', choice, text: redact(text) }, (files) => {
    const isBreaker = kind === 'breaker_open' || kind === 'breaker_half_open'
    const { settings } = files.session
    const chosen: FeatureFiles = {
      ...files,
      ...(isBreaker && choice !== 'pause' && closedBreaker(files, feature.now())),
      session: {
        ...files.session,
        ...(choice === 'override' && { settings: { ...settings, maxCallsPerHour: 100_000 } }),
        ...(kind === 'budget' && choice === 'continue' && { settings: { ...settings, tokenBudget: null } }),
        ...(choice === 'close' && { archivedAt: feature.now() }),
      },
    }
    return { files: isFresh ? fresh(chosen) : chosen }
  })
  return no && refused(no)
}

/** The conversation is lost: another one begins at the first stage, and is told what has been changed. */
function fresh(files: FeatureFiles): FeatureFiles {
  const { session } = withdraw(files)
  return {
    ...withdraw(files),
    session: {
      ...session,
      status: 'active',
      currentStage: 1,
      task: { type: 'discover' },
      claudeSessionId: null,
      continues: session.id,
      parked: null,
      carried: [],
      approval: null,
      startWhenClean: null,
      isClean: false,
    },
  }
}

function closedBreaker(files: FeatureFiles, timestamp: string): Pick<FeatureFiles, 'status' | 'breaker'> {
  const from = files.status.circuitBreakerState
  const { breaker, context } = resetBreaker({ ...files.status, state: from })
  const { state: circuitBreakerState, ...counts } = breaker
  const transition = {
    timestamp,
    from,
    to: circuitBreakerState,
    trigger: 'user_intervention',
    spawnCount: files.status.claudeSpawnCount,
    context,
  }
  return {
    status: { ...files.status, ...counts, circuitBreakerState },
    breaker: { transitions: [...files.breaker.transitions, transition] },
  }
}

/** Saves everything under a hidden ref, then puts the branch back. */
export async function rollback(
  engine: Engine,
  feature: Feature,
): Promise<{ savedAs: string; restore: string } | CommandRefusal> {
  const { session } = feature
  if (session.status === 'rolled_back' || session.status === 'completed' || session.baseCommitSha === '') {
    return refused('not_possible_now')
  }
  if (session.status === 'active') await feature.happen({ type: 'pause' })
  await engine.stop(feature)
  const done = await engine.world.repository.rollback(placeOf(feature), session.baseCommitSha, `${session.id}/rollback`)
  if (!done.ok) {
    return refusal(
      'repository_trouble',
      [done.message, done.detail].filter(Boolean).join('\n'),
      'Nothing was changed. Resolve it in the worktree, and try again.',
    )
  }
  await feature.happen({ type: 'rolled_back' }, (files) => ({ files: withdraw(files) }))
  return done.value
}

/** Archived, deleted, or back again: flags, and nothing is removed. */
export async function mark(
  engine: Engine,
  feature: Feature,
  flag: 'archivedAt' | 'deletedAt',
  isSet: boolean,
): Promise<CommandRefusal | undefined> {
  const at = isSet ? feature.now() : null
  if (flag === 'deletedAt' && isSet && feature.session.status === 'active') {
    await feature.happen({ type: 'pause' })
    await engine.stop(feature)
  }
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, [flag]: at } },
    events: [
      { type: 'session.changed', status: files.session.status, reason: `${flag}:${isSet}`, hold: files.session.hold },
    ],
  }))
  return undefined
}

import { redact } from '#core/redact/redact.ts'
import { refusal } from '#core/refusal.ts'
import { decide } from '#core/workflow/decide.ts'
import type { Carried } from '#core/workflow/flow.ts'
import { decisionText, readAnswer, released } from '#core/workflow/questions.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { announce } from '../announce.ts'
import type { Engine } from '../engine.ts'
import type { Feature } from '../feature.ts'
import { askedEvents, changeQuestions } from '../new-questions.ts'
import type { CommandRefusal } from './refused.ts'
import { named, type Sender } from './sender.ts'

export interface GivenAnswer {
  questionId: string
  value: string | string[]
  text?: string | undefined
}

/** Answers questions; all answers are taken, or none. The last open one lets the session go on. */
export async function answer(
  engine: Engine,
  feature: Feature,
  given: readonly GivenAnswer[],
  sender: Sender = {},
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
          questions.some(({ id }) => id === questionId)
            ? 'The question can no longer be answered: it was answered, or the plan has changed since.'
            : `There is no question ${questionId}.`,
          'Read the questions that are open now.',
        )
        return undefined
      }
      const read = readAnswer(question, { value, text })
      if (typeof read === 'string') {
        no = refusal('answer_not_offered', read, 'Answer with one of the options, or in your own words as `text`.')
        return undefined
      }
      const kept = { value: redactAll(read.value), text: read.text && redact(read.text), ...named(sender) }
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
    return { files: after, events: [...events, ...announce(files, after, reason)], request: sender.request }
  })
  if (isCut) await engine.stop(feature)
  return no
}

/** Where the answers go once nothing is open: to the parked call, or into running work as a change request. */
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

/** Reopens a question that validation had filtered out. */
export async function restore(
  _: Engine,
  feature: Feature,
  questionId: string,
  request?: string,
): Promise<CommandRefusal | undefined> {
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
      request,
    }
  })
  return isFound
    ? undefined
    : refusal('question_not_found', 'There is no such filtered question.', 'List the questions with `all`.')
}

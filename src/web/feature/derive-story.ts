import { STAGE_TITLES, STAGES } from '#core/workflow/stage.ts'
import type { EventRecord, WorkflowEvent } from '#protocol/workflow/events.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { toneOf } from '../features/derive-features.ts'
import { capital } from '../ui/format.ts'
import type { Shape } from '../ui/mark.tsx'

/** One line of the story: when, what, what it cost. */
export interface StoryLine {
  id: string
  type: WorkflowEvent['type']
  at: number
  shape: Shape
  text: string
  costUsd?: number
  /** A question that was filtered and can be brought back. */
  restores?: string
}

type Asked = Pick<Question, 'id' | 'questionText' | 'options'>

/** The events that a person wants to read, newest first, as sentences. Answers are told with the questions they belong to. */
export function storyLines(events: EventRecord[], questions: Asked[] = []): StoryLine[] {
  const asked = new Map(questions.map((question) => [question.id, question]))
  const lines: StoryLine[] = []
  for (const { id, payload, createdAt } of events) {
    const last = lines.at(-1)
    // That a turn ended is no news beside what it brought: only its cost is told, there.
    if (payload.type === 'agent.ended' && payload.how === 'done' && last && BRINGS.has(last.type)) {
      lines[lines.length - 1] = { ...last, costUsd: (last.costUsd ?? 0) + payload.costUsd }
      continue
    }
    // That a person completed it says that it is complete.
    const isMarked = payload.type === 'session.changed' && payload.reason in MARKED
    const isComplete = payload.type === 'session.changed' && payload.status === 'completed' && !isMarked
    if (isComplete && last?.type === 'final.decided') continue
    const told = sentence(payload, asked)
    if (!told) continue
    // The breaker and the stop it leads to say the same words.
    if (payload.type === 'session.changed' && last?.type === 'breaker.changed' && last.text.endsWith(told.text))
      lines.pop()
    lines.push({ id, type: payload.type, at: Date.parse(createdAt), ...told })
  }
  return lines.reverse()
}

/** What a turn of Claude brings, as the line just before its end. */
const BRINGS: ReadonlySet<WorkflowEvent['type']> = new Set([
  'questions.batch',
  'question.filtered',
  'plan.created',
  'stage_transition',
  'review.findings',
  'review.iteration_complete',
  'execution.step_completed',
  'pr.created',
  'pr.issue_found',
  'agent.ended',
])

const ENDS: Record<string, string> = {
  done: 'Claude’s turn ended',
  deferred: 'Claude’s turn ended: it waits for an answer',
  interrupted: 'Claude was interrupted',
  'timed-out': 'Claude was stopped: it took too long',
  limit: 'Claude’s turn ended: the usage limit',
  auth: 'Claude’s turn ended: it is not logged in',
  billing: 'Claude’s turn ended: its account cannot pay',
  failed: 'Claude’s turn failed',
}

const STATUS: Record<string, string> = {
  active: 'Goes on',
  paused: 'Paused',
  interrupted: 'Interrupted',
  expired: 'Expired',
  completed: 'The feature is complete',
  rolled_back: 'Rolled back',
  error: 'Stopped by an error',
  corrupted: 'The state on disk is damaged',
}

/** By the reason of the event: its status and what it waits for are as they were. */
const MARKED: Record<string, Told> = {
  'archivedAt:true': { shape: 'open', text: 'Archived' },
  'archivedAt:false': { shape: 'turn', text: 'Brought back to the list' },
  'deletedAt:true': { shape: 'open', text: 'Deleted from the list' },
  'deletedAt:false': { shape: 'turn', text: 'Brought back to the list' },
}

const STATUS_SHAPES: Record<string, Shape> = {
  paused: 'paused',
  expired: 'expired',
  completed: 'done',
  rolled_back: 'back',
}

const FINAL = {
  merge: 'completed the feature',
  plan_changes: 'wants the plan changed',
  re_review: 'wants another review',
}

type Told = Omit<StoryLine, 'id' | 'type' | 'at'>

function sentence(event: WorkflowEvent, asked: ReadonlyMap<string, Asked>): Told | undefined {
  switch (event.type) {
    case 'session.created':
      return { shape: 'open', text: 'The session began' }
    case 'stage_transition':
      return {
        shape: 'done',
        text: `${STAGE_TITLES[STAGES[event.from - 1]!]} → ${STAGE_TITLES[STAGES[event.to - 1]!]}: ${event.reason.replaceAll('_', ' ').replace(/^pr\b/, 'pull request')}`,
      }
    case 'questions.batch':
      return {
        shape: 'open',
        text: `${count(event.questionIds.length, 'question')} for you${event.filtered > 0 ? `, ${event.filtered} set aside` : ''}`,
      }
    case 'question.answered':
      return {
        shape: 'done',
        text: `${event.answer.by ?? 'You'} answered${answered(event, asked.get(event.questionId))}`,
      }
    case 'plan.commented':
      return {
        shape: 'turn',
        text: `${event.by ?? 'You'} asked for changes: ${event.comments.map(({ text }) => text).join(' · ')}`,
      }
    case 'plan.review_asked':
      return { shape: 'open', text: `${event.by ?? 'You'} asked ${event.of} to look at the plan` }
    case 'plan.review_given':
      return {
        shape: event.verdict === 'fine' ? 'done' : 'turn',
        text: `${event.by} ${event.verdict === 'fine' ? 'finds the plan fine' : 'wants changes'}${event.comments > 0 ? `, with ${count(event.comments, 'comment')}` : ''}${event.text && `: ${event.text}`}`,
      }
    case 'final.decided':
      return {
        shape: event.action === 'merge' ? 'done' : 'back',
        text: `${event.by ?? 'You'} ${FINAL[event.action]}${event.feedback && `: ${event.feedback}`}`,
      }
    case 'question.filtered':
      return { shape: 'open', text: `A concern was set aside: ${event.reason}`, restores: event.questionId }
    case 'question.restored':
      return { shape: 'back', text: 'A concern that was set aside was brought back' }
    case 'plan.created':
      return { shape: 'done', text: `Plan v${event.version}: ${count(event.steps.length, 'step')}` }
    case 'plan.approved':
      return {
        shape: 'done',
        text: `${event.by ?? 'You'} approved the plan${event.signedOff ? ', with a sign-off' : ''}`,
      }
    case 'review.findings':
      return {
        shape: 'turn',
        text: `Review ${event.iteration} found ${count(event.issues.length, 'issue')}: ${byCategory(event.issues)}`,
      }
    case 'review.iteration_complete':
      return event.outcome === 'clean' ? { shape: 'done', text: `Review ${event.iteration} found nothing` } : undefined
    case 'execution.step_started':
      return { shape: 'open', text: `Step ${event.stepId} begins: ${event.title} (${event.position} of ${event.of})` }
    case 'execution.step_completed':
      return {
        shape: 'done',
        text: `Step ${event.stepId} complete: ${event.summary || count(event.files.length, 'file')}`,
      }
    case 'execution.paused_blocker':
      return { shape: 'wrong', text: `Blocker: ${event.blocker.questionText}` }
    case 'execution.resumed':
      return { shape: 'open', text: `The work goes on: ${event.reason}` }
    case 'execution.denied':
      return { shape: 'refused', text: `Refused: ${event.message}` }
    case 'check.finished':
      return {
        shape: event.run.result === 'passed' ? 'done' : 'wrong',
        text: `${capital(event.run.kind)} ${event.run.result.replaceAll('-', ' ')}: ${event.run.command.join(' ')}`,
      }
    case 'todo.collected':
      return { shape: 'open', text: `${event.item.type.toUpperCase()} collected: ${event.item.description}` }
    case 'todo.replanning_triggered':
      return {
        shape: 'back',
        text: `${count(event.collectedItems.length, 'collected comment')} went to the plan review`,
      }
    case 'pr.created':
      return {
        shape: 'done',
        text: `Pull request ${event.prNumber ? `#${event.prNumber} ` : ''}${event.updated ? 'updated' : 'opened'}: ${event.title}`,
      }
    case 'pr.issue_found':
      return {
        shape: event.severity === 'critical' ? 'wrong' : 'turn',
        text: `PR review, ${event.severity}: ${event.issue}`,
      }
    case 'pr.replanning_triggered':
      return { shape: 'back', text: 'Decisions about the pull request went to the plan review' }
    case 'pr.approved':
      return { shape: 'done', text: 'The pull request is clear' }
    case 'pr.merged':
      return { shape: 'done', text: `The pull request was ${event.state}` }
    case 'ci.all_passed':
      return { shape: 'done', text: `CI passed, ${count(event.checksCompleted, 'check')}` }
    case 'ci.failed':
      return { shape: 'wrong', text: `CI failed: ${event.failedChecks.join(', ')}` }
    case 'session.changed':
      if (MARKED[event.reason]) return MARKED[event.reason]
      return {
        shape: event.hold
          ? toneOf({ kind: 'hold', hold: event.hold.kind }) === 'wait'
            ? 'waits'
            : 'wrong'
          : (STATUS_SHAPES[event.status] ?? 'turn'),
        text: event.hold?.message ?? STATUS[event.status] ?? `Now ${event.status.replaceAll('_', ' ')}`,
      }
    case 'breaker.changed':
      return {
        shape: event.to === 'CLOSED' ? 'done' : 'wrong',
        text: `Circuit breaker ${event.to.toLowerCase().replaceAll('_', ' ')}: ${event.context || event.trigger.replaceAll('_', ' ')}`,
      }
    case 'agent.ended':
      return { shape: 'open', text: ENDS[event.how] ?? `Claude ended: ${event.how}`, costUsd: event.costUsd }
    case 'agent.context':
      return {
        shape: 'open',
        text: event.compacted
          ? 'The context was compacted'
          : `The window is ${Math.round((event.contextTokens / event.window) * 100)} % full`,
      }
    case 'agent.warning':
      return { shape: 'turn', text: event.message }
    case 'memory.given':
      return {
        shape: 'open',
        text: `${count(event.titles.length, 'memory', 'memories')} given to Claude: ${event.titles.map(brief).join('; ')}`,
      }
    default:
      return undefined
  }
}

/** `: Yes` or ` “Which one?”: This one`: the options by their names, and what was said in own words. */
function answered(
  { answer }: Extract<WorkflowEvent, { type: 'question.answered' }>,
  question: Asked | undefined,
): string {
  const named = (value: string) => question?.options.find((option) => option.value === value)?.label ?? value
  const chosen = [answer.value].flat().filter(Boolean).map(named).join(', ')
  const said = [chosen, answer.text].filter(Boolean).join('; ')
  return `${question ? ` “${question.questionText}”` : ''}: ${said}`
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** A title among others: of a long one its beginning. */
function brief(title: string): string {
  return title.length > 60 ? `${title.slice(0, 60).trimEnd()}…` : title
}

function byCategory(issues: { category: string }[]): string {
  const counts = new Map<string, number>()
  for (const { category } of issues) counts.set(category, (counts.get(category) ?? 0) + 1)
  return [...counts].map(([category, number]) => `${number} ${category.replaceAll('_', ' ')}`).join(', ')
}

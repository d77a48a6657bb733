import { STAGE_TITLES, stageName } from '#core/workflow/stage.ts'
import type { LiveEvent } from '#protocol/live.ts'

/** The desktop notification for an event, in one line; most events have none. */
export function noticeOf(event: LiveEvent): string | undefined {
  switch (event.type) {
    case 'stage_transition':
      return `Now in stage ${event.to}: ${STAGE_TITLES[stageName(event.to)]}`
    case 'questions.batch':
      return event.questionIds.length === 1
        ? 'A question waits for you'
        : `${event.questionIds.length} questions wait for you`
    case 'execution.paused_blocker':
      return `A blocker: ${event.blocker.questionText}`
    case 'review.iteration_complete':
      return `Review ${event.iteration} of ${event.recommended} is done`
    case 'pr.created':
      if (event.prNumber === '') return undefined
      return `Pull request #${event.prNumber} ${event.updated ? 'is up to date' : 'is open'}: ${event.title}`
    case 'pr.merged':
      return `Pull request #${event.prNumber} is ${event.state}`
    case 'session.changed':
      // What a person puts aside, or brings back, waits for nothing new.
      return /^(archived|deleted)At:/.test(event.reason) ? undefined : event.hold?.message
    case 'agent.context':
      return event.compacted
        ? undefined
        : `The context window is ${Math.round((100 * event.contextTokens) / event.window)} % full`
    case 'agent.warning':
      return event.message
    default:
      return undefined
  }
}

import type { LiveEvent } from '#protocol/live.ts'
import type { Noun } from './client.ts'

/** The beginning of the keys of all queries that an event makes stale. */
export type Touched = readonly [Noun, ...unknown[]]

/** What must be read anew after an event. What an event says in full is not here: `patch.ts` writes it into the cache. */
export function touched(event: LiveEvent): Touched[] {
  switch (event.type) {
    case 'tokens':
      return []
    case 'approval:asked':
    case 'approval:answered':
      return [['approvals'], ['agents', 'list'], agent(event.sessionId)]
    case 'client:finding':
      return [['canary']]
    case 'task:finished':
      return [['agents', 'list'], ['agents', 'finished'], agent(event.sessionId), ['memories']]
    case 'intent:selected':
      return [['intents'], agent(event.sessionId)]
    case 'guard:denied':
    case 'guard:violation':
      return [['trace'], agent(event.sessionId)]
    case 'output.line':
    case 'output.part':
      return []
    case 'inbox.changed':
      return [['inbox'], ['agents', 'list']]
    default:
      if ('featureId' in event) return feature(event)
      return 'sessionId' in event && event.sessionId !== undefined ? [['agents', 'list'], agent(event.sessionId)] : []
  }
}

/** Events of a feature session carry no state: plan, questions and reviews are read anew. */
function feature({ projectId, featureId }: { projectId: string; featureId: string }): Touched[] {
  const params = { projectId, featureId }
  return [
    ['sessions', 'list'],
    ['inbox'],
    ['sessions', 'show', { params }],
    ['sessionPlans', 'versions', { params }],
    ['sessionPlans', 'diff'],
    ['sessionRecords', 'events', { params }],
    ['sessionRecords', 'diff'],
  ]
}

function agent(sessionId: string): Touched {
  return ['agents', 'show', { params: { sessionId } }]
}

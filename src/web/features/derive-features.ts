import type { HoldKind } from '#core/workflow/hold.ts'
import type { SessionSummary, Waiting } from '#protocol/api/sessions.ts'
import type { Shape, Tone } from '../ui/mark.tsx'

export type Filter = 'all' | 'active' | 'completed' | 'expired' | 'archived'
export type Sort = 'activity' | 'created' | 'stage'

/** How a feature stands, as a shape and a word. */
export interface Standing {
  shape: Shape
  tone: Tone
  word: string
}

/** What stops it first, then whether it works, then how it rests. */
export function standing({
  status,
  waiting,
  executing,
  archived = false,
}: Pick<SessionSummary, 'status' | 'waiting' | 'executing'> & { archived?: boolean }): Standing {
  if (archived) return { shape: 'open', tone: 'rest', word: 'Archived' }
  switch (status) {
    case 'completed':
      return { shape: 'done', tone: 'rest', word: 'Completed' }
    case 'rolled_back':
      return { shape: 'back', tone: 'rest', word: 'Rolled back' }
    case 'corrupted':
      return { shape: 'wrong', tone: 'wrong', word: 'Damaged' }
    case 'expired':
      return { shape: 'expired', tone: 'rest', word: 'Expired' }
    case 'error':
      return { shape: 'wrong', tone: 'wrong', word: 'Error' }
    case 'interrupted':
      return { shape: 'wrong', tone: 'wrong', word: 'Interrupted' }
  }
  const first = waiting[0]
  if (first)
    return {
      shape: toneOf(first) === 'wrong' ? 'wrong' : 'waits',
      tone: toneOf(first),
      word: waitingWord(first),
    }
  if (status === 'paused') return { shape: 'paused', tone: 'rest', word: 'Paused' }
  return executing
    ? { shape: 'works', tone: 'go', word: 'Working' }
    : { shape: 'works', tone: 'go', word: 'Getting ready' }
}

/** Only what runs has a turn to wait for. */
export function pauseWords({ executing }: Pick<SessionSummary, 'executing'>): string {
  return executing ? 'Pause after this turn' : 'Pause'
}

/** What is deleted from the list rests: work on it is stopped first. */
export function deleteWords({ executing }: Pick<SessionSummary, 'executing'>): string {
  return executing ? 'Stop Claude and delete from the list' : 'Delete from the list'
}

/** Nothing went wrong: it asks whether work may leave the machine, or a limit does what it is there for. */
const PLANNED: ReadonlySet<Waiting['hold']> = new Set(['push_consent', 'usage_limit', 'hourly_limit', 'budget'])

/** A hold is trouble, but for those that were to be expected. */
export function toneOf({ kind, hold }: Pick<Waiting, 'kind' | 'hold'>): 'wait' | 'wrong' {
  return kind === 'hold' && !PLANNED.has(hold) ? 'wrong' : 'wait'
}

/** What a hold is about, in a word or two. */
export const HOLD_WORDS: Record<HoldKind, string> = {
  hourly_limit: 'Hourly limit',
  usage_limit: 'Usage limit',
  budget: 'Token budget',
  breaker_half_open: 'No progress',
  breaker_open: 'Stuck',
  checks_failed: 'Checks fail',
  timed_out: 'Timed out',
  agent_failed: 'Claude failed',
  unparsed: 'Not understood',
  setup_failed: 'Setup failed',
  branch_exists: 'Branch exists',
  repository_failed: 'Git failed',
  rebase_conflict: 'Conflict',
  push_consent: 'Ready to push',
  gh_login: 'GitHub login',
  pr_failed: 'Pull request failed',
  interrupted: 'Interrupted',
  expired: 'Expired',
}

function waitingWord({ kind, count, hold }: Waiting): string {
  switch (kind) {
    case 'questions':
      return count === 1 ? '1 question' : `${count} questions`
    case 'plan_approval':
      return 'Plan approval'
    case 'plan_review':
      return 'Your review'
    case 'final_approval':
      return 'Final approval'
    case 'hold':
      return hold ? HOLD_WORDS[hold] : 'Stopped'
  }
}

/** Of the six parts of a miniature: what each says. */
export type Part = 'done' | 'works' | 'waits' | 'wrong' | 'next'

export function miniature(
  summary: Pick<SessionSummary, 'status' | 'waiting' | 'executing' | 'stage'> & { archived?: boolean },
): Part[] {
  const { tone } = standing(summary)
  const current: Part =
    summary.status === 'completed'
      ? 'done'
      : tone === 'wait'
        ? 'waits'
        : tone === 'wrong'
          ? 'wrong'
          : tone === 'go'
            ? 'works'
            : 'done'
  return Array.from({ length: 6 }, (_, index) =>
    index + 1 < summary.stage ? 'done' : index + 1 === summary.stage ? current : 'next',
  )
}

export interface Group {
  title: string
  features: SessionSummary[]
}

/** What waits for a person first, then what runs, then the rest; each in the order that was asked for. */
export function groups(sessions: SessionSummary[]): Group[] {
  const kind = (session: SessionSummary) => {
    const { tone } = standing(session)
    return tone === 'wait' || tone === 'wrong' ? 'Waits for you' : tone === 'go' ? 'Running' : 'Resting'
  }
  return ['Waits for you', 'Running', 'Resting']
    .map((title) => ({ title, features: sessions.filter((session) => kind(session) === title) }))
    .filter(({ features }) => features.length > 0)
}

export function matches(session: SessionSummary, filter: Filter): boolean {
  if (filter === 'archived') return session.archived
  if (session.archived || session.deleted) return false
  if (filter === 'active') return !['completed', 'expired', 'rolled_back'].includes(session.status)
  return filter === 'all' || session.status === filter
}

export function found(session: SessionSummary, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [session.title, session.projectName, session.projectPath, session.branch].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

export function sorted(sessions: SessionSummary[], sort: Sort): SessionSummary[] {
  const by: Record<Sort, (a: SessionSummary, b: SessionSummary) => number> = {
    activity: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
    created: (a, b) => b.createdAt.localeCompare(a.createdAt),
    stage: (a, b) => b.stage - a.stage || b.updatedAt.localeCompare(a.updatedAt),
  }
  return sessions.toSorted(by[sort])
}

export function featurePath(
  { projectId, featureId }: Pick<SessionSummary, 'projectId' | 'featureId'>,
  tab?: string,
): string {
  return `/features/${encodeURIComponent(projectId)}/${encodeURIComponent(featureId)}${tab ? `/${tab}` : ''}`
}

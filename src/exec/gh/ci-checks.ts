import type { CiCheck } from '#core/ports/repository.ts'
import type { GithubCheck } from '#protocol/github.ts'

type State = CiCheck['state']

const CONCLUSIONS: Record<string, State> = {
  SUCCESS: 'passing',
  NEUTRAL: 'skipped',
  SKIPPED: 'skipped',
  STALE: 'pending',
}
const STATES: Record<string, State> = { SUCCESS: 'passing', EXPECTED: 'pending', PENDING: 'pending' }

/** GitHub's checks and other services' reports as one list; of a check that ran again, the last run. */
export function ciChecks(checks: readonly GithubCheck[]): CiCheck[] {
  const newest = new Map<string, CiCheck>()
  for (const check of checks.map(toCheck)) {
    const known = newest.get(check.name)
    if (!known || (check.startedAt ?? '') >= (known.startedAt ?? '')) newest.set(check.name, check)
  }
  return [...newest.values()]
}

function toCheck(check: GithubCheck): CiCheck {
  if (check.__typename === 'StatusContext') {
    const state = STATES[check.state] ?? 'failing'
    return { name: check.context, state, ...optional({ url: check.targetUrl, startedAt: time(check.startedAt) }) }
  }
  const isDone = check.status === 'COMPLETED'
  return {
    name: check.workflowName ? `${check.workflowName} / ${check.name}` : check.name,
    state: isDone ? (CONCLUSIONS[check.conclusion ?? ''] ?? 'failing') : 'pending',
    ...optional({
      url: check.detailsUrl,
      runId: /\/actions\/runs\/(\d+)/.exec(check.detailsUrl)?.[1],
      startedAt: time(check.startedAt),
      completedAt: isDone ? time(check.completedAt) : undefined,
    }),
  }
}

/** GitHub writes a time that has not come yet as the first moment of the calendar. */
function time(text: string): string | undefined {
  return text === '' || text.startsWith('0001') ? undefined : text
}

function optional<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as { [K in keyof T]?: string }
}

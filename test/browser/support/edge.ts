import type { Page, Route } from 'playwright-core'
import { DEFAULT_CRITERIA } from '../../../src/protocol/api/session-form.ts'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import type { OutputLine } from '../../../src/protocol/workflow/output.ts'
import { linesWith } from '../../../src/protocol/workflow/output-text.ts'
import { sampleSession } from '../../../src/workflow/testing/sample.ts'
import { iso } from './edge-features/ago.ts'
import { eventsOf, PATCH } from './edge-features/story.ts'

/** What was sent to the edge, in order. */
export interface Sent {
  method: string
  path: string
  body: Record<string, unknown>
}

interface Options {
  /** How many lines of output there are. */
  lines?: number
  /** How the session stands after a command. */
  after?(sent: Sent, before: SessionSnapshot): SessionSnapshot | undefined
  /** Answers a request with a refusal. */
  refuse?(sent: Sent): { status: number; code: string; message: string; suggestion: string } | undefined
}

/**
 * The feature sessions’ routes, answered at the network’s edge from snapshots: for refusals and faults, for the pictures
 * of the README, and for sizes that no real session reaches.
 */
export async function serveFeatures(
  page: Page,
  sessions: SessionSnapshot[],
  { lines = 240, after, refuse }: Options = {},
): Promise<{ sent: Sent[] }> {
  const known = new Map(sessions.map((one) => [`${one.summary.projectId}/${one.summary.featureId}`, one]))
  const sent: Sent[] = []
  const answer = (route: Route, json: unknown, status = 200) => route.fulfill({ status, json })
  await page.route(/\/api\/inbox/, (route) =>
    answer(route, { waiting: [...known.values()].flatMap(({ summary }) => summary.waiting) }),
  )
  await page.route(/\/api\/sessions/, async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const [, , , ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const method = request.method()
    if (method === 'POST') {
      const told = { method, path: url.pathname, body: (request.postDataJSON() ?? {}) as Record<string, unknown> }
      const refused = refuse?.(told)
      if (refused) return answer(route, { ...refused, status: 'error' }, refused.status)
      if (rest[0] === 'validate-path') return answer(route, pathState(String(told.body.path)))
      if (rest[0] === 'existing-todos')
        return answer(route, {
          blocks: [{ path: 'src/a.ts', line: 3, type: 'TODO', text: 'Say what happens at midnight' }],
          truncated: false,
        })
      sent.push(told)
      if (rest.length === 0) return answer(route, { session: sessions[0] }, 201)
    }
    if (rest.length === 0) {
      const all = [...known.values()].map(({ summary }) => summary)
      return answer(route, { sessions: all, total: all.length })
    }
    if (rest[0] === 'template') return answer(route, TEMPLATE)
    if (rest[0] === 'orphaned-branches')
      return answer(route, {
        branches: [{ projectPath: '/src/billing', name: 'feature/old', lastCommitAt: iso(9_000) }],
      })
    const key = `${rest[0]}/${rest[1]}`
    const snapshot = known.get(key)
    if (!snapshot)
      return answer(
        route,
        {
          status: 'error',
          code: 'session_not_found',
          message: `There is no feature ${rest[1]}.`,
          suggestion: 'GET /api/sessions lists them.',
        },
        404,
      )
    const what = rest.slice(2).join('/')
    if (method === 'POST') {
      const next = after?.(sent.at(-1)!, snapshot) ?? snapshot
      known.set(key, next)
      if (what === 'rollback')
        return answer(route, {
          session: next,
          savedAs: 'refs/grove/saved/1',
          restore: 'git checkout refs/grove/saved/1 -- .',
        })
      return answer(route, { session: next })
    }
    if (what === '') return answer(route, { session: snapshot })
    if (what === 'events') return answer(route, { events: eventsOf(snapshot), last: 40 })
    if (what === 'diff')
      return answer(route, {
        files: [
          { path: 'src/auth/refresh.ts', status: 'modified', added: 3, removed: 1, binary: false },
          { path: 'migrations/0043_families.sql', status: 'added', added: 2, removed: 0, binary: false },
        ],
        patch: PATCH,
        truncated: false,
      })
    if (what === 'output') return answer(route, outputPage(url.searchParams, lines))
    if (what === 'output/found') {
      const all = Array.from({ length: lines }, (_, index) => outputLine(index + 1))
      return answer(route, { numbers: linesWith(all, url.searchParams.get('words')!), last: lines })
    }
    if (what === 'plan/versions')
      return answer(route, {
        versions: [3, 2, 1].map((version) => ({
          version,
          hash: `h${version}`,
          steps: 9,
          reason: ['The first proposal', 'Three answers', 'Two answers and one comment'][version - 1],
          isApproved: false,
          createdAt: iso(40 - version * 10),
        })),
      })
    if (what === 'plan/diff') {
      const steps = snapshot.plan?.steps ?? []
      return answer(route, {
        from: 2,
        to: 3,
        changes: [
          { stepId: '2.1', change: 'added', before: null, after: steps[2], fields: [] },
          {
            stepId: '2',
            change: 'changed',
            before: steps[1],
            after: steps[1],
            fields: [
              { field: 'description', before: 'A family has many live tokens.', after: 'A family has one live token.' },
            ],
          },
        ],
      })
    }
    return answer(route, { status: 'error', code: 'not_found', message: `Nothing at ${what}`, suggestion: '' }, 404)
  })
  return { sent }
}

/** Lines of output that look like a real session's. */
export function outputLine(number: number): OutputLine {
  const kinds: OutputLine['kind'][] = ['text', 'tool', 'result']
  const kind = kinds[number % 3]!
  const text = {
    text: `Now I look at how the families are kept (${number}).`,
    tool: `npm test -- refresh --run ${number}`,
    result:
      number % 50 === 2
        ? `Error: expected 2 families, got 1 (line ${number})`
        : ` ✓ refresh.test.ts  ${number % 7} tests`,
  }[kind as 'text' | 'tool' | 'result']
  return { number, at: iso(1), spawnId: 's1', kind, text, ...(kind === 'tool' && { tool: 'Bash' }) }
}

function outputPage(query: URLSearchParams, total: number) {
  const limit = Number(query.get('limit') ?? 200)
  const before = query.get('before')
  const last =
    before === null ? Math.min(total, Number(query.get('after') ?? 0) + limit) : Math.min(total, Number(before) - 1)
  const first = before === null ? Number(query.get('after') ?? 0) + 1 : Math.max(1, last - limit + 1)
  const isTalk = query.get('view') === 'talk'
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => outputLine(first + index)).filter(
    ({ kind }) => !isTalk || kind === 'text',
  )
  return { lines, first: lines[0]?.number ?? 0, last: lines.at(-1)?.number ?? 0 }
}

const TEMPLATE = {
  criteria: DEFAULT_CRITERIA,
  settings: sampleSession().settings,
  mode: 'worktree',
  baseBranch: 'main',
  branchPattern: 'feature/{slug}',
  client: { version: '2.1.325', supported: true, problem: null },
}

function pathState(path: string) {
  const ok = path === '/src/billing'
  return {
    path,
    ok,
    code: ok ? null : 'not_found',
    message: ok ? '' : 'Project path does not exist',
    remedy: ok ? '' : 'Did you mean /src/billing?',
    projectId: ok ? 'p-billing' : null,
    name: ok ? 'billing' : null,
    defaultBranch: 'main',
    currentBranch: 'main',
    branches: ['main', 'next'],
    dirty: ok,
    hasRemote: true,
    pullRequests: true,
    pullRequestProblem: null,
    untrackedHelpers: ['.env.local'],
    activeInPlace: null,
  }
}

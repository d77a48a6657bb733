import { expect, it } from 'vitest'
import type { Waiting } from '#protocol/api/sessions.ts'
import { inboxText } from './inbox-text.ts'

const plain = { paint: { yellow: String, dim: String } } as never
const NOW = Date.parse('2026-11-20T02:00:00.000Z')

const waits = (more: Partial<Waiting>): Waiting => ({
  projectId: 'shop',
  featureId: 'add-login',
  sessionTitle: 'Add login',
  kind: 'plan_approval',
  title: 'The plan waits for you.',
  detail: '',
  count: 0,
  choices: [],
  since: '2026-11-20T01:00:00.000Z',
  until: null,
  ...more,
})

it('lists held calls first and what goes on by itself last, as the page does', () => {
  const until = '2026-11-20T03:00:00.000Z'
  const waiting = [
    waits({ featureId: 'limited', kind: 'hold', since: '2026-11-20T00:00:00.000Z', until }),
    waits({ featureId: 'planned' }),
  ]
  const asked = { id: 'apr-1', kind: 'action', sessionId: 's', root: '/src', intentId: 'INT-1', tool: 'Bash' } as const
  const approvals = [{ ...asked, what: 'Bash: npm run seed', askedAt: NOW - 1000, status: 'pending' as const }]
  expect(inboxText({ approvals, waiting }, plain, NOW).match(/INT-1|planned|limited/g)).toEqual([
    'INT-1',
    'planned',
    'planned',
    'limited',
  ])
})

it('gives lines for both answers to a call and to a plan that one is asked to review', () => {
  const said = inboxText({ approvals: [], waiting: [waits({ kind: 'plan_review' })] }, plain, NOW)
  expect(said).toContain('grove feature review add-login fine\n')
  expect(said).toContain('grove feature review add-login changes "…"')
})

import { expect, it } from 'vitest'
import { type HoldKind, OFFERS } from '#core/workflow/hold.ts'
import { detailBeside, inboxItems, likelyChoice, splitSnoozed } from './derive-inbox.ts'

const approval = (id: string, askedAt: number, more = {}) => ({
  id,
  kind: 'action' as const,
  sessionId: 's',
  root: '/src/shop',
  intentId: 'INT-1',
  tool: 'Write',
  what: `Write ${id}.ts`,
  askedAt,
  status: 'pending' as const,
  ...more,
})
const finding = (subject: string, at: number) => ({
  kind: 'unknown-hook-field' as never,
  subject,
  version: '2.1.400',
  noticed: 'n',
  affected: 'a',
  fallback: 'f',
  at,
})
const waiting = {
  projectId: 'p',
  featureId: 'f',
  sessionTitle: 'Log in',
  kind: 'hold' as const,
  title: 'Stopped',
  detail: '',
  count: 0,
  choices: [],
  since: new Date(50).toISOString(),
  until: null,
}

it('shows the calls of agents first, the oldest on top, then stopped features, then what goes on by itself, and warnings last', () => {
  const items = inboxItems({
    approvals: [approval('b', 200), approval('a', 100)],
    findings: [finding('x', 1)],
    waiting: [
      { ...waiting, title: 'Limit', since: new Date(10).toISOString(), until: new Date(900).toISOString() },
      waiting,
    ],
  })
  expect(items.map(({ title }) => title)).toEqual(['Write a.ts', 'Write b.ts', 'Stopped', 'Limit', 'N'])
})

it('names a blocker and a decision about a pull request as what they are', () => {
  const asked = { ...waiting, kind: 'questions' as const, count: 1 }
  const kinds = [asked, { ...asked, about: 'blocker' as const }, { ...asked, about: 'pull_request' as const }].map(
    (one) => inboxItems({ approvals: [], findings: [], waiting: [one] })[0]!.kind,
  )
  expect(kinds).toEqual(['Question', 'Blocker', 'Pull request'])
})

it('shows trouble as wrong, and a limit or a question whether to push as something that waits', () => {
  const tones = (['checks_failed', 'usage_limit', 'push_consent'] as const).map(
    (hold) => inboxItems({ approvals: [], findings: [], waiting: [{ ...waiting, hold }] })[0]!.tone,
  )
  expect(tones).toEqual(['wrong', 'wait', 'wait'])
})

it('tells a prompt of the client from a request of the guard', () => {
  const items = inboxItems({
    approvals: [approval('a', 1, { kind: 'prompt' }), approval('b', 2)],
    findings: [],
    waiting: [],
  })
  expect(items.map(({ kind }) => kind)).toEqual(['Permission request', 'Guard approval'])
})

it('leaves out what was answered', () => {
  expect(inboxItems({ approvals: [approval('a', 1, { status: 'approved' })], findings: [], waiting: [] })).toEqual([])
})

it('tells the same trouble of a client version once', () => {
  expect(inboxItems({ approvals: [], findings: [finding('x', 2), finding('y', 1)], waiting: [] })).toHaveLength(1)
})

it('brings back what was snoozed when its time is over', () => {
  const items = inboxItems({ approvals: [approval('a', 1)], findings: [], waiting: [] })
  expect(splitSnoozed(items, { 'approval-a': 100 }, 50)).toEqual({ open: [], resting: items })
  expect(splitSnoozed(items, { 'approval-a': 100 }, 101)).toEqual({ open: items, resting: [] })
})

it('offers from the list only what needs no more reading and stays on this machine', () => {
  const offers = (hold: HoldKind) =>
    OFFERS[hold].map(({ choice, label, recommended = false, needsText = false }) => ({
      choice,
      label,
      recommended,
      needsText,
    }))
  const likely = (hold: HoldKind) => likelyChoice({ ...waiting, hold, choices: offers(hold) })?.choice
  expect((['timed_out', 'interrupted', 'usage_limit'] as const).map(likely)).toEqual(['retry', 'resume', 'wait'])
  expect((['push_consent', 'checks_failed', 'rebase_conflict', 'pr_failed', 'budget'] as const).map(likely)).toEqual(
    Array(5).fill(undefined),
  )
})

it('shows a command once, and in full where its name is cut short', () => {
  const beside = (what: string, detail?: string) => detailBeside({ what, ...(detail !== undefined && { detail }) })
  expect(beside('Bash: npm i', '$ npm i\n\nWrites:\n  package.json')).toBe('Writes:\n  package.json')
  expect(beside('Bash: npm i', '$ npm i')).toBe('')
  const lines = '$ npm i\nrm -rf dist'
  expect(beside('Bash: npm i\nrm -rf dist', lines)).toBe(lines)
  expect(beside('Bash: echo ok: npm i', '$ npm i')).toBe('$ npm i')
  const long = `echo ${'a'.repeat(200)}`
  expect(beside(`Bash: ${long}`, `$ ${long}`)).toBe(`$ ${long}`)
  expect(beside('Edit a.ts', '--- a.ts\n+++ a.ts')).toBe('--- a.ts\n+++ a.ts')
  expect(beside('Edit a.ts')).toBe('')
})

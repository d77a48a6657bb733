import type { SessionSnapshot } from '../../../../src/protocol/api/sessions.ts'
import { iso } from './ago.ts'

/** A pull request whose checks fail, and the run that shows it here. */

export const PR: SessionSnapshot['pr'] = {
  version: '1.0',
  sessionId: 'ses',
  ci: 'failing',
  draft: null,
  pullRequest: {
    id: 'pr',
    prNumber: '482',
    prUrl: 'https://github.invalid/billing/pull/482',
    title: 'Rotate refresh tokens on every use',
    body: 'Ends a token family when a token is used twice.\n\n- [ ] Works on phone, tablet and desktop\n- [x] Tests\n\n```ts\nconst family = await families.of(token)\n```\n\n<img src=x onerror=alert(1)>',
    status: 'open',
    headCommit: 'aa11bb22cc33dd44ee55',
    createdAt: iso(30),
    updatedAt: iso(12),
  },
  checks: [
    { name: 'build', state: 'passing', url: 'https://ci.invalid/1', log: null },
    {
      name: 'test (node 20)',
      state: 'failing',
      url: 'https://ci.invalid/2',
      log: 'FAIL test/auth/session.test.ts\n  expected 2 families, got 1\n    at session.test.ts:41',
    },
    { name: 'deploy preview', state: 'skipped', url: null, log: null },
  ],
  reviews: [
    {
      id: 'r1',
      approved: false,
      allResolved: false,
      summary: 'One issue must be resolved.',
      headCommit: 'aa11bb22',
      reviewedAt: iso(12),
      issuesFound: [
        {
          id: 'i1',
          file: 'src/auth/refresh.ts',
          line: 57,
          issue: 'The family is read outside of the transaction',
          severity: 'critical',
          suggestion: 'Read it inside, with a lock.',
          resolved: false,
          questionId: null,
        },
        {
          id: 'i2',
          file: null,
          line: null,
          issue: 'The changelog does not name the new answer',
          severity: 'suggestion',
          suggestion: '',
          resolved: true,
          questionId: null,
        },
      ],
    },
  ],
}

export const RUN: SessionSnapshot['checks'][number] = {
  id: 'run_1',
  kind: 'test',
  command: ['npm', 'test'],
  result: 'failed',
  exitCode: 1,
  output: 'FAIL test/auth/session.test.ts\n  expected 2 families, got 1\n',
  durationMs: 48_000,
  ranAt: iso(4),
  attempt: 1,
}

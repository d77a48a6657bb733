import type { SessionSnapshot } from '../../../../src/protocol/api/sessions.ts'
import { iso } from './ago.ts'

/** What speaks for the criteria, and what reviews have found. */

export const CRITERIA: SessionSnapshot['criteria'] = [
  {
    text: 'A refresh token that is used twice ends its family',
    type: 'automated',
    state: 'passed',
    evidence: 'refresh.test.ts, 6 tests, 14:06',
    runId: 'run_1',
    steps: ['2.1'],
  },
  {
    text: 'Old tests stay green',
    type: 'automated',
    state: 'failed',
    evidence: 'session.test.ts:41 expected 2 families, got 1; fix 1 of 3',
    runId: 'run_1',
    steps: [],
  },
  { text: 'No type errors', type: 'automated', state: 'passed', evidence: 'server run, 11 s', runId: null, steps: [] },
  { text: 'Errors are handled and explained', type: 'review', state: 'open', evidence: '', runId: null, steps: ['3'] },
  {
    text: 'Works on phone, tablet and desktop',
    type: 'manual',
    state: 'for_people',
    evidence: '',
    runId: null,
    steps: [],
  },
]

export const REVIEWS: SessionSnapshot['reviews'] = [5, 3, 1].map((count, index) => ({
  id: `rev_${index + 1}`,
  planVersion: index + 1,
  iterationNumber: index + 1,
  findings: Array.from({ length: count }, (_, at) => ({
    id: `f_${index}_${at}`,
    category: ['security', 'architecture', 'code_quality'][at % 3]!,
    priority: 1 as const,
    issue: 'Reuse of a refresh token within the same second is not told apart from theft',
    impact: 'People on bad connections are signed out',
    resolved: index < 2,
    questionId: null,
  })),
  userApproved: index < 2,
  outcome: 'findings' as const,
  startedAt: iso(40 - index * 10),
  completedAt: iso(36 - index * 10),
}))

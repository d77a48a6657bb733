import { type HoldKind, OFFERS } from '../../../../src/core/workflow/hold.ts'
import type { SessionSnapshot, Waiting } from '../../../../src/protocol/api/sessions.ts'
import { LONG_TITLE } from '../scene.ts'
import { iso } from './ago.ts'
import { PR, RUN } from './pull-request.ts'
import { FOUR_KINDS, question } from './questions.ts'
import { feature, type More } from './session.ts'

type Wait = Omit<Waiting, 'projectId' | 'featureId' | 'sessionTitle'>
const wait = (kind: Waiting['kind'], title: string, more: Partial<Wait> = {}): Waiting => ({
  projectId: '',
  featureId: '',
  sessionTitle: '',
  kind,
  title,
  detail: '',
  count: 0,
  choices: [],
  since: iso(11),
  until: null,
  ...more,
})

function held(kind: HoldKind, message: string, detail: string, untilMinutes?: number): More {
  const choices = OFFERS[kind].map(({ choice, label, recommended, needsText }) => ({
    choice,
    label,
    recommended: recommended === true,
    needsText: needsText === true,
  }))
  const until = untilMinutes === undefined ? null : iso(-untilMinutes)
  return {
    summary: {
      waiting: [wait('hold', message, { detail, choices, until, hold: kind })],
      ...(kind === 'expired' && { status: 'expired' as const }),
      ...(kind === 'interrupted' && { status: 'interrupted' as const }),
    },
    session: { hold: { kind, message, detail, since: iso(11), until } },
  }
}

const REVIEW_ACTIONS: SessionSnapshot['actions'] = [
  'pause',
  'cancel',
  'message',
  'approve',
  'comment',
  'rollback',
  'archive',
  'delete',
]

export const FEATURES = {
  review: feature('rotate-refresh-tokens', 'Rotate refresh tokens on every use', 2, {
    summary: { waiting: [wait('questions', '2 questions', { count: 2 })] },
    questions: FOUR_KINDS.slice(0, 2),
    held: 1,
    filtered: 1,
    actions: REVIEW_ACTIONS,
  }),
  clean: feature('vat-reverse-charge', 'VAT reverse charge for business customers', 2, {
    summary: { waiting: [wait('plan_approval', 'The plan is ready: the last review found nothing.')], reviewCount: 6 },
    session: { isClean: true, reviewCount: 6 },
    actions: REVIEW_ACTIONS,
  }),
  implementing: feature('alarm-debounce', 'Debounce cold-chain sensor alarms', 3, {
    summary: { executing: true, currentStep: '3.1', stageText: 'Implementation (step 6 of 9)' },
    session: { task: { type: 'implement', stepId: '3.1' } },
    checks: [RUN],
  }),
  prReview: feature('pdfa-invoices', 'Invoices as PDF/A with embedded XML', 5, {
    summary: {
      pr: { number: '482', url: 'https://github.invalid/billing/pull/482', state: 'open' },
      replanningCount: 1,
      waiting: [wait('questions', 'The family is read outside of the transaction', { count: 1 })],
    },
    pr: PR,
    questions: [
      question('q9', {
        stage: 'pr_review',
        questionText: 'The family is read outside of the transaction. Fix it now?',
      }),
    ],
    checks: [RUN],
  }),
  usageLimit: feature(
    'carrier-limits',
    'Per-carrier limits on the quote endpoint',
    3,
    held('usage_limit', 'The usage limit is reached.', '', 92),
  ),
  breaker: feature(
    'backfill-carriers',
    'Backfill carrier codes',
    3,
    held(
      'breaker_open',
      'The same error came five times: the type check fails.',
      "src/carriers/backfill.ts:61 'number' is not assignable to 'CarrierCode'",
    ),
  ),
  checksFailed: feature(
    'checks',
    'Label printer driver',
    3,
    held('checks_failed', 'npm test fails after three fixes.', 'FAIL test/print.test.ts\n  expected 2 labels, got 1'),
  ),
  rebase: feature(
    'rebase',
    'Offline scan queue',
    4,
    held(
      'rebase_conflict',
      'main has changed in 2 files that this feature changes too.',
      'CONFLICT (content): src/scan/queue.ts',
    ),
  ),
  expired: feature('offline-scan-queue', LONG_TITLE, 3, held('expired', 'It waited for 26 hours.', '')),
  pushConsent: feature('push', 'Print labels in batches', 4, held('push_consent', 'feature/push has 4 commits.', '')),
}

import { type HoldKind, OFFERS } from '../../../src/core/workflow/hold.ts'
import { type Stage, stageName } from '../../../src/core/workflow/stage.ts'
import type { SessionSnapshot, Waiting } from '../../../src/protocol/api/sessions.ts'
import { SessionSnapshot as Schema } from '../../../src/protocol/api/sessions.ts'
import type { EventRecord, NewWorkflowEvent } from '../../../src/protocol/workflow/events.ts'
import type { PlanStep } from '../../../src/protocol/workflow/plan.ts'
import type { Question } from '../../../src/protocol/workflow/questions.ts'
import { ARABIC, LONG_PATH, LONG_TITLE } from './scene.ts'

/** Feature sessions in every state, as the server would tell of them; each is checked against the declared shape. */

const MINUTE = 60_000
const now = Date.now()
export const iso = (minutesAgo: number) => new Date(now - minutesAgo * MINUTE).toISOString()

type More = Partial<Omit<SessionSnapshot, 'summary' | 'session'>> & {
  summary?: Partial<SessionSnapshot['summary']>
  session?: Partial<SessionSnapshot['session']>
}

export function feature(featureId: string, title: string, stage: Stage, more: More = {}): SessionSnapshot {
  const id = `ses_${featureId}`
  const plan = more.plan === undefined ? (stage >= 2 ? planOf(stage) : null) : more.plan
  const steps = plan?.steps ?? []
  const place = { projectId: 'p-billing', featureId }
  const waiting = (more.summary?.waiting ?? []).map((one) => ({ ...one, ...place, sessionTitle: title }))
  const snapshot: SessionSnapshot = {
    summary: {
      id,
      ...place,
      title,
      projectName: 'billing',
      projectPath: '/src/billing',
      branch: `feature/${featureId}`,
      status: 'active',
      stage,
      stageName: stageName(stage),
      stageText: [
        'Feature discovery',
        'Plan review (3/10)',
        'Implementation',
        'Pull request',
        'Pull request review',
        'Final approval',
      ][stage - 1]!,
      executing: false,
      reviewCount: stage >= 2 ? 3 : 0,
      recommendedReviews: 10,
      replanningCount: 0,
      stepsDone: steps.filter(({ status }) => status === 'completed').length,
      stepsTotal: steps.length,
      currentStep: null,
      pr: null,
      costUsd: costOf(featureId),
      archived: false,
      deleted: false,
      createdAt: iso(120),
      updatedAt: iso(featureId.length * 3 - 8),
      ...more.summary,
      waiting,
    },
    session: {
      version: '1.0',
      id,
      ...place,
      project: { id: 'example.com/billing', name: 'billing' },
      title,
      featureDescription:
        'Refresh tokens live for thirty days today. A stolen one is good for as long, and nobody notices. Rotate them on every use, and end the family when one is used twice.',
      projectPath: '/src/billing',
      acceptanceCriteria: CRITERIA.map(({ text, type }) => ({ text, type, checked: true })),
      affectedFiles: [],
      technicalNotes: '',
      baseBranch: 'main',
      featureBranch: `feature/${featureId}`,
      existingBranch: false,
      baseCommitSha: '4f2a9c1d00aa11bb22cc33dd44ee55ff66aa77bb',
      status: more.summary?.status ?? 'active',
      currentStage: stage,
      replanningCount: 0,
      claudeSessionId: 'b41f7c09-0000-4000-8000-000000000000',
      claudePlanFilePath: null,
      currentPlanVersion: plan?.planVersion ?? 0,
      sessionExpiresAt: null,
      createdAt: iso(120),
      updatedAt: iso(6),
      revision: 7,
      mode: 'worktree',
      folder: `/home/work/.grove/worktrees/${featureId}`,
      settings: {
        autoPush: true,
        deleteBranchAfterMerge: true,
        recommendedReviews: 10,
        expiryHours: 24,
        maxCallsPerHour: 100,
        timeoutMinutes: 15,
        tokenBudget: null,
      },
      commands: { test: ['npm', 'test'] },
      task: null,
      hold: null,
      planHash: plan?.hash ?? '',
      approval: null,
      startWhenClean: null,
      isClean: false,
      reviewCount: stage >= 2 ? 3 : 0,
      recommendedReviews: 10,
      carried: [],
      fixAttempts: 0,
      acceptsFailure: false,
      localReview: false,
      baseUpdate: 'rebase',
      mayPush: true,
      parked: null,
      claudeSessions: [],
      usage: { costUsd: 1.84, inputTokens: 120_000, outputTokens: 9_000, contextTokens: 82_000, window: 200_000 },
      recalled: [{ kind: 'memory', id: 'mem_0', title: 'Why sign-in uses opaque refresh tokens' }],
      continues: null,
      requests: [],
      rolledBack: null,
      archivedAt: null,
      deletedAt: null,
      ...more.session,
    },
    status: {
      version: '1.0',
      sessionId: id,
      timestamp: iso(0),
      currentStage: stage,
      currentStepId: stage === 3 ? '4' : null,
      status: more.summary?.executing ? 'executing' : 'waiting',
      spawnId: null,
      claudeSpawnCount: 9,
      callsThisHour: 12,
      maxCallsPerHour: 100,
      nextHourReset: iso(-20),
      circuitBreakerState: 'CLOSED',
      noChangeSpawns: 0,
      testOnlyInARow: 0,
      lastError: '',
      sameErrorSpawns: 0,
      lastOutputLength: 900,
      exitSignals: { testOnlySpawns: [], completionSignals: [], noProgressSpawns: [] },
      lastAction: 'Edit src/auth/refresh.ts',
      lastActionAt: new Date(now - 4_000).toISOString(),
    },
    progress: {
      version: '1.0',
      sessionId: id,
      isExecuting: more.summary?.executing ?? false,
      startedAt: iso(3),
      elapsedSeconds: 180,
      lastOutputLine: 'npm test -- refresh',
      filesModifiedThisStep: 3,
      testsStatus: 'NOT_RUN',
      estimatedProgress: 62,
    },
    plan,
    questions: [],
    held: 0,
    filtered: 0,
    reviews: stage >= 2 ? REVIEWS : [],
    planReviews: [],
    todos: [],
    pr: { version: '1.0', sessionId: id, pullRequest: null, draft: null, checks: [], ci: 'none', reviews: [] },
    checks: [],
    criteria: CRITERIA,
    actions: ['pause', 'cancel', 'interrupt', 'message', 'rollback', 'archive', 'delete'],
    lastEvent: 40,
    problems: [],
    ...Object.fromEntries(
      Object.entries(more).filter(([key]) => key !== 'summary' && key !== 'session' && key !== 'plan'),
    ),
  }
  return Schema.parse(snapshot)
}

/** Each another, so that a list looks like one. */
function costOf(featureId: string): number {
  const sum = [...featureId].reduce((all, letter) => all + letter.charCodeAt(0), 0)
  return (sum % 430) / 100 + 0.12
}

const CRITERIA: SessionSnapshot['criteria'] = [
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

const REVIEWS: SessionSnapshot['reviews'] = [5, 3, 1].map((count, index) => ({
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

function planOf(stage: Stage): SessionSnapshot['plan'] {
  const done = stage > 3
  const at = (id: string, index: number): PlanStep['status'] =>
    done
      ? 'completed'
      : stage < 3
        ? id === '1'
          ? 'completed'
          : id === '2.1'
            ? 'needs_review'
            : 'pending'
        : index < 5
          ? 'completed'
          : index === 5
            ? 'in_progress'
            : 'approved'
  const steps: [
    id: string,
    parent: string | null,
    title: string,
    description: string,
    complexity: PlanStep['complexity'],
  ][] = [
    ['1', null, 'Create branch and worktree', '', null],
    [
      '2',
      null,
      'Token families in the store',
      'Every refresh token belongs to a family; a family has one live token.',
      'medium',
    ],
    [
      '2.1',
      '2',
      'Detect reuse and revoke the family',
      'Compare the presented hash with the live one inside one transaction.\nAnswer 401 with the code token_reused.',
      'medium',
    ],
    [
      '2.2',
      '2',
      'Migration: refresh_token_family',
      'Adds a nullable column, back-fills in batches of 5,000, then sets it not null.',
      'low',
    ],
    ['3', null, 'Rotate on every use', '', 'medium'],
    ['3.1', '3', 'Issue a new token with each answer', 'Cookie attributes stay as they are.', 'medium'],
    ['3.2', '3', LONG_TITLE, `See ${LONG_PATH}.`, 'high'],
    ['4', null, 'Tests with two tabs and a lost answer', 'Two requests within the same 50 ms.', 'low'],
    ['5', null, ARABIC, '', 'low'],
  ]
  return {
    version: '1.0',
    planVersion: 3,
    sessionId: 'ses',
    isApproved: stage >= 3,
    reviewCount: 3,
    createdAt: iso(10),
    hash: 'hash-v3',
    summary: 'Rotate refresh tokens on every use.',
    reason: 'Two answers and one comment',
    updatedBy: 'agent',
    steps: steps.map(([id, parentId, title, description, complexity], index) => ({
      id,
      uid: `uid_${id}`,
      parentId,
      orderIndex: index,
      title,
      description,
      status: at(id, index),
      dependsOn: [],
      complexity,
      criteria: id === '2.1' ? ['A refresh token that is used twice ends its family'] : [],
      ownedPaths:
        id === '2.1' ? ['src/auth/refresh.ts', 'test/auth/**'] : id.startsWith('3') ? ['src/auth/routes/**'] : [],
      metadata:
        id === '1'
          ? { doneBy: 'grove' }
          : stage >= 3 && index <= 5
            ? {
                startedAt: iso(60 - index * 9),
                ...(index < 5 && { completedAt: iso(53 - index * 9), checkpoint: `refs/grove/${id}` }),
              }
            : {},
    })),
  }
}

export function question(id: string, more: Partial<Question>): Question {
  return {
    id,
    stage: 'review',
    questionType: 'single_choice',
    questionText: 'What happens when a refresh token is used twice?',
    context: 'A reused token means that two parties hold it. The plan (step 2.1) has to say who loses the session.',
    options: [
      {
        value: 'family',
        label: 'Revoke the whole token family',
        description: 'Both the thief and the person are signed out.',
        recommended: true,
      },
      {
        value: 'second',
        label: 'Refuse the second use only',
        description: 'The first holder keeps the session, even if that is the thief.',
        recommended: false,
      },
      {
        value: 'grace',
        label: 'Allow a second use within 10 s',
        description: 'Tolerates lost answers on mobile.',
        recommended: false,
      },
    ],
    answer: null,
    isRequired: true,
    priority: 1,
    category: 'security',
    file: 'src/auth/refresh.ts',
    line: 42,
    immediate: false,
    state: 'open',
    validation: null,
    askedBy: 'tool',
    batch: 'b1',
    todoId: null,
    stepId: '2.1',
    askedAt: iso(6),
    answeredAt: null,
    ...more,
  }
}

/** One of each kind. */
export const FOUR_KINDS: Question[] = [
  question('q1', {}),
  question('q2', {
    questionType: 'multiple_choice',
    priority: 1,
    category: 'architecture',
    file: null,
    line: null,
    questionText: 'Which clients must keep working without an update?',
    context: '',
    options: [
      { value: 'web', label: 'Web', description: '', recommended: true },
      { value: 'new', label: 'Handheld app 3.8 and newer', description: '', recommended: true },
      {
        value: 'old',
        label: 'Handheld app 3.6 and 3.7',
        description: '14 % of the sign-ins of last week.',
        recommended: false,
      },
    ],
  }),
  question('q3', {
    questionType: 'confirmation',
    category: 'integration',
    questionText: 'May the migration lock the table for up to two seconds?',
    context: 'At night there are about 3 sign-ins a second.',
    options: [],
    stepId: '2.2',
  }),
  question('q4', {
    questionType: 'text',
    category: 'wording',
    questionText: 'What should a person read who was signed out by this?',
    context: '',
    options: [],
    isRequired: false,
  }),
]

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

export function held(kind: HoldKind, message: string, detail: string, untilMinutes?: number): More {
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

const PR: SessionSnapshot['pr'] = {
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

const RUN: SessionSnapshot['checks'][number] = {
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
  discovery: feature('split-shipments', 'Split shipments by customs zone', 1, {
    summary: { waiting: [wait('questions', '4 questions', { count: 4 })] },
    questions: FOUR_KINDS.map((one) => ({ ...one, stage: 'discovery' as const, stepId: null })),
    held: 2,
    actions: ['pause', 'cancel', 'message', 'archive'],
  }),
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
  todos: feature('dock-sse', 'Dock schedule over server-sent events', 3, {
    todos: [
      {
        id: 'todo_1',
        type: 'todo',
        filePath: 'src/dock/stream.ts',
        lineNumber: 88,
        rawBlock: '// TODO: …',
        description: 'The load balancer closes idle connections after 60 s',
        impact: 'The plan keeps streams open for 15 minutes.',
        category: 'missing',
        priority: 'high',
        options: [
          { label: 'Send a heartbeat every 25 s', recommended: true },
          { label: 'Change the balancer', recommended: false },
        ],
        source: 'implementation',
        status: 'pending',
        selectedOption: null,
        stepId: '3',
        spawnNumber: 4,
        createdAt: iso(9),
        resolvedAt: null,
      },
    ],
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
  final: feature('archive-shipments', 'Archive shipments older than 400 days', 6, {
    summary: {
      pr: { number: '471', url: 'https://github.invalid/billing/pull/471', state: 'open' },
      waiting: [wait('final_approval', 'Reviewed and checked: the last word is yours.')],
    },
    pr: { ...PR, ci: 'passing' },
    actions: ['final_approval', 'pause', 'archive'],
  }),
  usageLimit: feature(
    'carrier-limits',
    'Per-carrier limits on the quote endpoint',
    3,
    held('usage_limit', 'The usage limit is reached.', '', 92),
  ),
  hourlyLimit: feature('hourly', 'Hourly exchange rates', 3, held('hourly_limit', '100 calls in this hour.', '', 23)),
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
  ghLogin: feature(
    'gh-login',
    'Driver chat in the handheld app',
    4,
    held('gh_login', 'gh is not logged in.', 'To get started with GitHub CLI, please run: gh auth login'),
  ),
  unparsed: feature(
    'unparsed',
    'Temporal instead of moment',
    1,
    held(
      'unparsed',
      'What Claude said could not be read.',
      'I looked at the code and I think we should talk about the time zones first …',
    ),
  ),
  expired: feature('offline-scan-queue', LONG_TITLE, 3, held('expired', 'It waited for 26 hours.', '')),
  interrupted: feature(
    'interrupted',
    ARABIC,
    3,
    held('interrupted', 'Grove was stopped while step 4 was worked on.', ''),
  ),
  stuck: feature(
    'stuck',
    'Tariff table by customs code',
    3,
    held('breaker_half_open', 'Three turns in a row have changed nothing.', ''),
  ),
  budget: feature('budget', 'Search shipments by reference', 3, held('budget', '2,000,000 tokens are used.', '')),
  timedOut: feature(
    'timed-out',
    'Nightly stock report',
    3,
    held('timed_out', 'A turn took longer than 15 minutes.', ''),
  ),
  pushConsent: feature('push', 'Print labels in batches', 4, held('push_consent', 'feature/push has 4 commits.', '')),
  paused: feature('paused', 'Weigh parcels at the dock', 2, {
    summary: { status: 'paused' },
    actions: ['resume', 'rollback', 'archive', 'delete'],
  }),
  completed: feature('done', 'Metrics without user ids', 6, {
    summary: {
      status: 'completed',
      pr: { number: '460', url: 'https://github.invalid/billing/pull/460', state: 'merged' },
    },
    actions: ['archive'],
  }),
  rolledBack: feature('rolled-back', 'Driver chat, first try', 3, {
    summary: { status: 'rolled_back' },
    actions: ['archive', 'delete'],
  }),
  corrupted: feature('corrupted', 'Damaged session', 2, {
    summary: { status: 'corrupted' },
    actions: ['archive', 'delete'],
    problems: ['reviews.json was damaged; it begins empty.'],
  }),
}

const EVENTS: NewWorkflowEvent[] = [
  { type: 'session.created', title: 'Rotate refresh tokens' },
  { type: 'questions.batch', questionIds: ['a', 'b'], filtered: 0 },
  { type: 'question.answered', questionId: 'a', answer: { value: 'family', text: null } },
  { type: 'stage_transition', from: 1, to: 2, reason: 'plan_created' },
  { type: 'plan.created', planId: 'p', version: 3, hash: 'h', steps: [] },
  { type: 'question.filtered', questionId: 'q7', reason: 'There is an index on user_id since 0042_users.sql' },
  { type: 'review.findings', planId: 'p', iteration: 3, issues: REVIEWS[2]!.findings },
  { type: 'agent.ended', spawnId: 's', how: 'done', costUsd: 0.21 },
  {
    type: 'execution.denied',
    tool: 'Write',
    code: 'scope_violation',
    message: 'infra/mqtt/broker.conf lies outside the plan’s scope. The agent was told so and went on without it.',
  },
  { type: 'check.finished', run: RUN },
]

export function eventsOf({ summary: { id: sessionId, projectId, featureId } }: SessionSnapshot): EventRecord[] {
  return EVENTS.map((event, index) => ({
    id: `e${index}`,
    number: index + 31,
    eventType: event.type,
    stage: 'review',
    payload: { ...event, sessionId, projectId, featureId, number: index + 31 } as EventRecord['payload'],
    createdAt: iso(60 - index * 6),
  }))
}

export const PATCH = `diff --git a/src/auth/refresh.ts b/src/auth/refresh.ts
index 1111111..2222222 100644
--- a/src/auth/refresh.ts
+++ b/src/auth/refresh.ts
@@ -27,6 +27,9 @@ export async function refresh(token: string) {
   const row = await tokens.find(hash(token))
-  return issue(row.user)
+  const family = await families.of(row)
+  if (family.live !== row.id) return revoke(family)
+  return issue(row.user, family)
 }
 
 export function hash(token: string): string {
diff --git a/migrations/0043_families.sql b/migrations/0043_families.sql
new file mode 100644
--- /dev/null
+++ b/migrations/0043_families.sql
@@ -0,0 +1,2 @@
+ALTER TABLE sessions ADD COLUMN family TEXT;
+CREATE INDEX sessions_family ON sessions (family);
`

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newTask } from '../../../src/core/task.ts'
import { openSqliteStore } from '../../../src/storage/sqlite/open.ts'
import { createProjectWithRemote, type ProjectWithRemote } from '../../support/bare-remote.ts'
import { intentsYaml } from '../../support/guarded.ts'
import type { Scene } from './daemon.ts'
import { seedDays } from './scene-days.ts'
import { seedLearnings } from './scene-learnings.ts'

/** A home and a project in which every view has something to show, and texts that try to break the layout. */

export const LONG_TITLE =
  'Keep scans that were made without a connection, in the order in which they were made, and send them when the handheld comes back, without ever sending one of them twice or losing one when its battery dies'
export const LONG_PATH = `src/${'deeply/nested/'.repeat(20)}module.ts`
export const ARABIC = 'إصلاح اختبار البيان المتقلب دون لمس كود الإنتاج 🚚'

export const AGENT = 'b41f7c09-0000-4000-8000-000000000000'

const SOURCE = `import { rate } from './rate.ts'

export function vat(net: number, country: string): number {
  return net * rate(country)
}
`

/** So that a tree has something in it that no intent owns. */
const OTHER_FILES = [
  ...[
    'src/invoice/rate.ts',
    'src/invoice/pdf/render.ts',
    'src/stock/scan.ts',
    'src/auth/refresh.ts',
    'src/auth/routes/token.ts',
  ],
  ...['test/stock/count.test.ts', 'test/manifest/close.test.ts', 'migrations/0042_users.sql', 'README.md'],
]

const LEARNINGS = `# Learnings

`

export async function seedProject(): Promise<ProjectWithRemote> {
  return createProjectWithRemote({
    '.orchestration/active_intents.yaml': intentsYaml({
      'INT-014': ['src/invoice/**'],
      'INT-015': ['src/stock/**', 'test/stock/**'],
    }),
    '.intentignore': 'INT-014\n',
    '.grove/learnings.md': LEARNINGS,
    'src/invoice/tax.ts': SOURCE,
    'src/stock/count.ts': 'export const count = 1\n',
    'package.json': JSON.stringify({ name: 'billing', type: 'module', scripts: { test: 'node test.mjs' } }),
    'test.mjs': 'import "./src/stock/count.mjs"\n',
    'src/stock/count.mjs': 'export const count = 1\n',
    ...Object.fromEntries(OTHER_FILES.map((path) => [path, ''])),
  })
}

/** Fills a home before a daemon runs on it. */
export async function seedHome(
  home: string,
  project: { id: string; name: string; root: string },
  { month = false } = {},
): Promise<void> {
  mkdirSync(home, { recursive: true })
  const store = await openSqliteStore({ file: join(home, 'grove.db') })
  const now = Date.now()
  const minute = 60_000
  await store.projects.put(project)
  await store.projects.put({ id: 'example.com/warehouse', name: 'warehouse', root: '/src/warehouse' })
  const instruction =
    'The manifest close test is flaky again, make it green 20 times in a row please. Do not just raise the timeout like last time. Production code is frozen until Thursday, so no change under src.'
  await store.sessions.see({
    id: AGENT,
    at: now - 40 * minute,
    through: 'hooks',
    projectId: project.id,
    cwd: project.root,
    model: 'claude-sonnet-4-8',
  })
  await store.sessions.see({ id: AGENT, at: now - minute, through: 'proxy', contextTokens: 62_400 })
  await store.tasks.create(
    newTask(
      {
        id: 't1',
        sessionId: AGENT,
        projectId: project.id,
        kind: 'main',
        instruction,
        goal: 'Make close.test.ts pass 20 times in a row',
        constraints: ['Do not raise the timeout', 'No change under src'],
        expectedScope: ['test/manifest/**', 'test/helpers/**'],
      },
      now - 40 * minute,
    ),
  )
  const scores = [9, 9, 10, 9, 8, 9, 8, 7, 6, 8, 9, 8, 7, undefined, undefined, 7, 9, 9, 10, 9, 8, 9, 9, 9]
  for (const [index, driftScore] of scores.entries()) {
    const at = now - (40 - index * 1.5) * minute
    const id = `toolu_${index}`
    if (driftScore === undefined) {
      await store.driftEvents.append({
        id: `d${index}`,
        sessionId: AGENT,
        taskId: 't1',
        stepId: id,
        tool: 'Edit',
        kind: 'edit',
        files: ['src/manifest/retry-policy.ts'],
        score: index === 13 ? 4 : 3,
        level: 'intervene',
        reason:
          'Outside the expected scope and against limit 2, “No change under src”. The agent was told to make the test deterministic instead.',
        correction: 'Return to test/manifest/close.test.ts.',
        recoveryPlan: ['Return to test/manifest/close.test.ts.', 'Leave src/manifest/retry-policy.ts as it was.'],
        recovered: true,
        at,
      })
      continue
    }
    const isRun = index % 5 === 4
    await store.steps.append({
      id,
      sessionId: AGENT,
      taskId: 't1',
      tool: isRun ? 'Bash' : index % 3 === 0 ? 'Read' : 'Edit',
      kind: isRun ? 'bash' : index % 3 === 0 ? 'read' : 'edit',
      files: isRun ? [] : [index === 7 ? LONG_PATH : 'test/manifest/close.test.ts'],
      folders: [],
      ...(isRun && { command: 'npm test -- manifest --repeat 20' }),
      reasoning: isRun ? 'Runs the test that the goal names.' : 'Inside the expected scope; replaces the real clock.',
      keywords: [],
      driftScore,
      keyDecision: false,
      at,
    })
  }
  const injections = [
    ['memory', 'Two memories of the same test file', 812, 'hook'],
    ['learning', 'The suite freezes time with clock.ts', 96, 'hook'],
    ['correction', 'Nudge after action 8: the search was too wide', 24, 'message'],
    ['correction', 'Recovery plan after action 15: back to the tests', 276, 'message'],
  ] as const
  for (const [index, [kind, why, tokens, place]] of injections.entries()) {
    await store.injections.append({
      id: `i${index}`,
      sessionId: AGENT,
      taskId: 't1',
      kind,
      place,
      text: `${why}.\nReturn to test/manifest/close.test.ts.`,
      why,
      tokens,
      at: now - (38 - index * 6) * minute,
    })
  }
  for (let turn = 0; turn < 31; turn++) {
    const usage = { input: 300, output: 420, cacheRead: 40_000, cacheWrite: 1_200 }
    await store.turns.append({
      id: `msg_${turn}`,
      sessionId: AGENT,
      model: 'claude-sonnet-4-8',
      usage,
      toolUses: 1,
      at: now - (40 - turn) * minute,
    })
  }
  for (const [index, goal] of [LONG_TITLE, ARABIC, 'Port the label printer driver'].entries()) {
    const id = `5e55105${index}-0000-4000-8000-000000000000`
    await store.sessions.see({
      id,
      at: now - (index * 7 + 2) * minute,
      through: 'hooks',
      projectId: index === 2 ? 'example.com/warehouse' : project.id,
      contextTokens: 21_000 * (index + 1),
      model: 'claude-opus-4-8',
    })
    await store.tasks.create(
      newTask(
        {
          id: `t-${index}`,
          sessionId: id,
          kind: 'main',
          instruction: goal,
          goal,
          mode: index === 1 ? 'drifted' : 'normal',
        },
        now - index * minute,
      ),
    )
  }
  const memories = [
    [
      'Why sign-in uses opaque refresh tokens',
      'A JWT cannot be revoked before it ends; people share terminals, so sign-out has to take effect at once.',
      'src/auth/refresh.ts',
    ],
    [
      'Handhelds lose their session in tunnels',
      'The app retried the refresh with the old token. A lost answer looked like reuse.',
      'src/auth/session.ts',
    ],
    [
      'Two tabs, one cookie',
      'Two tabs refresh within 50 ms. The second answer wins; a lock in BroadcastChannel solved it.',
      'src/web/refresh.ts',
    ],
    [
      'Back-fills run in batches of 5,000',
      'Larger batches held the lock on sessions for more than two seconds.',
      'migrations/0038_sessions.sql',
    ],
    [LONG_TITLE, 'Scans are numbered on the device and the server ignores numbers that it has seen.', LONG_PATH],
    [ARABIC, 'الساعة الوهمية تجعل الاختبار حتميًا', 'test/manifest/close.test.ts'],
  ]
  for (const [index, [goal, reason, file]] of memories.entries()) {
    // The first three are of one matter; a search for it does not find the others.
    const isOfTokens = index < 3
    await store.memories.put({
      id: `mem_${index}`,
      projectId: index % 3 === 2 ? 'example.com/warehouse' : project.id,
      user: index % 2 ? 'teammate' : 'you',
      instruction: goal!,
      goal: goal!,
      reasoningTrace: isOfTokens
        ? [
            reason!,
            'A deny list would be read on each request, which costs as much as a look-up of an opaque token.',
            'So the refresh token is opaque and hashed in sessions.',
          ]
        : [reason!],
      decisions: isOfTokens
        ? [{ choice: 'SHA-256 of the token instead of bcrypt', reason: '256 random bits need no slow hash' }]
        : [],
      constraints: isOfTokens ? ['Never log a token, not even its hash'] : [],
      files: isOfTokens ? [file!, 'src/auth/routes/token.ts'] : [file!],
      tags: isOfTokens ? ['auth', 'tokens'] : ['scans'],
      status: 'complete',
      trigger: 'complete',
      createdAt: now - index * 9 * 86_400_000 - 3_600_000,
    })
  }
  await store.memoryUses.shown(AGENT, ['mem_0', 'mem_1'], now - 38 * minute)
  await store.memoryUses.used(AGENT, 'mem_0', 'files', now - 30 * minute)
  if (month) await seedDays(store, project.id, now)
  await store.close()
  await seedLearnings(home, project.root)
}

/** An agent that wants to write waits for a person. */
export async function askForApproval(scene: Scene): Promise<void> {
  await scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
  const asked = scene.hook('pre-tool-use', {
    session_id: AGENT,
    hook_event_name: 'PreToolUse',
    cwd: scene.dir,
    tool_name: 'Edit',
    tool_input: {
      file_path: join(scene.dir, 'src/invoice/tax.ts'),
      old_string: 'net * rate(country)',
      new_string: 'net * vatRate(country, new Date())',
    },
    tool_use_id: 'toolu_ask',
  })
  // It is answered when the scene closes, or never.
  asked.catch(() => {})
}

import { newTask } from '../../../src/core/task.ts'
import type { openSqliteStore } from '../../../src/storage/sqlite/open.ts'
import { SLOTS } from '../../../src/supervisor/state-slots.ts'

type Store = Awaited<ReturnType<typeof openSqliteStore>>

const DAY = 86_400_000
const GOALS = [
  'Split shipments by customs zone',
  'Make the label printer driver retry',
  'Rotate refresh tokens on every use',
  'Replace moment with Temporal',
  'Debounce cold-chain sensor alarms',
  'VAT reverse charge for business customers',
]

/** A month of work, so that plots have something to show: fewer sessions at weekends, fewer drifts towards the end. */
export async function seedDays(store: Store, projectId: string, now: number): Promise<void> {
  for (let ago = 29; ago >= 1; ago--) {
    const at = now - ago * DAY
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
    const sessions = isWeekend ? (ago % 3 === 0 ? 1 : 0) : 2 + ((ago * 7) % 4)
    for (let nr = 0; nr < sessions; nr++) await seedSession(store, projectId, at + nr * 3_600_000, ago * 10 + nr)
    const day = new Date(at).toISOString().slice(0, 10)
    if (sessions > 0) await store.states.put(SLOTS.judgeCost, `day:${day}`, sessions * 0.021 + (ago % 4) * 0.01, at)
  }
}

async function seedSession(store: Store, projectId: string, at: number, nr: number): Promise<void> {
  const id = `${String(nr).padStart(8, '0')}-1111-4000-8000-000000000000`
  const goal = GOALS[nr % GOALS.length]!
  await store.sessions.see({ id, at, through: 'hooks', projectId, model: 'claude-sonnet-4-8' })
  await store.sessions.end(id, at)
  const task = { id: `past-${nr}`, sessionId: id, projectId, kind: 'main', instruction: goal, goal } as const
  await store.tasks.create(newTask(task, at))
  for (let step = 0; step < 4 + (nr % 5); step++) {
    await store.steps.append({
      ...{ id: `past-${nr}-${step}`, sessionId: id, taskId: task.id, tool: 'Edit', kind: 'edit' },
      ...{
        files: ['src/stock/count.ts'],
        folders: [],
        keywords: [],
        driftScore: 8 + (step % 3),
        keyDecision: false,
        at,
      },
    })
  }
  for (let drift = 0; drift < (nr % 7 === 0 ? 2 : nr % 3 === 0 ? 1 : 0); drift++) {
    await store.driftEvents.append({
      ...{ id: `past-d${nr}-${drift}`, sessionId: id, taskId: task.id, stepId: `past-x${nr}-${drift}`, tool: 'Edit' },
      ...{ kind: 'edit', files: ['src/stock/count.ts'], score: 3, level: 'correct', reason: 'Outside the scope' },
      ...{ correction: 'Go back.', recoveryPlan: [], recovered: (nr + drift) % 5 !== 0, at },
    })
  }
  await store.injections.append({
    ...{ id: `past-i${nr}`, sessionId: id, taskId: task.id, kind: 'memory', place: 'hook', text: goal },
    ...{ why: `Work on the same files as “${goal}”`, tokens: 400 + (nr % 9) * 60, at },
  })
  await store.turns.append({
    ...{ id: `past-m${nr}`, sessionId: id, model: 'claude-sonnet-4-8', toolUses: 4, at },
    usage: { input: 2_400, output: 3_100 + (nr % 6) * 400, cacheRead: 210_000 + (nr % 8) * 30_000, cacheWrite: 9_000 },
  })
  const shown = [`mem_${nr % 4}`, ...(nr % 2 ? [`mem_${(nr + 1) % 4}`] : [])]
  await store.memoryUses.shown(id, shown, at)
  if (nr % 3 !== 1) await store.memoryUses.used(id, shown[0]!, nr % 2 ? 'files' : 'words', at + 60_000)
}

import { describe, expect, it } from 'vitest'
import type { Step } from '#core/step.ts'
import { newTask } from '#core/task.ts'
import { store, storeForEach } from '../../../../test/support/start-engine.ts'
import type { World } from '../../world.ts'
import { relevantSteps } from './relevant-steps.ts'

storeForEach()

const task = newTask(
  { id: 't', sessionId: 's', kind: 'main', instruction: 'x', goal: 'Fix the token refresh', keywords: ['token'] },
  1,
)
let at = 0
const step = (id: string, files: string[], more: Partial<Step> = {}): Step => ({
  id,
  sessionId: 's',
  taskId: 't',
  tool: 'Edit',
  kind: 'edit',
  files,
  folders: files.map((file) => file.slice(0, file.lastIndexOf('/'))),
  keywords: [],
  keyDecision: false,
  at: ++at,
  ...more,
})
const bearing = async (recent: Step[]) =>
  (await relevantSteps({ store } as Pick<World, 'store'> as World, task, recent)).map(({ id }) => id)

describe('earlier steps that bear on the recent ones', () => {
  it('are of the same file, then of the same folder, then of the goal’s words, then key decisions, each once', async () => {
    const earlier = [
      step('decision', ['docs/why.md'], { keyDecision: true }),
      step('word', ['lib/token-store.ts']),
      step('nothing', ['web/index.html']),
      step('folder', ['src/auth/session.ts']),
      step('file', ['src/auth/login.ts'], { keyDecision: true }),
    ]
    const recent = step('recent', ['src/auth/login.ts'])
    for (const one of [...earlier, recent, step('elsewhere', ['src/auth/login.ts'], { taskId: 'other' })])
      await store.steps.append(one)
    expect(await bearing([recent])).toEqual(['file', 'folder', 'word', 'decision'])
  })

  it('are ten at most, the newest', async () => {
    for (let i = 0; i < 30; i++) await store.steps.append(step(`s${i}`, ['src/a.ts']))
    expect(await bearing([step('recent', ['src/a.ts'])])).toEqual(Array.from({ length: 10 }, (_, i) => `s${29 - i}`))
  })
})

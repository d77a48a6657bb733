/** The programs that process tests run side by side; each speaks to one store file like a hook process would. */
import { newTask } from '#core/task.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { countSlot } from './slots.ts'

const [command, file = '', name = '', count = '0'] = process.argv.slice(2)
const store = await openSqliteStore({ file, log: toStdout() })

const step = (index: number) => ({
  id: `${name}-${index}`,
  sessionId: name,
  taskId: `task-${name}`,
  tool: 'Edit',
  kind: 'edit' as const,
  files: [`src/${index}.ts`],
  folders: [],
  excerpt: 'x'.repeat(500),
  keywords: [],
  keyDecision: false,
  at: index,
})

const turn = (index: number) => ({
  id: `turn-${name}-${index}`,
  sessionId: name,
  model: 'a-model',
  usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  toolUses: 1,
  at: index,
})

await store.sessions.see({ id: name, at: 1, through: 'hooks' })
await store.tasks.create(newTask({ id: `task-${name}`, sessionId: name, kind: 'main', instruction: '', goal: '' }, 1))

// Ends only by being killed, having said aloud what it was told is stored.
const last = command === 'write-until-killed' ? Number.POSITIVE_INFINITY : Number(count)
for (let index = 0; index < last; index++) {
  await store.steps.append(step(index))
  await store.turns.append(turn(index))
  if (index % 10 === 0) await store.states.update(countSlot, 'shared', index, (before = 0) => before + 1)
  if (command === 'write-until-killed') process.stdout.write(`${index}\n`)
}
await store.close()

function toStdout() {
  const say = (fields: object, message: string) => process.stdout.write(`${JSON.stringify({ ...fields, message })}\n`)
  return { debug: say, info: say, warn: say, error: say }
}

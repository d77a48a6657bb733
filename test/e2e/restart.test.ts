import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Attachment, setStage } from '../support/stage.ts'
import { agent, story } from '../support/story.ts'
import { whatCame } from '../support/what-came.ts'

// The daemon ends and starts again while somebody works: in the middle of a turn, and between two prompts.

const files = {
  'src/orders/list.ts': 'export const list = () => []\n',
  'src/orders/export.ts': 'export const rows = () => ""\n',
  'test/orders.test.ts': 'test("lists orders", () => {})\n',
}
const { read, edit, bash } = agent

describe.concurrent('A restart of Grove', () => {
  it.for<Attachment>(['proxy', 'hooks', 'both'])(
    'keeps goal, limits and score (%s)',
    async (attached, { onTestFinished }) => {
      const told = story(
        read('src/orders/list.ts'),
        edit('src/orders/list.ts', '[]', '[].sort()'),
        bash('touch at-work; until [ -e go-on ]; do sleep 0.1; done'),
        read('test/orders.test.ts'),
        edit('test/orders.test.ts', 'lists', 'sorts'),
        'The orders are sorted by date.',
        bash("sed -i 's/orders/all orders/' test/orders.test.ts"),
        'The export is sorted as well.',
      )
      const quiet = { config: '[gate]\nenabled = false\n', hooks: ['Stop'] as const }
      const stage = await setStage(onTestFinished, told, files, {}, { attached, ...quiet })
      const { grove, project } = stage

      const first = await stage.start('Sort the orders by date. Do not touch the tests.')
      while (!existsSync(join(project.dir, 'at-work'))) await sleep(50)
      await grove.restart()
      await writeFile(join(project.dir, 'go-on'), '')
      const { sessionId, exitCode } = await first.done
      expect(exitCode).toBe(0)
      await stage.settled()
      expect((await whatCame(stage, sessionId!)).corrections).toEqual(['intervene'])
      const before = await standing(sessionId!)
      expect(before).toMatchObject({ limits: [expect.stringContaining('Do not touch the tests')] })

      await grove.restart()
      expect(await standing(sessionId!)).toEqual(before)
      await stage.run('the same for the export', { args: ['--resume', sessionId!] })
      await stage.settled()
      const { corrections, memories } = await whatCame(stage, sessionId!)
      expect(corrections).toHaveLength(2)
      expect(corrections[1]).toMatch(/intervene|halt/)
      expect(memories.flat()).not.toContain('test/orders.test.ts')
      expect(grove.warnings).toEqual([])

      async function standing(id: string) {
        const [task] = await grove.store.tasks.ofSession(id)
        return task && { goal: task.goal, limits: task.constraints, mode: task.mode, escalation: task.escalation }
      }
    },
  )
})

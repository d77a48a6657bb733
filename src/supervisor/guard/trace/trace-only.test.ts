import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { traceBlame } from './blame.ts'
import { traceStats } from './stats.ts'
import { traceVerify } from './verify.ts'

const files = { 'src/cart.ts': 'export const a = 1\nexport const b = 2\n', 'README.md': '# Readme\n' }

async function undeclared(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  const project = stage.world.projects.traced(stage.dir)!
  const trace = await stage.opened.trace()
  const sh = (command: string) => stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }))
  return {
    ...stage,
    sh,
    project,
    blame: async (path: string) => (await traceBlame(trace, project, path))!.map(({ origin }) => origin?.session),
    stats: (range?: string) => traceStats(trace, project, { limit: 10, ...(range && { range }) }),
  }
}

describe('a project in which nobody has declared anything', () => {
  it('is free, and yet it is on record who wrote which line', async ({ onTestFinished }) => {
    const { write, edit, sh, blame, dir } = await undeclared(onTestFinished)
    expect(await edit('src/cart.ts', 'export const b = 2', 'export const total = 3')).toBe('written')
    expect(await write('src/new.ts', 'export const fresh = true\n', { session: 's2' })).toBe('written')
    expect(await sh('printf "export const more = 4\\n" >> src/cart.ts')).toBe('fine')
    expect(await sh('cat README.md')).toBe('fine')
    await appendFile(join(dir, 'src/cart.ts'), 'export const byHand = 5\n')
    expect(await blame('src/cart.ts')).toEqual([undefined, 's1', 's1', undefined])
    expect(await blame('src/new.ts')).toEqual(['s2'])
    expect(existsSync(join(dir, '.orchestration'))).toBe(false)
  })

  it('takes its past along when intents are declared, without the words of tasks', async ({ onTestFinished }) => {
    const { write, dir, put, select, trace, store, opened } = await undeclared(onTestFinished)
    await store.tasks.create({
      ...({ id: 't1', sessionId: 's1', kind: 'main', mode: 'normal', status: 'active', escalation: 0 } as const),
      ...{ instruction: 'Add a total', goal: 'Add a total', expectedScope: [], constraints: [], keywords: [] },
      ...{ promptCount: 1, createdAt: 1, updatedAt: 1 },
    })
    expect(await write('src/early.ts', 'export const early = 1\n')).toBe('written')
    await put('.orchestration/active_intents.yaml', intentsYaml({ cart: ['src/**'] }))
    const guardedNow = { root: dir, orchestration: join(dir, '.orchestration') }
    const origin = async (path: string) =>
      (await traceBlame(await opened.trace(), guardedNow, path))![0]?.origin?.session
    expect(await origin('src/early.ts')).toBe('s1')
    await select('cart', { session: 's2' })
    expect(await write('src/late.ts', 'export const late = 1\n', { session: 's2' })).toBe('written')
    expect(await origin('src/early.ts')).toBe('s1')
    expect(await origin('src/late.ts')).toBe('s2')
    expect((await trace()).map(({ files: [file] }) => file!.path)).toEqual(['src/early.ts', 'src/late.ts'])
    expect(JSON.stringify(await trace())).not.toContain('Add a total')
    expect((await traceVerify(await opened.trace(), guardedNow, { revision: 'HEAD' })).ledger).toMatchObject({
      broken: [],
    })
  })

  it('tells the share of agents in each commit', async ({ onTestFinished }) => {
    const { write, put, git, stats } = await undeclared(onTestFinished)
    await write('src/one.ts', 'export const one = 1\nexport const two = 2\n')
    await put('src/hand.ts', 'export const byHand = 1\n')
    await git('add', '-A')
    await git('commit', '-qm', 'first')
    await write('src/two.ts', 'export const three = 3\n', { session: 's2' })
    await git('add', '-A')
    await git('commit', '-qm', 'second')
    expect(await stats('HEAD~2..HEAD')).toMatchObject([
      { subject: 'second', agentLines: 1, humanLines: 0, sessions: [{ session: 's2', lines: 1 }] },
      { subject: 'first', agentLines: 2, humanLines: 1, sessions: [{ session: 's1', lines: 2 }] },
    ])
  })

  it('keeps the task with each change, in words only where nobody commits them', async ({ onTestFinished }) => {
    const { write, store, project } = await undeclared(onTestFinished)
    await store.tasks.create({
      ...({ id: 't1', sessionId: 's1', kind: 'main', mode: 'normal', status: 'active', escalation: 0 } as const),
      ...{ instruction: 'Add a total', goal: 'Add a total', expectedScope: [], constraints: [], keywords: [] },
      ...{ promptCount: 1, createdAt: 1, updatedAt: 1 },
    })
    await write('src/one.ts', 'export const one = 1\n')
    const ledger = await readFile(join(project.orchestration, 'agent_trace.jsonl'), 'utf8')
    expect(JSON.parse(ledger).metadata['dev.grove'].task).toEqual({ id: 't1', goal: 'Add a total' })
  })
})

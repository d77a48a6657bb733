import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProgram, type TestProgram } from '../testing/processes.ts'
import { countSlot } from '../testing/slots.ts'
import { loadSqlite } from './driver.ts'
import { openSqliteStore } from './open.ts'

let program: TestProgram
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-processes-'))
  program = await bundleProgram(new URL('../testing/child.ts', import.meta.url))
})

afterAll(() => {
  program?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const home = (name: string) => join(folder, name, 'grove.db')
const names = (count: number) => Array.from({ length: count }, (_, index) => `process-${index}`)
const quiet = { code: 0, stdout: '', stderr: '' }

describe('many processes on one home', () => {
  it('start at once on an empty one', async () => {
    const file = home('empty')
    const ends = await Promise.all(names(10).map((name) => program.run('write', file, name, '0')))
    expect(ends).toEqual(names(10).map(() => quiet))

    const store = await openSqliteStore({ file })
    expect(await store.counts()).toMatchObject({ sessions: 10, tasks: 10 })
    await store.close()
  })

  it('write at once and lose nothing, and nobody hears that the database is locked', async () => {
    const file = home('crowded')
    const ends = await Promise.all(names(16).map((name) => program.run('write', file, name, '200')))
    expect(ends).toEqual(names(16).map(() => quiet))

    const store = await openSqliteStore({ file })
    expect(await store.counts()).toMatchObject({ sessions: 16, tasks: 16, steps: 3200, turns: 3200 })
    expect(await store.states.get(countSlot, 'shared')).toBe(16 * 20)
    for (const name of names(16)) {
      expect(await store.steps.ofTask(`task-${name}`)).toHaveLength(200)
      expect(await store.turns.totals(name)).toMatchObject({ turns: 200, input: 200, cacheWrite: 800 })
    }
    await store.close()
  })

  it('may be killed in the middle of writing: what was reported stored is there, and the rest goes on', async () => {
    const file = home('killed')
    const writers = names(4).map((name) => ({ name, child: program.start('write-until-killed', file, name) }))
    const reported = await Promise.all(writers.map(({ child }) => killAfter(child, 40)))

    const ends = await program.run('write', file, 'survivor', '20')
    expect(ends).toEqual(quiet)

    const store = await openSqliteStore({ file })
    for (const [index, { name }] of writers.entries()) {
      const stored = new Set((await store.steps.ofTask(`task-${name}`)).map(({ id }) => id))
      const missing = reported[index]!.filter((step) => !stored.has(`${name}-${step}`))
      expect(missing).toEqual([])
    }
    expect(await store.steps.ofTask('task-survivor')).toHaveLength(20)
    await store.close()
    expect(await integrityOf(file)).toBe('ok')
  })
})

/** Lets it report so many steps, kills it without warning, and returns all it had reported until then. */
async function killAfter(child: ReturnType<TestProgram['start']>, count: number): Promise<string[]> {
  const reported: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    reported.push(line)
    if (reported.length === count) child.kill('SIGKILL')
  }
  return reported
}

async function integrityOf(file: string): Promise<unknown> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  const row = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
  database.close()
  return row.integrity_check
}

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import type { Step } from '#core/step.ts'
import { bundleProgram, type TestProgram } from '../testing/processes.ts'
import { countSlot } from '../testing/slots.ts'
import { loadSqlite } from './driver.ts'
import { openSqliteStore } from './open.ts'
import { recoverDamaged } from './recover-damaged.ts'
import { setAsideAtStart, setAsideIfDamaged } from './set-aside.ts'

let program: TestProgram
let folder: string
let file: string
/** A database with three hundred steps, to be copied. */
let filled: string
let warnings: string[]
let homes = 0
const NOTHING = { steps: 0, sessions: 0 }

const say = (_fields: object, message: string) => warnings.push(message)
const log: Log = { debug() {}, info() {}, warn: say, error: say }
const now = () => Date.UTC(2026, 4, 14, 10, 15, 30, 123)
const open = () => openSqliteStore({ file, log, now })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-damage-'))
  program = await bundleProgram(new URL('../testing/child.ts', import.meta.url))
  filled = join(folder, 'filled', 'grove.db')
  // In a process of its own, whose end leaves the whole database in the one file.
  expect(await program.run('write', filled, 'somebody', '300')).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(dirname(filled))).toEqual(['grove.db'])
})

afterAll(() => {
  program?.remove()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => {
  warnings = []
  file = join(folder, `home-${++homes}`, 'grove.db')
})

const zeroInside = () => overwrite(Math.floor(statSync(file).size / 8192) * 4096, 4096, '\0')

/** `rest`: what can still be read, as far as it is the same on every machine. */
const damages = [
  { what: 'cut off', damage: () => truncateSync(file, Math.floor(statSync(file).size / 2)), rest: { sessions: 1 } },
  { what: 'not a database at all', damage: () => writeFileSync(file, 'what is this? '.repeat(1000)), rest: NOTHING },
  { what: 'garbage at the start', damage: () => overwrite(0, 4096), rest: NOTHING },
  { what: 'garbage in the middle', damage: () => overwrite(8192, statSync(file).size - 16384), rest: NOTHING },
  { what: 'garbage in one table', damage: () => overwriteTable('steps'), rest: { steps: 0, sessions: 1 } },
]

describe.each(damages)('a database file that is $what', ({ damage, rest }) => {
  it('is set aside with a clear message, Grove starts, and takes over what can be read', async () => {
    fill()
    await damage()
    const size = statSync(file).size

    const store = await open()
    await reads(store)
    await store.steps.append(step(1))
    expect(await store.steps.recent('s1', 10)).toEqual([step(1)])
    await store.close()

    const aside = `${file}.damaged-20260514T101530123Z`
    expect(statSync(aside).size).toBe(size)
    expect(warnings[0]).toContain(`set aside as ${aside}`)

    await recoverDamaged({ file, log, now })
    const again = await open()
    expect(await again.steps.recent('s1', 10)).toEqual([step(1)])
    const { steps, sessions } = await reads(again)
    expect({ steps: steps - 1, sessions }).toMatchObject(rest)
    await again.close()
    expect(warnings.slice(1)).toEqual([expect.stringContaining(`${aside} was read`)])
    expect(asides()).toHaveLength(1)
  })

  it('is set aside once when several processes find it at the same time', async () => {
    fill()
    await damage()
    const ends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => program.run('write', file, name, '20')))
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ends.map(() => ({ code: 0, stderr: '' })))
    expect(ends.filter(({ stdout }) => stdout.includes('set aside'))).toHaveLength(1)
    expect(asides()).toHaveLength(1)

    const store = await open()
    expect((await reads(store)).steps).toBeGreaterThan(0)
    await store.close()
    expect(asides()).toHaveLength(1)
  })
})

it.each(damages)(
  'a file that is $what is found at a thorough start, before anything is asked of it',
  async ({ damage }) => {
    fill()
    await damage()
    await setAsideAtStart({ file, log, now })
    expect(warnings).toEqual([expect.stringContaining('set aside as')])
    const store = await open()
    await store.steps.append(step(1))
    expect((await reads(store)).steps).toBeGreaterThan(0)
    await store.close()
    expect(asides()).toHaveLength(1)
  },
)

it('loses only what lay on the damaged page, and keeps the order of the rest', async () => {
  fill()
  zeroInside()
  await setAsideAtStart({ file, log, now })
  const store = await open()
  await store.steps.append({ ...step(1000), sessionId: 'somebody' })
  await store.close()
  await recoverDamaged({ file, log, now })

  const again = await open()
  const times = (await again.steps.recent('somebody', 1000)).map(({ at }) => at)
  const { turns } = await again.turns.totals('somebody')
  await again.close()
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(times[0]).toBe(1000)
  // A page holds a handful of steps, or some dozens of turns.
  expect(times.length - 1 + turns).toBeGreaterThan(520)
  expect(times.length - 1 + turns).toBeLessThan(600)
})

it('goes on reading where a process that died had stopped', async () => {
  fill()
  zeroInside()
  await setAsideAtStart({ file, log, now })
  const store = await open()
  await store.close()
  let steps = 0
  await recoverDamaged({ file, log, now }, () => ++steps > 1)
  expect(warnings).toHaveLength(1)
  await recoverDamaged({ file, log, now })
  await recoverDamaged({ file, log, now })
  expect(warnings).toHaveLength(2)
  const again = await open()
  expect((await reads(again)).steps).toBeGreaterThan(250)
  await again.close()
})

it('leaves a sound file, and none, alone at a thorough start', async () => {
  await setAsideAtStart({ file, log, now })
  fill()
  await setAsideAtStart({ file, log, now })
  const store = await open()
  expect((await reads(store)).steps).toBe(300)
  await store.close()
  expect([warnings, asides()]).toEqual([[], []])
})

it('sets a file aside at the next use when its damage was met in the middle of a change', async () => {
  fill()
  await overwriteTable('states')
  const store = await open()
  expect(await store.sessions.get('somebody')).toBeDefined()
  const count = () => store.states.update(countSlot, 'one', 1, (before) => Number(before ?? 0) + 1)
  await expect(count()).rejects.toMatchObject({ code: 'damaged' })
  expect(await count()).toBe(1)
  await store.close()
  expect(asides()).toHaveLength(1)
})

it('loses nothing that was written after the damage was found', async () => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'what is this? '.repeat(1000))
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => program.run('write', file, name, '20')))

  const store = await open()
  expect(await reads(store)).toEqual({ steps: 100, sessions: 5 })
  await store.close()
})

it('keeps two damaged databases apart that were set aside in the same moment', async () => {
  mkdirSync(dirname(file), { recursive: true })
  for (const content of ['one', 'two']) {
    writeFileSync(file, content.repeat(1000))
    await setAsideIfDamaged({ file, log, now })
  }
  expect(asides()).toEqual(['grove.db.damaged-20260514T101530123Z', 'grove.db.damaged-20260514T101530123Z-2'])
})

it('follows when the file it has open is deleted or replaced', async () => {
  const daemon = await open()
  await daemon.steps.append(step(1))
  rmSync(dirname(file), { recursive: true })
  await daemon.steps.append(step(2))

  const hook = await open()
  await hook.steps.append(step(3))
  expect(await daemon.steps.recent('s1', 10)).toEqual([step(3), step(2)])
  await daemon.close()
  expect(await hook.steps.recent('s1', 10)).toEqual([step(3), step(2)])
  await hook.close()
})

it('begins anew when the file that several have open is cut to nothing', async () => {
  const [daemon, hook] = [await open(), await open()]
  await daemon.steps.append(step(1))
  truncateSync(file, 0)
  await daemon.steps.append(step(2))
  await hook.steps.append(step(3))
  expect(await daemon.steps.recent('s1', 10)).toEqual(expect.arrayContaining([step(3), step(2)]))
  expect(warnings[0]).toContain('was set aside')
  for (const store of [daemon, hook]) await store.close()
})

it('starts from an empty file, as a full disk may have left it', async () => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  const store = await open()
  expect(await reads(store)).toEqual({ steps: 0, sessions: 0 })
  await store.close()
  expect(warnings).toEqual([])
})

it('is for its owner only', () => {
  expect(statSync(filled).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(filled)).mode & 0o777).toBe(0o700)
})

describe('a home that cannot be used', () => {
  // What may not be written to may not be removed either.
  afterEach(() => {
    if (existsSync(dirname(file))) chmodSync(dirname(file), 0o755)
  })

  it('says so when it is not a folder', async () => {
    writeFileSync(join(folder, 'a-file'), '')
    file = join(folder, 'a-file', 'grove.db')
    await expect(open()).rejects.toMatchObject({
      name: 'StorageError',
      code: 'not-writable',
      message: expect.stringContaining('set GROVE_HOME to another one'),
    })
  })

  it('says so when it may not be written to', async () => {
    mkdirSync(dirname(file), { recursive: true })
    chmodSync(dirname(file), 0o555)
    await asOrdinaryUser(() =>
      expect(open()).rejects.toMatchObject({ code: 'not-writable', message: expect.stringContaining(file) }),
    )
  })

  it('says so when the database in it may only be read', async () => {
    fill()
    chmodSync(dirname(file), 0o555)
    chmodSync(file, 0o444)
    await asOrdinaryUser(async () => {
      const writing = open().then((store) => store.steps.append(step(1)))
      await expect(writing).rejects.toMatchObject({ code: 'not-writable' })
    })
    expect(asides()).toEqual([])
  })
})

/** Root may write anywhere; a test about rights needs somebody who may not. */
async function asOrdinaryUser(work: () => Promise<unknown>) {
  if (process.geteuid?.() !== 0) return await work()
  chmodSync(folder, 0o755)
  process.seteuid?.('nobody')
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

function fill() {
  mkdirSync(dirname(file), { mode: 0o700 })
  copyFileSync(filled, file)
}

/** Touches the tables as Grove's everyday work does. */
async function reads(store: Store) {
  await store.steps.recent('s1', 1000)
  await store.sessions.recent(1000)
  const { steps, sessions } = await store.counts()
  return { steps, sessions }
}

function overwrite(from: number, length: number, text = 'garbage!') {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, text), 0, length, from)
  closeSync(handle)
}

/** Damage that only those who use this table will meet. */
async function overwriteTable(name: string) {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  const roots = database.prepare('select rootpage from sqlite_master where tbl_name = ?').all(name)
  database.close()
  for (const { rootpage } of roots as { rootpage: number }[]) overwrite((rootpage - 1) * 4096, 4096)
}

function asides(): string[] {
  return readdirSync(dirname(file)).filter((name) => /damaged-[^.]*$/.test(name) && !/-(wal|shm)$/.test(name))
}

function step(index: number): Step {
  return {
    id: `toolu_${index}`,
    sessionId: 's1',
    taskId: 't1',
    tool: 'Edit',
    kind: 'edit',
    files: [`src/${index}.ts`],
    folders: [],
    excerpt: 'x'.repeat(300),
    keywords: [],
    keyDecision: false,
    at: index,
  }
}

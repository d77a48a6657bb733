import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { tempHome } from '../../test/support/home.ts'
import { CodeCache } from './code-cache.ts'

const source = '(function () { return [1, 2, 3].map((n) => n * 2) })'

/** Runs the script with the code that is kept; whether V8 took it. */
function run(cache: CodeCache, name = 'one.cjs'): boolean {
  const cachedData = cache.codeOf(name)
  const script = new Script(source, { ...(cachedData && { cachedData }) })
  cache.add(name, script)
  expect(script.runInThisContext()()).toEqual([2, 4, 6])
  return script.cachedDataRejected === false
}

it('keeps compiled code from one process to the next', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'cache', 'stop.bin')
  const first = new CodeCache(file, 0)
  expect([run(first), run(first, 'two.cjs')]).toEqual([false, false])
  first.save()
  const second = new CodeCache(file, 0)
  expect(run(second)).toBe(true)
  second.save()
  // What the second has not loaded is kept nevertheless.
  expect(run(new CodeCache(file, 0), 'two.cjs')).toBe(true)
})

it('takes a file with a wrong byte, wherever that is, for an empty one', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'stop.bin')
  const cache = new CodeCache(file, 0)
  run(cache)
  cache.save()
  const sound = await readFile(file)
  for (let at = 0; at < sound.length; at++) {
    const damaged = Buffer.from(sound)
    damaged[at]! ^= 0x40
    await writeFile(file, damaged)
    expect({ at, code: new CodeCache(file, 0).codeOf('one.cjs') }).toEqual({ at, code: undefined })
  }
})

it('takes a file that is cut off for an empty one, and writes it anew', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'stop.bin')
  for (const length of [0, 3, 8, 100]) {
    const cache = new CodeCache(file, 0)
    run(cache)
    cache.save()
    await truncate(file, length)
    expect(run(new CodeCache(file, 0))).toBe(false)
  }
})

it('writes a complete file again when it has become four times as old', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'stop.bin')
  const savesAt = (now: number) => {
    const cache = new CodeCache(file, now)
    run(cache)
    return cache.save()
  }
  const times = [0, 1, 1000, 3900, 4000, 8000, 16_000]
  expect(times.map(savesAt)).toEqual([true, true, true, false, true, false, true])
})

it('lets a folder be that it cannot write to', async ({ onTestFinished }) => {
  const home = await tempHome(onTestFinished)
  await writeFile(join(home, 'cache'), 'a file in its place')
  const cache = new CodeCache(join(home, 'cache', 'stop.bin'), 0)
  run(cache)
  expect(cache.save()).toBe(false)
})

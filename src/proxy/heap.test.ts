import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { GrownMemory } from './heap.ts'

const start = `import { GrownMemory, spareFullCollections } from ${JSON.stringify(join(import.meta.dirname, 'heap.ts'))}`

it.each([
  ['this V8', 'undefined'],
  ['a V8 that may not know the flag', '"99.1.2-node.3"'],
  ['a V8 with an odd name', '"next"'],
])('starts with %s and prints nothing', async (_name, v8) => {
  const contents = `${start}\nspareFullCollections(${v8})\nnew GrownMemory(() => 1).look(0)\nconsole.log('started')`
  const stdin = { contents, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({ stdin, bundle: true, platform: 'node', write: false })
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', outputFiles[0]!.text], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'started\n', stderr: '' })
})

describe('all of the heap', () => {
  const MB = 1_000_000

  /** At which looks, a second apart, it is collected. */
  function collections(residents: readonly number[]): number[] {
    let at = 0
    const found: number[] = []
    const memory = new GrownMemory(
      () => residents[at]! * MB,
      () => found.push(at),
    )
    for (at = 0; at < residents.length; at++) memory.look(at * 1000)
    return found
  }

  it.each([
    ['is never collected while a daemon is small', [110, 130, 150, 159], []],
    ['is collected when more is resident by a sixteenth', [150, 161, 165, 170], [1]],
    ['is collected again after as much growth, from where the collection left it', [150, 165, 158, 162, 169], [1, 4]],
    ['is not collected for what stays as it is', [600, 600, 605, 600], []],
    ['is collected at most every other second', [150, 170, 190, 210], [1, 3]],
  ])('%s', (_name, residents, expected) => {
    expect(collections(residents)).toEqual(expected)
  })

  it('is really collected', () => {
    let resident = 200 * MB
    const memory = new GrownMemory(() => resident)
    memory.look(0)
    const held = new WeakRef({})
    resident = 300 * MB
    // What a WeakRef has given out stays until the job is over.
    return new Promise<void>((resolve) => {
      setTimeout(() => {
        memory.look(5000)
        expect(held.deref()).toBeUndefined()
        resolve()
      }, 1)
    })
  })
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ShortLived, UNUSED_BY_SHORT_LIVED } from './short-lived.ts'

let sources = 100
/** Each time another one, because V8 keeps what it has compiled; all of the same length, which is what it compares. */
const source = () => `(text) => text + ${sources++}`

/** Whether V8 takes code that was compiled and kept before. */
function takes(cachedData: Buffer): boolean {
  return new Script(source(), { cachedData }).cachedDataRejected === false
}

describe('a process that ends within a moment', () => {
  it('uses compiled code as ever, also such as was saved by another', ({ onTestFinished }) => {
    onTestFinished(() => setFlagsFromString(UNUSED_BY_SHORT_LIVED.join(' ')))
    const kept = new Script(source()).createCachedData()
    const life = new ShortLived()
    life.begin()
    expect(takes(kept)).toBe(false)
    expect(life.usually(() => takes(kept))).toBe(true)
    expect(life.usually(() => life.usually(() => takes(kept)))).toBe(true)
    expect(takes(kept)).toBe(false)
  })

  it.each([
    ['this V8', ''],
    ['a V8 that may not know the flags', '"99.1.2-node.3"'],
    ['a V8 with an odd name', '"next"'],
  ])('starts with %s and prints nothing', async (_name, v8) => {
    const contents = `import { ShortLived } from ${JSON.stringify(join(import.meta.dirname, 'short-lived.ts'))}
      const life = new ShortLived(${v8})
      life.begin()
      life.usually(() => console.log('started'))`
    const stdin = { contents, resolveDir: import.meta.dirname }
    const { outputFiles } = await build({ stdin, bundle: true, platform: 'node', write: false })
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', outputFiles[0]!.text], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'started\n', stderr: '' })
  })

  it('is left as it is by a V8 that may not know the flags', () => {
    const kept = new Script(source()).createCachedData()
    const life = new ShortLived('99.1.2')
    life.begin()
    expect(takes(kept)).toBe(true)
  })
})

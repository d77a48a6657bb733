import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempHome } from './support/home.ts'

// What `npm run build` promises: it fails, with a reason, where something it relies on has changed.

const root = join(import.meta.dirname, '..')

describe('the build', () => {
  it('fails when a package asserts in a way that the stand-in has not', async () => {
    const { missingMethods } = await script('lean-assert.mjs')
    const required = "const assert = require('node:assert')\n"
    expect(missingMethods(`${required}assert(a); this.assert.equal(1); assert.ok(b)`, ['ok'])).toEqual([])
    expect(missingMethods(`${required}assert.ok(b); assert?.strictEqual(a, b)`, [])).toEqual(['.ok', '.strictEqual'])
    expect(missingMethods("const { ok } = require('node:assert')", ['ok'])).toHaveLength(1)
  })

  it('fails when undici has no use for the stand-in', async ({ onTestFinished }) => {
    const { leanAssertions } = await script('lean-assert.mjs')
    const { build } = await import('esbuild')
    const entry = join(await tempHome(onTestFinished), 'entry.js')
    writeFileSync(entry, "import 'node:assert'")
    const bundle = (plugin: unknown) =>
      build({
        entryPoints: [entry],
        bundle: true,
        platform: 'node',
        write: false,
        logLevel: 'silent',
        plugins: [plugin as never],
      })
    await expect(bundle(leanAssertions())).rejects.toThrow('undici no longer requires node:assert')
    await expect(bundle(leanAssertions({ optional: true }))).resolves.toMatchObject({ errors: [] })
  })

  it('leaves out what zod says in other languages, and fails when there is none of it', async ({ onTestFinished }) => {
    const { withoutZodLocales } = await script('zod-locales.mjs')
    const { build } = await import('esbuild')
    const bundle = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: root },
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
        logLevel: 'silent',
        plugins: [withoutZodLocales()],
      })
      return outputFiles[0]!.text
    }
    const code = await bundle(
      "import { z } from 'zod'; export const said = z.string().safeParse(1).error.issues[0].message",
    )
    expect(code).not.toContain('Entrada inválida')
    const file = join(await tempHome(onTestFinished), 'said.mjs')
    writeFileSync(file, code)
    expect(await import(/* @vite-ignore */ file)).toMatchObject({
      said: 'Invalid input: expected string, received number',
    })
    await expect(bundle('export {}')).rejects.toThrow('zod no longer imports')
  })

  it('writes what a hook process reads in ASCII, with the same meaning', async () => {
    const { inAscii } = await script('ascii.mjs')
    const code = [
      'text => [text.match(/[’é]\\d{2}|[😀-😎]+/gu), text.replace(/“|”\\//g, "-"), String.raw`\\bgrün\\b$',
      '{text.length}\\``]',
    ].join('')
    const ascii: string = inAscii(code)
    const of = (source: string) => new Function('text', `return (${source})(text)`)('é12 “a”/ 😂 ’7 😀😁')
    expect(ascii).toMatch(/^[ -~]+$/)
    expect(of(ascii)).toEqual(of(code))
    expect(of(ascii)).toEqual([['é12', '😂', '😀😁'], 'é12 -a- 😂 ’7 😀😁', '\\bgrün\\b19\\`'])
    expect(inAscii('import "a";export const b=/é/', { isModule: true })).toBe('import "a";export const b=/\\u00e9/')
  })

  it('fails when this Node does not know a V8 flag that Grove sets', async ({ onTestFinished }) => {
    const { checkV8Flags } = await script('v8-flags.mjs')
    await expect(checkV8Flags(root)).resolves.toBeUndefined()
    const folder = await tempHome(onTestFinished)
    mkdirSync(join(folder, 'src', 'proxy'), { recursive: true })
    writeFileSync(join(folder, 'src', 'proxy', 'heap.ts'), "export const HEAP_FLAG = '--heap-shrinking-percent'")
    await expect(checkV8Flags(folder)).rejects.toThrow('does not know the V8 flag --heap-shrinking-percent')
  })
})

async function script(name: string) {
  return import(/* @vite-ignore */ new URL(`../scripts/${name}`, import.meta.url).href)
}

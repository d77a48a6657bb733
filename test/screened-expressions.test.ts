import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { simple } from 'acorn-walk'
import { transformSync } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayMatch } from '#core/text/screened.ts'

// In what a hook process runs without a daemon, an expression is compiled only for a text that has letters which it needs
// (scripts/screen-expressions.mjs). A text that matches must always have them.

const root = join(import.meta.dirname, '..')
const core = join(root, 'src', 'core')
const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

const expressions = files
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) => {
    const { code } = transformSync(readFileSync(join(core, file), 'utf8'), { loader: 'ts' })
    const found: { pattern: string; flags: string }[] = []
    simple(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
      Literal(node) {
        if (node.regex) found.push(node.regex)
      },
    })
    return found
  })

/** What people and programs write, as far as tests and corpora hold it. */
const texts = [
  ...files.filter((file) => file.includes('.test.')).map((file) => join(core, file)),
  ...['guard/harmless.txt', 'secrets/strangers.jsonl', 'secrets/templates-secrets.txt', 'learnings/pairs.jsonl'].map(
    (file) => join(root, 'test', 'corpus', file),
  ),
].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, 400))

const { packing } = (await import(join(root, 'scripts', 'screen-expressions.mjs'))) as {
  packing(root: string): Promise<(pattern: string, flags: string) => string | undefined>
}
const pack = await packing(root)
const screens = expressions.flatMap(({ pattern, flags }) => {
  const needs = pack(pattern, flags)
  return needs === undefined
    ? []
    : [{ pattern, flags, needs, expression: new RegExp(pattern, flags.replace(/[gy]/g, '')) }]
})

describe('expressions that are compiled when a text may match', () => {
  it('are those of most words', () => {
    expect(screens.length).toBeGreaterThan(500)
  })

  it('find everything that they would find', () => {
    const missed = texts.flatMap((text) =>
      screens
        .filter(({ expression, needs }) => !mayMatch(needs, text) && expression.test(text))
        .map(({ pattern }) => `${pattern} in ${text}`),
    )
    expect(missed).toEqual([])
  })

  it('find what is made to match them, in large letters too', () => {
    const missed = screens.flatMap(({ pattern, flags, needs, expression }) => {
      const made = matching(pattern, flags)
      return made
        .flatMap((text) => [text, text.toUpperCase(), `x ${text}`])
        .filter((text) => expression.test(text) && !mayMatch(needs, text))
        .map((text) => `${pattern} in ${text}`)
    })
    expect(missed).toEqual([])
  })
})

/** Texts that match; none where it cannot be told how to make them. */
function matching(pattern: string, flags: string): string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, flags.replace(/[^u]/g, ''))), { numRuns: 20, seed: 1 })
  } catch {
    return []
  }
}

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { classifyMutation } from '#exec/syntax/parse.ts'
import { BREADTH, DEVELOPMENT, HOLDOUT, mutationCases, scoreMutations } from './measure.ts'

describe.each([DEVELOPMENT, HOLDOUT, BREADTH])('the pairs of %s', (file) => {
  it('are told apart', async () => {
    const cases = mutationCases(import.meta.dirname, file)
    const score = await scoreMutations(cases)
    expect(cases.length).toBeGreaterThan(50)
    expect({ ...score, accuracy: score.accuracy >= 0.95 }).toMatchObject({ accuracy: true })
  })
})

describe('real code', () => {
  const root = join(import.meta.dirname, '../../..')
  const sources = ['src/core/shell', 'src/core/shell/commands', 'src/exec/syntax'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )
  let copy: string

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'grove-mutation-'))
    for (const file of sources) cpSync(join(root, file), join(copy, file))
    mkdirSync(join(copy, 'style'))
    const style = {
      formatter: { indentStyle: 'tab', lineWidth: 60 },
      javascript: {
        formatter: { quoteStyle: 'double', semicolons: 'always', trailingCommas: 'none', arrowParentheses: 'asNeeded' },
      },
    }
    writeFileSync(join(copy, 'style/biome.json'), JSON.stringify(style))
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    execFileSync(process.execPath, [biome, 'format', '--write', `--config-path=${join(copy, 'style')}`, 'src'], {
      cwd: copy,
      stdio: 'pipe',
    })
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('is refactored, no more, when it is formatted in another style', async () => {
    const judged = await Promise.all(
      sources.map((file) =>
        classifyMutation(readFileSync(join(root, file), 'utf8'), readFileSync(join(copy, file), 'utf8'), file),
      ),
    )
    expect(judged.filter((found) => found.class !== 'AST_REFACTOR')).toEqual([])
  })

  it('is refactored, no more, when a minifier renames its locals', async () => {
    for (const file of sources) {
      const text = readFileSync(join(root, file), 'utf8')
      const [{ code: plain }, { code: short }] = await Promise.all([
        transform(text, { loader: 'ts' }),
        transform(text, { loader: 'ts', minifyIdentifiers: true }),
      ])
      expect(await classifyMutation(plain, short, 'a.js')).toMatchObject({ class: 'AST_REFACTOR' })
    }
  })

  it('evolves when any number, comparison or word of a string is another', async () => {
    const edits: [RegExp, string][] = [
      [/(?<=return )1\b/, '2'],
      [/ === /, ' !== '],
      [/ && /, ' || '],
      [/(?<=\.has\(')\w/, 'z'],
      [/\n( *)(if \([^\n]+\)) return\b/, '\n$1return'],
    ]
    let tried = 0
    for (const file of sources) {
      const text = readFileSync(join(root, file), 'utf8')
      for (const [found, by] of edits) {
        const edited = replaceInCode(text, found, by)
        if (edited === text) continue
        tried++
        expect(await classifyMutation(text, edited, file)).toMatchObject({ class: 'INTENT_EVOLUTION' })
      }
    }
    expect(tried).toBeGreaterThan(20)
  })
})

/** Replaces the first match that does not begin in a comment. */
function replaceInCode(text: string, found: RegExp, by: string): string {
  const inCode = [...text.matchAll(new RegExp(found, 'g'))].find(
    ({ index }) => !/^\s*(?:\/\/|\/?\*)/.test(text.slice(text.lastIndexOf('\n', index - 1) + 1)),
  )
  if (!inCode) return text
  const here = new RegExp(found, 'y')
  here.lastIndex = inCode.index
  return text.replace(here, by)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { simple } from 'acorn-walk'
import { transformSync } from 'esbuild'
import { analyse } from 'scslre'
import { describe, expect, it } from 'vitest'

// A regular expression that takes quadratic time on a long text, or worse, stops the event loop, and with it the proxy of
// everybody. Prompts, commands, files and rows of a team are foreign texts, so none of ours may be of that kind.

const src = join(import.meta.dirname, '..', 'src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.|\btesting\b|\bsimulator\b/.test(file),
)

const IN_A_BROWSER = /^web/

interface Pattern {
  pattern: string
  flags: string
}

/** As they stand in the source, without those that are put together when the program runs. */
function literals(file: string): Pattern[] {
  const loader = file.endsWith('x') ? 'tsx' : 'ts'
  const { code } = transformSync(readFileSync(join(src, file), 'utf8'), { loader, jsx: 'automatic' })
  const found: Pattern[] = []
  simple(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Literal(node) {
      if (node.regex) found.push(node.regex)
    },
  })
  return found
}

/** Those that modules put together while they are loaded. */
async function composed(modules: readonly string[]): Promise<Pattern[]> {
  const found: Pattern[] = []
  const Native = globalThis.RegExp
  globalThis.RegExp = new Proxy(Native, {
    construct(target, [pattern, flags]: [string | RegExp, string | undefined]) {
      const made = new target(pattern, flags)
      found.push({ pattern: made.source, flags: made.flags })
      return made
    },
  })
  try {
    for (const file of modules) await import(join(src, file))
  } finally {
    globalThis.RegExp = Native
  }
  return found
}

function superlinear(patterns: readonly Pattern[]): string[] {
  return patterns
    .filter(({ pattern, flags }) => analyse({ source: pattern, flags }).reports.length > 0)
    .map(({ pattern, flags }) => `/${pattern}/${flags}`)
}

describe('regular expressions', () => {
  it('take linear time', () => {
    expect(files.flatMap((file) => superlinear(literals(file)).map((pattern) => `${file}: ${pattern}`))).toEqual([])
  })

  it('that are put together take linear time too', async () => {
    const modules = files.filter((file) => readFileSync(join(src, file), 'utf8').includes('new RegExp('))
    expect(superlinear(await composed(modules.filter((file) => !IN_A_BROWSER.test(file))))).toEqual([])
  })

  it('are told apart: a known bad one is found', () => {
    expect(superlinear([{ pattern: '(a+)+$', flags: '' }])).toHaveLength(1)
    expect(superlinear([{ pattern: String.raw`\s+$`, flags: '' }])).toHaveLength(1)
  })
})

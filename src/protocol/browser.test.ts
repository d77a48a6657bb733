import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('protocol needs nothing that a browser has not', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }))
  const foreign = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bfrom '([^']+)'/g)]
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('.') && !name.startsWith('#core/') && name !== 'zod')
      .map((name) => `${file}: ${name}`),
  )
  const ofNode = sources.filter(({ text }) => /\b(?:Buffer\.|process\.|require\()/.test(text)).map(({ file }) => file)
  expect([...foreign, ...ofNode]).toEqual([])
})

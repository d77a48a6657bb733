import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiDocs } from './docs.ts'

it('docs/api.md says what the schemas say (else run: node scripts/api-docs.mjs)', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8')
  expect(page).toBe(apiDocs())
})

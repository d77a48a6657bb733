import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settingsTables } from '../../scripts/settings-tables.ts'
import { leaves } from './config.ts'
import { IMPORTANT_SETTINGS } from './important-settings.ts'
import { envNames } from './setting.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'configuration.md'), 'utf8')

it('docs/configuration.md says what the schema says (else run: node scripts/config-table.mjs)', () => {
  expect(page).toContain(settingsTables())
})

it('the ten settings that matter most are settings', () => {
  const keys = leaves.map(({ key }) => key)
  expect(IMPORTANT_SETTINGS).toHaveLength(10)
  for (const key of IMPORTANT_SETTINGS) expect(keys).toContain(key)
})

it('every setting has a key of its own, a sentence and an environment variable nobody else has', () => {
  const keys = leaves.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const names = leaves.flatMap((leaf) => envNames(leaf))
  expect(new Set(names).size).toBe(names.length)
  for (const { about } of leaves) expect(about).toMatch(/^[A-Z].*\.$/)
})

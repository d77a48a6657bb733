import { expect, it } from 'vitest'
import { isOlder } from './versions.ts'

it.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0', '0.10.9', false],
  ['1.2.3', '1.2.3', false],
  ['1.0.0-beta.2', '1.0.0', true],
  ['1.0.0-beta.2', '1.0.0-beta.10', true],
  ['1.0.0', '1.0.0-beta.2', false],
  ['', '0.0.1', true],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected)
})

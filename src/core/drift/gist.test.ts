import { expect, it } from 'vitest'
import { gistOf, weight } from './gist.ts'

it.each([
  ['src/auth/token.test.ts', 'token', 'test'],
  ['tests/test_helpers.py', 'helpers', 'test'],
  ['modules/caddyhttp/auth_test.go', 'auth', 'test'],
  ['axum/src/routing/mod.rs', 'routing', 'source'],
  ['docs/guide.md', 'guide', 'docs'],
  ['Cargo.toml', 'cargo', 'config'],
])('%s is about %s, a %s file', (path, stem, role) => {
  expect(gistOf({ kind: 'read', path })).toMatchObject({ stem, role })
})

it('finds the file a command is about, and nothing in a command of any task', () => {
  expect(gistOf({ kind: 'cmd', cmd: 'npx vitest run packages/zod/src/uz.test.ts' })?.path).toBe(
    'packages/zod/src/uz.test.ts',
  )
  expect(gistOf({ kind: 'cmd', cmd: 'go test ./modules/auth/...' })?.path).toBe('modules/auth')
  for (const cmd of ['git status', 'npm test', 'cargo test', 'go test ./...', 'pytest -q']) {
    expect(gistOf({ kind: 'cmd', cmd })).toBeUndefined()
  }
})

it('weighs rare words more than common ones', () => {
  expect(weight('return')).toBeLessThan(weight('token'))
  expect(weight('token')).toBeLessThan(weight('bcrypt'))
})

it('looks at the start of a long diff only', () => {
  const diff = Array.from({ length: 300 }, (_, n) => `+line${n} special${n}`).join('\n')
  expect(gistOf({ kind: 'edit', path: 'a.ts', diff })!.text.length).toBeLessThan(64)
})

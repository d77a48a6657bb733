import { describe, expect, it } from 'vitest'
import { isSubstantial, isTest, sizeOf } from './own-work.ts'

const least = { lines: 40, files: 3, tests: 1 }

describe('work is substantial', () => {
  it('with forty lines in three files, or in fewer with a test', () => {
    expect(isSubstantial(sizeOf({ 'a.ts': 20, 'b.ts': 10, 'c.ts': 10 }), least)).toBe(true)
    expect(isSubstantial(sizeOf({ 'a.ts': 20, 'a.test.ts': 20 }), least)).toBe(true)
  })

  it('neither with many lines of one file alone, nor with a few in many', () => {
    expect(isSubstantial(sizeOf({ 'a.ts': 400 }), least)).toBe(false)
    expect(isSubstantial(sizeOf({ 'a.ts': 5, 'b.ts': 5, 'c.ts': 5, 'd.test.ts': 5 }), least)).toBe(false)
  })

  it('only by what was written since it was last accounted for', () => {
    const before = { 'a.ts': 30, 'b.ts': 30, 'c.ts': 30 }
    expect(sizeOf(before, before)).toEqual({ lines: 0, files: 0, tests: 0 })
    expect(sizeOf({ ...before, 'a.ts': 50, 'new.test.ts': 25 }, before)).toEqual({ lines: 45, files: 2, tests: 1 })
  })
})

it('does not count what a tool wrote', () => {
  expect(sizeOf({ 'proto/user.pb.go': 900, 'src/user.ts': 3 })).toMatchObject({ lines: 3, files: 1 })
})

it.each([
  'src/a.test.ts',
  'tests/login.py',
  'app/test_login.py',
  'pkg/login_test.go',
  'src/LoginTest.java',
  'spec/login_spec.rb',
  'e2e/cart.cy.js',
])('%s is a test', (file) => expect(isTest(file)).toBe(true))

it.each(['src/latest.ts', 'src/contest.py', 'src/attest.go', 'src/testing.ts'])('%s is none', (file) =>
  expect(isTest(file)).toBe(false),
)

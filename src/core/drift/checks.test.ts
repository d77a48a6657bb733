import { describe, expect, it } from 'vitest'
import { checkCircling, checkConstraints, checkCorrections, checkScope, covers } from './checks.ts'
import type { DriftAction } from './gist.ts'
import { scoreAction, startTrail } from './score.ts'

const edit = (path: string, diff = '+x'): DriftAction => ({ kind: 'edit', path, diff })

describe('constraints', () => {
  it.each([
    ["don't touch the schema", 'src/db/schema.ts', true],
    ["don't modify the database schema", 'src/database/schema.sql', true],
    ['leave migrations/ alone', 'migrations/003_users.sql', true],
    ['Do not edit src/core/gate.ts', 'src/core/gate.ts', true],
    ['Do not edit src/core/gate.ts', 'src/core/gate.test.ts', false],
    ['never change the public API of auth', 'src/auth/token.ts', false],
    ['Do not edit src/core/gate.ts', 'src/core', true],
    ['Do not edit src/core/gate.ts', '.', true],
    ['Do not edit src/core/gate.ts', 'src/cor', false],
    ['keep the tests green', 'src/auth/tests/token.test.ts', false],
    ['use the schema for validation', 'src/db/schema.ts', false],
  ])('"%s" and a change of %s: %s', (constraint, path, broken) => {
    expect(checkConstraints(edit(path), [constraint]) !== undefined).toBe(broken)
  })

  it('let the agent read what it may not change', () => {
    expect(checkConstraints({ kind: 'read', path: 'src/db/schema.ts' }, ["don't touch the schema"])).toBeUndefined()
  })
})

describe('scope', () => {
  it.each([
    [['src/auth/'], 'src/auth/token.ts', true],
    [['src/auth'], 'src/authority.ts', false],
    [['src/auth/**'], './src/auth/deep/token.ts', true],
    [['src/auth/*.ts'], 'src/auth/token.ts', true],
    [['src/auth/token.ts'], 'src/auth/token.ts', true],
    [['src/auth/', 'docs/'], 'src/web/app.tsx', false],
  ])('%j covers %s: %s', (scope, path, inside) => {
    expect(covers(scope, path)).toBe(inside)
  })

  it('weighs a test outside it less than a source file, and reading not at all', () => {
    expect(checkScope(edit('src/web/app.tsx'), ['src/auth/'])?.lowers).toBe(3)
    expect(checkScope(edit('test/web/app.test.tsx'), ['src/auth/'])?.lowers).toBe(1)
    expect(checkScope({ kind: 'read', path: 'src/web/app.tsx' }, ['src/auth/'])).toBeUndefined()
  })
})

describe('circling', () => {
  const notesAfter = (...actions: DriftAction[]) =>
    actions.reduce((trail, action) => scoreAction(trail, action).trail, startTrail('make the parser faster')).notes
  const same = edit('src/parser.ts', '-const limit = 10\n+const limit = 20')
  const back = edit('src/parser.ts', '-const limit = 20\n+const limit = 10')

  it('is the third edit of one file that brings nothing new', () => {
    expect(checkCircling(notesAfter(same), back)).toBeUndefined()
    expect(checkCircling(notesAfter(same, { kind: 'cmd', cmd: 'npm test' }, back), same)).toMatchObject({ atMost: 7 })
  })

  it('is not steady progress in one file, nor an edit after work elsewhere', () => {
    expect(checkCircling(notesAfter(same, back), edit('src/parser.ts', '+cache = new Map()'))).toBeUndefined()
    expect(checkCircling(notesAfter(same, back, { kind: 'read', path: 'src/lexer.ts' }), same)).toBeUndefined()
  })
})

it('ignored corrections make only off-goal scores worse', () => {
  expect([checkCorrections(9, 2), checkCorrections(6, 2), checkCorrections(2, 5)]).toEqual([9, 4, 1])
})

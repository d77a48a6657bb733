import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../../test/support/shell.ts'
import { covers } from '../../text/covers.ts'
import type { DriftAction } from '../gist.ts'
import { checkConstraints, checkScope } from './limits.ts'

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

  it('that something be kept is broken by who takes it away', () => {
    const path = 'analysis/fixtures/winter.csv'
    const limits = ['Do not delete the fixtures']
    expect(checkConstraints(edit(path), limits)).toBeUndefined()
    expect(checkConstraints({ kind: 'write', path, destroys: true }, limits)).toMatchObject({ proof: 'limit' })
  })

  it('that no word closes are the request itself, perhaps, and no more than a reminder', () => {
    const asked = checkConstraints(edit('README.md'), ['Rabatt ab 5 Karten. Tests und README auch bitte'])
    expect(asked).toBeUndefined()
    // That something is to survive the work closes nothing by itself.
    const kept =
      'Walk through the apps (models, forms, admin, tests) and change it; with a RenameField migration so data survives'
    expect(checkConstraints(edit('shop/tests/factories.py'), [kept])).toMatchObject({ atMost: 7, isGuess: true })
    const said = checkConstraints(edit('src/queue.c'), ['look and mend, sensor files only please'])
    expect(said?.isGuess).toBeUndefined()
    expect(said?.atMost).toBeLessThan(7)
  })

  it('let the agent read what it may not change', () => {
    expect(checkConstraints({ kind: 'read', path: 'src/db/schema.ts' }, ["don't touch the schema"])).toBeUndefined()
  })

  it.each([
    ['bin/rails runner "Honey.where(year: 2022).update_all(kg: 3)"', true],
    ['psql -c "UPDATE jars SET kg = 3"', true],
    ['terragrunt run-all apply', true],
    ['git push origin main', true],
    ['bin/rails runner "p Honey.count"', false],
    ['psql -c "SELECT * FROM jars"', false],
    ['terraform plan', false],
    ['git tag -l', false],
    ['git tag', false],
    ['git tag v2', true],
    ['git -C jars commit -m x', true],
    ['sudo -u postgres psql -c "DROP TABLE jars"', true],
    ["ssh jars 'sudo systemctl restart honey'", true],
    ['grep -rn "INSERT INTO jars" db', false],
    ['echo git push', false],
    ['git log --grep "terraform apply"', false],
  ])('that want an answer only speak against what changes more than files: %s %s', (cmd, isAgainst) => {
    const check = checkConstraints({ kind: 'cmd', cmd, ran: invocationsIn(cmd) }, ['Question only: why is 2022 empty?'])
    expect(check?.atMost).toBe(isAgainst ? 6 : undefined)
    expect(check?.proof).toBeUndefined()
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

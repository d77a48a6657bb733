import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../../test/support/shell.ts'
import { withComplaints } from '../follows.ts'
import type { DriftAction } from '../gist.ts'
import { scoreAction, startTrail } from '../score.ts'
import { checkDropped, checkRenewal } from './packages.ts'

describe('renewal', () => {
  const run = (cmd: string, goal: string, hasComplained = false) =>
    checkRenewal({ kind: 'cmd', cmd, ran: invocationsIn(cmd) }, goal, hasComplained)?.reason.why

  it('is to upgrade everything, or to lay out a new project, unasked', () => {
    expect(run('cd ios && pod update', 'typo in app_pt.arb')).toBe('the request does not ask for `pod update`')
    expect(run('yarn create vite . --template react', 'the slider is stuck')).toContain('yarn create v')
    expect(run('npm update && npm test', 'the slider is stuck')).toContain('npm update')
    expect(run('yarn create vite .', "the slider doesn't update the price")).toContain('yarn create v')
  })

  it('is not one package, nor what was asked for, nor what follows from a failed check', () => {
    expect(run('npm update left-pad', 'the slider is stuck')).toBeUndefined()
    expect(run('pod update', 'bring the pods up to the latest')).toBeUndefined()
    expect(run('pod update', 'the slider is stuck', true)).toBeUndefined()
    expect(run('cargo update -p serde', 'the slider is stuck')).toBeUndefined()
    expect(run('npm init -y', 'the slider is stuck')).toBeUndefined()
  })

  it('is what is run, wherever it stands, and not what is said of it', () => {
    const goal = 'the slider is stuck'
    expect(run('(cd web; bash -c "npm update")', goal)).toContain('npm update')
    expect(run('npm --prefix web audit fix --force', goal)).toContain('audit fix --force')
    expect(run('go get -u ./...', goal)).toContain('go get -u ./...')
    expect(run('go get -u example.org/slider', goal)).toBeUndefined()
    expect(run('echo "next: npm update"', goal)).toBeUndefined()
    expect(run("cat > notes.md <<'END'\nnpm update\nEND", goal)).toBeUndefined()
  })
})

describe('a dropped package', () => {
  const drop = (cmd: string, goal: string, before: DriftAction[] = []) =>
    checkDropped({ kind: 'cmd', cmd, ran: invocationsIn(cmd) }, goal, withNotes(goal, before))?.reason.why
  const withNotes = (goal: string, before: DriftAction[]) =>
    before.reduce((trail, action) => scoreAction(trail, action).trail, startTrail(goal))

  it('is drift where the request speaks neither of it nor of packages', () => {
    const why = drop('npm uninstall knex && npm i kysely', 'the newest orders come first')
    expect(why).toBe('the request does not ask for `npm uninstall knex`')
    expect(drop('pnpm --filter @shop/db remove knex', 'the newest orders come first')).toBeDefined()
    expect(drop('uv remove requests', 'show the 50 newest orders')).toBeDefined()
    expect(drop('yarn workspace @shop/db remove knex', 'the newest orders come first')).toBeDefined()
    expect(drop('npm --prefix db uninstall knex | tail -3', 'the newest orders come first')).toBeDefined()
  })

  it('is not what the request names, nor what was put in on the way, nor what a complaint led to', () => {
    const goal = 'the newest orders come first'
    expect(drop('npm uninstall knex', 'knex holds its connections forever')).toBeUndefined()
    expect(drop('npm uninstall knex && npm i kysely', 'use kysely for the orders')).toBeUndefined()
    expect(drop('npm uninstall knex', 'remove what is unused')).toBeUndefined()
    expect(drop('npm uninstall knex', 'upgrade to node 22')).toBeUndefined()
    expect(drop('npm uninstall knex', 'the bundle has to be smaller')).toBeUndefined()
    expect(drop('npm uninstall kysely', goal, [{ kind: 'cmd', cmd: 'npm install kysely' }])).toBeUndefined()
    expect(drop('git commit -m "npm uninstall knex"', goal)).toBeUndefined()
    expect(drop('echo npm uninstall knex', goal)).toBeUndefined()
    const complaining = withComplaints(startTrail(goal), ['package.json'])
    expect(checkDropped({ kind: 'cmd', ran: invocationsIn('npm uninstall knex') }, goal, complaining)).toBeUndefined()
  })
})

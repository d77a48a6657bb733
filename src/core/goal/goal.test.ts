import { describe, expect, it } from 'vitest'
import { RUN_GOAL } from './driven.ts'
import { extractGoal, keywordsOf } from './goal.ts'

describe('a goal is read from the instruction', () => {
  it('skips the greeting, and keeps the request with what it is about', () => {
    expect(extractGoal('Hi there!\nWe had an outage yesterday. Fix the token refresh in src/auth/token.ts.').goal).toBe(
      'We had an outage yesterday. Fix the token refresh in src/auth/token.ts.',
    )
  })

  it('is what is wrong where the request itself names nothing', () => {
    const wrong = 'The upload handler in lib/upload.js leaks sockets when the client aborts.'
    expect(extractGoal(`${wrong} Please fix it.`).goal).toBe(`Fix: ${wrong}`)
    expect(extractGoal('parseDate is off by one month. Fix it. Do not touch the tests.').goal).toBe(
      'Fix: parseDate is off by one month.',
    )
    expect(extractGoal('Please fix it.').goal).toBe('Please fix it.')
  })

  it("keeps what must not happen, in the user's words", () => {
    const { constraints } = extractGoal(
      "Add pagination to the users API. Don't touch the schema, and keep the old endpoint unchanged.",
    )
    expect(constraints).toEqual(["Don't touch the schema, and keep the old endpoint unchanged"])
  })

  it.each([
    ['From now on never change anything under migrations/. And list the plots by name.', 'And list the plots by name.'],
    [
      'Clean up analysis/: dead code. Do not delete the fixtures, the auditors want them.',
      'Clean up analysis/: dead code.',
    ],
    ['Sort the plots. Only in dashboard/. The API stays as it is.', 'Sort the plots.'],
    ['Only change src/a.ts so that it logs', 'Only change src/a.ts so that it logs'],
  ])('leaves sentences out that only say what must not happen: %s', (said, goal) => {
    expect(extractGoal(said).goal).toBe(goal)
  })

  it('does not count a forbidden path as expected scope', () => {
    const { expectedScope } = extractGoal('Refactor src/api/users.ts. Do not edit src/db/schema.sql.')
    expect(expectedScope).toEqual(['src/api/users.ts'])
  })

  it('keeps telling words once, whatever their form', () => {
    expect(keywordsOf('Please fix the caching: cached tokens expire, the cache is stale')).toEqual([
      'caching',
      'tokens',
      'expire',
      'stale',
    ])
  })

  it("is what Grove's own workflow says a run is for, and nothing of the message around it", () => {
    const driven = `# ${RUN_GOAL}\n\nWrite the route: in src/login.ts\n\n# The approved plan\n\n1. Write the route\n\nImplement the step.`
    expect(extractGoal(driven)).toMatchObject({ goal: 'Write the route: in src/login.ts' })
    expect(extractGoal(driven).keywords).not.toContain('approved')
  })

  it('holds what is asked for before the heads of its lists', () => {
    const said = `Background of the project in a few words for you:\n${'It grew for years. '.repeat(8)}\nTasks:\nElimina la exportación antigua`
    expect(extractGoal(said).goal).toContain('Elimina la exportación antigua')
  })

  it('survives an empty and a huge instruction', () => {
    expect(extractGoal('').goal).toBe('')
    expect(extractGoal('fix it '.repeat(100_000)).goal.length).toBeLessThanOrEqual(240)
  })
})

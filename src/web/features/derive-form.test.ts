import { expect, it } from 'vitest'
import { nearFolder, openIn, problemsOf, usualCost, wrongFields } from './derive-form.ts'

const KNOWN = ['/home/you/dispatch-api', '/home/you/tracker-web']

it.each([
  ['/home/you/dispatch-ap', '/home/you/dispatch-api'],
  ['/home/you/dispatch-api2', '/home/you/dispatch-api'],
  ['/srv/Tracker-Web/', '/home/you/tracker-web'],
  ['/home/you/dispatch-api', undefined],
  ['/home/you', undefined],
  ['/', undefined],
  ['', undefined],
])('offers for %j the known folder %j', (typed, near) => {
  expect(nearFolder(typed, KNOWN)).toBe(near)
})

const feature = (costUsd: number, day: number, more = {}) => ({
  status: 'completed' as const,
  costUsd,
  updatedAt: `2026-03-0${day}T00:00:00.000Z`,
  projectPath: '/home/you/dispatch-api',
  archived: false,
  deleted: false,
  ...more,
})

it('says what the last five complete features have cost, once there are three', () => {
  expect(usualCost([feature(2, 1), feature(3, 2), feature(9, 3, { status: 'active' })])).toBeUndefined()
  const seven = [1, 2, 3, 4, 5, 6, 7].map((day) => feature(day, day))
  expect(usualCost(seven)).toEqual({ of: 5, from: 3, to: 7 })
})

it('counts the features that are under way in the same folder', () => {
  const open = feature(1, 1, { status: 'paused' })
  const others = [feature(1, 1), { ...open, archived: true }, { ...open, projectPath: '/srv/other' }]
  expect(openIn([open, ...others], '/home/you/dispatch-api')).toBe(1)
})

it('names what is wrong from the top of the form down, whatever is found first', () => {
  const path = { path: '/src/biling', ok: false, message: 'It does not exist', remedy: 'Check the path' }
  const form = { title: '', projectPath: '/src/biling', description: '', acceptanceCriteria: [] }
  const problems = problemsOf(form as never, path as never)
  expect(wrongFields(problems)).toEqual(['title', 'projectPath', 'description', 'acceptanceCriteria'])
})

import { expect, it } from 'vitest'
import { nearFolder } from './derive-form.ts'

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

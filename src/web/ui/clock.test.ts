import { expect, it } from 'vitest'
import { noteServerTime, serverNow } from './clock.ts'

it('goes by the server, and by the own clock where both agree or nothing is told', () => {
  const apart = () => Math.round((serverNow() - Date.now()) / 60_000)
  expect(apart()).toBe(0)
  noteServerTime(new Date(Date.now() - 3 * 3_600_000).toUTCString())
  expect(apart()).toBe(-180)
  noteServerTime(null)
  noteServerTime('no date')
  expect(apart()).toBe(-180)
  noteServerTime(new Date().toUTCString())
  expect(apart()).toBe(0)
})

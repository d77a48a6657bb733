import { expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { ENDED_SESSION, SESSION_STATE } from '../session/session-store.ts'
import { sweepIdleSessions } from './sweep.ts'

const DAY = 86_400_000

it('closes sessions that nobody has touched for a day, and forgets in time what a resumed one would need', async ({
  onTestFinished,
}) => {
  const store = await openSqliteStore({ file: ':memory:' })
  onTestFinished(() => store.close())
  const now = 100 * DAY
  await store.states.put(SESSION_STATE, 'silent', {}, now - 2 * DAY)
  await store.states.put(SESSION_STATE, 'busy', {}, now)
  await store.states.put(ENDED_SESSION, 'ended', {}, now - 10 * DAY)
  await store.states.put(ENDED_SESSION, 'long ago', {}, now - 50 * DAY)
  const closed: string[] = []
  const abandon = async (sessionId: string) => void closed.push(sessionId)
  expect(await sweepIdleSessions({ store, clock: { now: () => now } }, { abandon })).toBe(1)
  expect(closed).toEqual(['silent'])
  expect(await store.states.get(ENDED_SESSION, 'ended')).toEqual({})
  expect(await store.states.get(ENDED_SESSION, 'long ago')).toBeUndefined()
})

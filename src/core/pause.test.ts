import { describe, expect, it } from 'vitest'
import {
  isPausedBy,
  keysOfSession,
  NO_PAUSES,
  pauseKey,
  scopeOf,
  withoutPauses,
  withPause,
  withPausedSession,
} from './pause.ts'

describe('a pause', () => {
  it('holds until its end, or until a person ends it', () => {
    const book = withPause(
      withPause(NO_PAUSES, { type: 'all' }, { at: 1, until: 5 }),
      { type: 'project', id: 'p' },
      { at: 1 },
    )
    expect(isPausedBy(book, ['all'], 4)).toBe(true)
    expect(isPausedBy(book, ['all'], 5)).toBe(false)
    expect(isPausedBy(book, ['project p'], 1e12)).toBe(true)
    expect(isPausedBy(withoutPauses(book, ['project p']), ['project p'], 2)).toBe(false)
  })

  it('keeps a session that it has met, wherever that goes, and leaves its transcript unread', () => {
    const book = withPausedSession(withPause(NO_PAUSES, { type: 'project', id: 'p' }, { at: 1 }), ['project p'], 's1')
    expect(keysOfSession(book, 's1')).toEqual(['project p'])
    expect(keysOfSession(book, 's2')).toEqual([])
    expect(withoutPauses(book, ['project p']).unread).toEqual(['s1'])
  })

  it('leaves the book when it is over', () => {
    const old = withPause(NO_PAUSES, { type: 'session', id: 's1' }, { at: 1, until: 2 })
    expect(withPause(old, { type: 'all' }, { at: 3 })).toEqual({
      pauses: { all: { at: 3, sessions: [] } },
      unread: ['s1'],
    })
  })
})

it.each([{ type: 'all' }, { type: 'session', id: 's 1' }, { type: 'project', id: 'path:/a b' }] as const)(
  'the scope %o is kept by a key of its own',
  (scope) => {
    expect(scopeOf(pauseKey(scope))).toEqual(scope)
  },
)

import { describe, expect, it } from 'vitest'
import {
  firstShares,
  isExchanging,
  type Shares,
  sharedWith,
  teamAt,
  withExchange,
  withoutExchange,
  withoutShares,
  withShare,
  withTeam,
} from './shares.ts'

const NONE: Shares = firstShares([], 0)
const TEAM = 'db.example:5432/grove'

describe('a project', () => {
  it('is shared with the team it was shared with, and with no other', () => {
    const shares = withShare(NONE, 'p', { team: TEAM, at: 1 })
    expect(sharedWith(shares, TEAM)).toEqual(['p'])
    expect(sharedWith(shares, 'db.example:5432/other')).toEqual([])
  })

  it('that was sent before stays shared, with the first team it is exchanged with', () => {
    const shares = firstShares(['p'], 1)
    expect(sharedWith(shares, TEAM)).toEqual(['p'])
    const begun = withExchange(shares, 'e', { projectId: 'p', team: TEAM, now: 2, until: 9 })
    expect(sharedWith(begun, TEAM)).toEqual(['p'])
    expect(sharedWith(begun, 'elsewhere:5432/grove')).toEqual([])
  })

  it('is not shared any more when the home joins another team', () => {
    const shares = withTeam(withShare(NONE, 'p', { team: TEAM, at: 1 }), 'elsewhere:5432/grove')
    expect(sharedWith(withTeam(shares, TEAM), TEAM)).toEqual([])
  })
})

describe('an exchange', () => {
  const wish = { projectId: 'p', team: TEAM, now: 2, until: 9 }

  it('begins only while the project is shared, and is waited for until it ends or is overdue', () => {
    const shares = withShare(withShare(NONE, 'p', { team: TEAM, at: 1 }), 'q', { team: TEAM, at: 1 })
    const begun = withoutShares(withExchange(shares, 'e', wish), ['p'])
    expect(isExchanging(begun, ['p'], 3)).toBe(true)
    expect(isExchanging(begun, undefined, 3)).toBe(true)
    expect(isExchanging(begun, ['q'], 3)).toBe(false)
    expect(isExchanging(begun, ['p'], 9)).toBe(false)
    expect(isExchanging(withoutExchange(begun, 'e'), undefined, 3)).toBe(false)
    expect(withExchange(begun, 'f', wish).exchanges).not.toHaveProperty('f')
    expect(sharedWith(withoutShares(shares, undefined), TEAM)).toEqual([])
  })
})

it('a team is its server, port and database, whoever logs in', () => {
  expect(teamAt('postgresql://ada:secret@DB.example/grove?sslmode=require')).toBe(TEAM)
  expect(teamAt('postgres://bob@db.example:5432/grove')).toBe(TEAM)
})

import { describe, expect, it } from 'vitest'
import type { Memory } from './memory.ts'
import { actedOn, oddsOf } from './use.ts'

const memory: Memory = {
  id: 'm',
  projectId: 'p',
  instruction: 'x',
  goal: 'Fix the token refresh',
  reasoningTrace: ['`refreshToken` must call clockSkew before expires_at is read'],
  decisions: [],
  constraints: [],
  files: ['src/auth/token.ts', 'src/auth/clock.ts'],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: 1,
}
const work = { files: [], said: '', instruction: 'Make sessions longer' }

describe('a memory has helped', () => {
  it('when the agent went to its files unasked', () => {
    expect(actedOn(memory, { ...work, files: ['src/auth/clock.ts'] })).toBe('files')
  })

  it('when it took up its words', () => {
    expect(actedOn(memory, { ...work, said: 'I call clockSkew and read expires_at afterwards.' })).toBe('words')
  })

  it('but not when the user had sent it there or used the words', () => {
    const instruction = 'Change src/auth/clock.ts: clockSkew must come before expires_at'
    expect(
      actedOn(memory, { files: ['src/auth/clock.ts'], said: 'clockSkew, expires_at', instruction }),
    ).toBeUndefined()
    expect(actedOn(memory, { ...work, files: ['src/other.ts'], said: 'clockSkew is fine' })).toBeUndefined()
  })
})

describe('experience', () => {
  it('says nothing about what was never shown, and speaks for what was used and against what was not', () => {
    expect(oddsOf({ shown: 0, used: 0 })).toBe(0)
    expect(oddsOf({ shown: 4, used: 4 })).toBeCloseTo(Math.log(3))
    expect(oddsOf({ shown: 4, used: 0 })).toBeCloseTo(-Math.log(3))
    expect(oddsOf({ shown: 40, used: 0 })).toBeLessThan(-3)
  })
})

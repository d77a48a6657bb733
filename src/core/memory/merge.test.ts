import { describe, expect, it } from 'vitest'
import type { Memory } from './memory.ts'
import { joined, kinship } from './merge.ts'

const DAY = 86_400_000
const memory = (id: string, more: Partial<Memory> = {}): Memory => ({
  id,
  projectId: 'p',
  user: 'ada',
  instruction: 'x',
  goal: 'Fix the token refresh at the gateway',
  reasoningTrace: [],
  decisions: [],
  constraints: [],
  files: ['src/auth/token.ts', 'src/auth/session.ts'],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: 100 * DAY,
  ...more,
})

describe('a new memory and an older one', () => {
  const older = memory('old', { sessionId: 's1' })

  it('are one when the session went on with its work', () => {
    const newer = memory('new', {
      sessionId: 's1',
      goal: 'Fix token refresh at the gateway',
      files: ['src/auth/token.ts'],
    })
    expect(kinship(newer, older)).toBe('same')
  })

  it('are one when the same person did the same a day later', () => {
    expect(kinship(memory('new', { createdAt: 101 * DAY }), older)).toBe('same')
  })

  it('are successors when somebody did it again much later', () => {
    const newer = memory('new', { user: 'bob', createdAt: 200 * DAY, reasoningTrace: ['A different cause this time'] })
    expect(kinship(newer, memory('old', { reasoningTrace: ['The unit was wrong'] }))).toBe('successor')
  })

  it('are strangers with other goals or other files', () => {
    expect(kinship(memory('new', { goal: 'Log token refreshes to the audit trail' }), older)).toBe('other')
    expect(kinship(memory('new', { files: ['src/billing/invoice.ts'], user: 'bob' }), older)).toBe('other')
    expect(kinship(memory('new', { projectId: 'q' }), older)).toBe('other')
  })

  it('are strangers when the older one is superseded already', () => {
    expect(kinship(memory('new', { user: 'bob', createdAt: 200 * DAY }), memory('old', { supersededBy: 'x' }))).toBe(
      'other',
    )
  })
})

describe('two that are one', () => {
  it('keep the older id and everything either knew, the newer one first', () => {
    const older = memory('old', {
      reasoningTrace: ['a'],
      decisions: [{ choice: 'Use a cache for prices', reason: 'old reason' }],
      files: ['x'],
      tags: ['one'],
    })
    const newer = memory('new', {
      reasoningTrace: ['b', 'a'],
      decisions: [{ choice: 'Use a cache for prices', reason: 'new reason' }],
      files: ['y'],
      tags: ['two'],
      status: 'partial',
      linkedCommit: 'abc',
    })
    const one = joined(older, newer, 200 * DAY, 'bob')
    expect(one).toMatchObject({
      id: 'old',
      reasoningTrace: ['b', 'a'],
      decisions: [{ choice: 'Use a cache for prices', reason: 'new reason' }],
      files: ['x', 'y'],
      tags: ['one', 'two'],
      status: 'complete',
      linkedCommit: 'abc',
      createdAt: older.createdAt,
      updatedAt: 200 * DAY,
      updatedBy: 'bob',
    })
  })
})

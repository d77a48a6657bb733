import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterSpawn, type Breaker, CLOSED, resetBreaker, type SpawnOutcome } from './circuit-breaker.ts'
import { isExit, NO_SIGNALS, noteSpawn } from './exit.ts'

const good: SpawnOutcome = {
  filesChanged: 1,
  error: '',
  testOnly: false,
  outputLength: 1000,
  confidence: 80,
  reported: false,
}

function run(spawns: Partial<SpawnOutcome>[]) {
  return spawns.reduce<ReturnType<typeof afterSpawn>>(
    (before, spawn) => afterSpawn(before.breaker, { ...good, ...spawn }),
    { breaker: CLOSED, trigger: null, context: '', warning: null },
  )
}

describe('the breaker', () => {
  it.each([
    [
      'three runs without a change',
      [{ filesChanged: 0 }, { filesChanged: 0 }, { filesChanged: 0 }],
      'HALF_OPEN',
      'no_file_changes',
    ],
    ['the same error five times', Array(5).fill({ error: 'Error: x' }), 'OPEN', 'same_error'],
    [
      'an answer that is 70 % shorter',
      [{ outputLength: 1000 }, { outputLength: 300 }],
      'HALF_OPEN',
      'declining_output',
    ],
    ['an answer that leaves doubt', [{ confidence: 49 }], 'HALF_OPEN', 'low_confidence'],
  ] as const)('opens after %s', (_, spawns, state, trigger) => {
    expect(run([...spawns])).toMatchObject({ breaker: { state }, trigger })
  })

  it.each([
    ['two runs without a change and one with', [{ filesChanged: 0 }, { filesChanged: 0 }, {}]],
    ['four times the same error, then another', [...Array(4).fill({ error: 'Error: x' }), { error: 'Error: y' }]],
    ['an answer that is 69 % shorter', [{ outputLength: 1000 }, { outputLength: 310 }]],
    [
      'steps that needed no change, and said so',
      Array(5).fill({ filesChanged: 0, reported: true, outputLength: 10, confidence: 0 }),
    ],
  ] as const)('stays closed after %s', (_, spawns) => {
    expect(run([...spawns]).breaker.state).toBe('CLOSED')
  })

  it('only warns when three runs in a row test', () => {
    expect(run(Array(3).fill({ testOnly: true }))).toMatchObject({
      breaker: { state: 'CLOSED' },
      warning: expect.stringContaining('3 runs'),
    })
  })

  it('stays open until a person resets it', () => {
    const spawn = fc.record({
      filesChanged: fc.nat(3),
      error: fc.constantFrom('', 'e'),
      testOnly: fc.boolean(),
      outputLength: fc.nat(2000),
      confidence: fc.nat(100),
      reported: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(spawn), (spawns) => {
        const open: Breaker = { ...CLOSED, state: 'OPEN' }
        const last = spawns.reduce((breaker, one) => afterSpawn(breaker, one).breaker, open)
        expect(last.state).toBe('OPEN')
        expect(resetBreaker(last)).toMatchObject({ breaker: CLOSED, trigger: 'user_intervention' })
      }),
    )
  })
})

describe('exit detection', () => {
  it('forgets what is more than five runs ago', () => {
    const first = noteSpawn(NO_SIGNALS, { number: 1, testOnly: true, text: 'all done', filesChanged: 0 })
    expect(first).toEqual({ testOnlySpawns: [1], completionSignals: [1], noProgressSpawns: [1] })
    expect(noteSpawn(first, { number: 6, testOnly: false, text: '', filesChanged: 1 })).toEqual(NO_SIGNALS)
  })

  it('moves on only after an explicit completion, however many signals there are', () => {
    const full = { testOnlySpawns: [1, 2, 3], completionSignals: [2, 3], noProgressSpawns: [1, 2, 3] }
    expect(isExit(full, { complete: false, confidence: 100 })).toBe(false)
    expect(isExit(full, { complete: true, confidence: 10 })).toBe(true)
    expect(isExit(NO_SIGNALS, { complete: true, confidence: 79 })).toBe(false)
    expect(isExit(NO_SIGNALS, { complete: true, confidence: 80 })).toBe(true)
  })
})

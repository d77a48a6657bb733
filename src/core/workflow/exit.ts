/** Signs that a run comes to its end, by spawn number, over the last five spawns. */
export interface ExitSignals {
  testOnlySpawns: number[]
  completionSignals: number[]
  noProgressSpawns: number[]
}

export const NO_SIGNALS: ExitSignals = { testOnlySpawns: [], completionSignals: [], noProgressSpawns: [] }

const WINDOW = 5
const TEST_ONLY = 3
const COMPLETION = 2
const NO_PROGRESS = 3
const SURE = 80
const COMPLETION_WORD = /\b(?:done|complete|completed|finished)\b/i

export function noteSpawn(
  signals: ExitSignals,
  spawn: { number: number; testOnly: boolean; text: string; filesChanged: number },
): ExitSignals {
  const add = (list: number[], isSo: boolean) =>
    [...list, ...(isSo ? [spawn.number] : [])].filter((number) => number > spawn.number - WINDOW)
  return {
    testOnlySpawns: add(signals.testOnlySpawns, spawn.testOnly),
    completionSignals: add(signals.completionSignals, COMPLETION_WORD.test(spawn.text)),
    noProgressSpawns: add(signals.noProgressSpawns, spawn.filesChanged === 0),
  }
}

/**
 * Whether the implementation is over. Signals only support what was said: without an explicit completion nothing moves on,
 * and tests or standstill alone are the breaker's business.
 */
export function isExit(signals: ExitSignals, said: { complete: boolean; confidence: number }): boolean {
  const supported =
    signals.completionSignals.length >= COMPLETION ||
    signals.testOnlySpawns.length >= TEST_ONLY ||
    signals.noProgressSpawns.length >= NO_PROGRESS
  return said.complete && (supported || said.confidence >= SURE)
}

import { expect, it } from 'vitest'
import { bars, seriesOf } from './derive-insights.ts'

const day = {
  day: '2026-03-31',
  sessions: 2,
  actions: 9,
  drifted: 0,
  recovered: 0,
  injections: 1,
  injectedTokens: 100,
  tokens: 5_000,
  memories: 1,
  memoriesShown: 4,
  memoriesUsed: 3,
  learned: 2,
  turnedDown: 1,
  judgeCostUsd: 0.02,
}

it('has a share only where there is something to share', () => {
  const totals = Object.fromEntries(seriesOf([day]).map(({ key, total }) => [key, total]))
  expect(totals).toMatchObject({ recovered: undefined, hits: 0.75, learned: 2, turned: 1 })
})

it('draws nothing for a day without anything, and at least a line for one with little', () => {
  expect(bars([0, 1, 1_000], { width: 30, height: 50 }).map(({ height }) => height)).toEqual([0, 1, 50])
  expect(bars([0, 0], { width: 30, height: 50 }).every(({ height }) => height === 0)).toBe(true)
})

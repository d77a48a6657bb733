import type { InsightDay } from '#protocol/api/insights.ts'

export interface Series {
  key: string
  title: string
  about: string
  values: number[]
  total: number
  unit: 'count' | 'money' | 'share'
}

/** The plots over time, each with its sum or its mean. */
export function seriesOf(days: InsightDay[]): Series[] {
  const of = (pick: (day: InsightDay) => number) => days.map(pick)
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  const counted = (
    key: string,
    title: string,
    about: string,
    values: number[],
    unit: Series['unit'] = 'count',
  ): Series => ({
    key,
    title,
    about,
    values,
    total: sum(values),
    unit,
  })
  const drifted = of(({ drifted }) => drifted)
  const recovered = of(({ recovered }) => recovered)
  return [
    counted(
      'sessions',
      'Agent sessions',
      'by the day they were last seen',
      of(({ sessions }) => sessions),
    ),
    counted('drift', 'Drift', 'actions that were rejected', drifted),
    {
      key: 'recovered',
      title: 'Corrections that worked',
      about: 'share of rejected actions after which the agent came back',
      values: drifted.map((all, index) => (all === 0 ? 0 : recovered[index]! / all)),
      total: sum(drifted) === 0 ? 0 : sum(recovered) / sum(drifted),
      unit: 'share',
    },
    counted(
      'injections',
      'Tokens injected',
      'what Grove has put before agents',
      of(({ injectedTokens }) => injectedTokens),
    ),
    counted(
      'tokens',
      'Tokens of all calls',
      'input, output and cache together',
      of(({ tokens }) => tokens),
    ),
    counted(
      'memories',
      'Memories',
      'made from finished work',
      of(({ memories }) => memories),
    ),
    counted(
      'judge',
      'Spent on the judge',
      'in dollars',
      of(({ judgeCostUsd }) => judgeCostUsd),
      'money',
    ),
  ]
}

/** Points of a line in a box, from zero up. */
export function linePoints(
  values: number[],
  box: { width: number; height: number },
  top = Math.max(...values, 0),
): { x: number; y: number }[] {
  const step = values.length > 1 ? box.width / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: index * step,
    y: top === 0 ? box.height : box.height - (value / top) * box.height,
  }))
}

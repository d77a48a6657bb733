import type { InsightDay } from '#protocol/api/insights.ts'

export interface Series {
  key: string
  title: string
  about: string
  values: number[]
  /** Undefined for a share of nothing. */
  total: number | undefined
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
  const share = (key: string, title: string, about: string, part: number[], whole: number[]): Series => ({
    key,
    title,
    about,
    values: whole.map((all, index) => (all === 0 ? 0 : part[index]! / all)),
    total: sum(whole) === 0 ? undefined : sum(part) / sum(whole),
    unit: 'share',
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
    share(
      'recovered',
      'Corrections that worked',
      'share of rejected actions from which the agent recovered',
      recovered,
      drifted,
    ),
    counted(
      'injections',
      'Tokens injected',
      'added to conversations by Grove',
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
      'shown',
      'Memories recalled',
      'shown to agents that may need them',
      of(({ memoriesShown }) => memoriesShown),
    ),
    share(
      'hits',
      'Memories that helped',
      'share of recalled memories that agents used',
      of(({ memoriesUsed }) => memoriesUsed),
      of(({ memoriesShown }) => memoriesShown),
    ),
    counted(
      'learned',
      'Learned',
      'candidates that passed the write gate',
      of(({ learned }) => learned),
    ),
    counted(
      'turned',
      'Rejected',
      'candidates that did not pass the write gate',
      of(({ turnedDown }) => turnedDown),
    ),
    counted(
      'judge',
      'Cost of the judge',
      'in dollars',
      of(({ judgeCostUsd }) => judgeCostUsd),
      'money',
    ),
  ]
}

/** Bars in a box, from zero up: days without anything stay empty. */
export function bars(
  values: number[],
  box: { width: number; height: number },
  top = Math.max(...values, 0),
): { x: number; width: number; y: number; height: number }[] {
  const slot = values.length > 0 ? box.width / values.length : 0
  const gap = slot > 4 ? Math.min(2, slot / 4) : 0
  return values.map((value, index) => {
    const height = top === 0 || value === 0 ? 0 : Math.max(1, (value / top) * box.height)
    return { x: index * slot, width: Math.max(1, slot - gap), y: box.height - height, height }
  })
}

/** Nothing happened in all these days. */
export function isQuiet(series: Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === 0))
}

/** `2026-10-20` as `20 Oct`, in the reader's own order. */
export function dayWords(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    numberingSystem: 'latn',
  })
}

import type { Recording } from './recording.ts'

/** What one version says more or less often than another, as lines such as `body.tools[].name "Read": 12 before, 14 now`. */
export function differencesBetween(before: Recording[], now: Recording[]): string[] {
  const [old, young] = [countMarks(before), countMarks(now)]
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((mark) => ({ mark, was: old.get(mark) ?? 0, is: young.get(mark) ?? 0 }))
    .filter(({ was, is }) => was !== is)
    .map(({ mark, was, is }) => `${mark}: ${was} before, ${is} now`)
    .toSorted()
}

function countMarks(recordings: Recording[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { asker, path, headers, body } of recordings) {
    for (const mark of [`asker ${asker}`, `path ${path}`, ...marksIn('headers', headers), ...marksIn('body', body)]) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
  }
  return counts
}

/** Every value by where it stands; ids and times, which no two runs share, by their place alone. */
function marksIn(place: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => marksIn(`${place}[]`, item))
  if (typeof value === 'object' && value !== null) {
    return [place, ...Object.entries(value).flatMap(([key, part]) => marksIn(`${place}.${key}`, part))]
  }
  return [/(?:\.|_)id$|-durations$/.test(place) ? place : `${place} ${JSON.stringify(value)}`]
}

import { CATEGORIES, CRITERIA } from '#core/learning/learning.ts'
import type { StatsEvent } from '#core/learning/stats.ts'
import { parseJson } from './json.ts'
import { amount, listOf, object, type Read, text } from './shape.ts'

/** One line of a stats log. Other versions of Grove may have written it, or a merge may have torn it. */

const name: Read<string> = (value) =>
  typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined
const time: Read<number> = (value) => {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
  const at = isTime ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
const oneOf =
  <const T extends string>(...known: readonly T[]): Read<T> =>
  (value) =>
    known.find((one) => one === value)

/** Every field must be readable; what may be missing is then missing in the result, too. */
function fields(
  given: Record<string, unknown>,
  must: Record<string, Read<unknown>>,
  may: Record<string, Read<unknown>> = {},
) {
  const read: Record<string, unknown> = {}
  for (const [key, reader] of Object.entries({ ...must, ...may })) {
    if (key in may && given[key] === undefined) continue
    read[key] = reader(given[key])
    if (read[key] === undefined) return undefined
  }
  return read
}

const shapeOf =
  (must: Record<string, Read<unknown>>, may: Record<string, Read<unknown>> = {}): Read<unknown> =>
  (value) => {
    const given = object(value)
    return given && fields(given, must, may)
  }

const about = { at: time, learning: name }
const criteria = listOf(oneOf(...CRITERIA))
const kept = shapeOf({ id: name, category: oneOf(...CATEGORIES), criteria }, { in: listOf(name) })
const stage = oneOf('schema', 'write-gate', 'duplicate', 'contradiction')
const turned = shapeOf({ summary: text, reasons: listOf(text), stage }, { criteria })

const events: Record<StatsEvent['type'], Read<unknown>> = {
  surfaced: shapeOf({ ...about, session: name }),
  dismissed: shapeOf({ ...about, session: name }),
  referenced: shapeOf({ ...about, session: name, how: (value) => text(value) ?? '' }),
  corrected: shapeOf(about),
  archived: shapeOf(about, { reason: text }),
  restored: shapeOf(about, { reason: text }),
  superseded: shapeOf({ ...about, by: name }),
  reflected: shapeOf({ at: time, session: name, accepted: listOf(kept), rejected: listOf(turned) }, { ticket: text }),
  rejected: shapeOf({ at: time, session: name, rejected: listOf(turned) }),
  skipped: shapeOf(
    { at: time, session: name, reason: text, decider: oneOf('agent', 'rule', 'user') },
    { lines: amount },
  ),
  tripped: shapeOf({ at: time, session: name }),
}

/** The event on a line; undefined when it is none. */
export function readStatsEvent(line: string): StatsEvent | undefined {
  const given = object(parseJson(line))
  const type = given?.type
  const read =
    typeof type === 'string' && Object.hasOwn(events, type) ? events[type as StatsEvent['type']](given) : undefined
  return read === undefined ? undefined : ({ type, ...(read as object) } as StatsEvent)
}

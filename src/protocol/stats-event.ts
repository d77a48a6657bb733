import { z } from 'zod'
import { CATEGORIES, CRITERIA } from '#core/learning/learning.ts'
import type { StatsEvent } from '#core/learning/stats.ts'
import { parseJson } from './tolerant.ts'

/** One line of `.grove/stats.log`. Other versions of Grove may have written it, or a merge may have torn it. */

const name = z.string().min(1).max(200)
const at = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time))
const criteria = z.array(z.enum(CRITERIA))
const about = { at, learning: name }
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['surfaced', 'dismissed']), ...about, session: name }),
  z.object({ type: z.literal('referenced'), ...about, session: name, how: z.string().catch('') }),
  z.object({ type: z.literal('corrected'), ...about }),
  z.object({ type: z.enum(['archived', 'restored']), ...about, reason: z.string().exactOptional() }),
  z.object({ type: z.literal('superseded'), ...about, by: name }),
  z.object({
    type: z.literal('reflected'),
    at,
    session: name,
    ticket: z.string().exactOptional(),
    accepted: z.array(z.object({ id: name, category: z.enum(CATEGORIES), criteria })),
    rejected: z.array(
      z.object({
        summary: z.string(),
        reasons: z.array(z.string()),
        stage: z.enum(['schema', 'write-gate', 'duplicate']),
        criteria: criteria.exactOptional(),
      }),
    ),
  }),
  z.object({
    type: z.literal('skipped'),
    at,
    session: name,
    reason: z.string(),
    decider: z.enum(['agent', 'rule', 'user']),
    lines: z.number().exactOptional(),
  }),
  z.object({ type: z.literal('tripped'), at, session: name }),
])

/** The event on a line; undefined when it is none. */
export function readStatsEvent(line: string): StatsEvent | undefined {
  const read = Event.safeParse(parseJson(line))
  return read.success ? read.data : undefined
}

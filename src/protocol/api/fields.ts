import { z } from 'zod'
import type { CorrectionLevel } from '#core/step.ts'
import type { TaskMode } from '#core/task.ts'

/** Fields that several routes share. */

export const time = z.number().describe('Milliseconds since 1970')
export const texts = z.array(z.string())

export const ProjectName = z.strictObject({ id: z.string(), name: z.string() }).meta({ id: 'ProjectName' })

/** `?project=`: the same wherever a route can be narrowed to one. */
export const inProject = { project: z.string().exactOptional().describe('The id or the name of one project') }

/** How an action that leads away from the goal is answered. */
export const Level = z.enum(['nudge', 'correct', 'intervene', 'halt']) satisfies z.ZodType<CorrectionLevel>
export const Mode = z.enum(['normal', 'drifted', 'forced']) satisfies z.ZodType<TaskMode>

const MOST = 500

/** `?limit=`. */
export function limit(usual: number) {
  const error = `limit must be a number from 1 to ${MOST}`
  return z.coerce
    .number<string | number>({ error })
    .int({ error })
    .min(1, { error })
    .max(MOST, { error })
    .default(usual)
    .describe('How many at most')
}

/** `?all=true`. */
export function flag(about: string) {
  return z.enum(['true', 'false']).default('false').describe(about)
}

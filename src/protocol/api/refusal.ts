import { z } from 'zod'
import type { RefusalCode as Code, Refusal as CoreRefusal } from '#core/refusal.ts'
import { REFUSALS } from '../refusal.ts'

export const RefusalCode = z.enum(Object.keys(REFUSALS) as [Code, ...Code[]])

/** What every route answers instead, when it refuses. */
export const Refusal = z
  .strictObject({ status: z.literal('error'), code: RefusalCode, message: z.string(), suggestion: z.string() })
  .meta({ id: 'Refusal' }) satisfies z.ZodType<CoreRefusal>
export type Refusal = z.infer<typeof Refusal>

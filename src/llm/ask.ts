import type { z } from 'zod'

/** One question to a model: what it is, what to answer, and in which form. */
export interface Question<Schema extends z.ZodType = z.ZodType> {
  system: string
  prompt: string
  schema: Schema
}

/** An answer as text that should be JSON, and what it cost. */
export interface RawAnswer {
  text: string
  costUsd: number
}

/** A way to a model. Adapters differ in nothing else. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<RawAnswer>

/** The model answered, but not with what was asked for; that is paid for all the same. */
export class UnusableAnswer extends Error {
  override name = 'UnusableAnswer'

  constructor(
    message: string,
    readonly costUsd = 0,
  ) {
    super(message)
  }
}

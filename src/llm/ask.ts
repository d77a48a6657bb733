import type { z } from 'zod'

/** One question to a model: what it is, what to answer, and in which form. */
export interface Question<Schema extends z.ZodType = z.ZodType> {
  system: string
  prompt: string
  schema: Schema
}

/** How long an answer may be. */
export const MAX_TOKENS = 4096

/** An answer as text that should be JSON, and what it cost. */
export interface RawAnswer {
  text: string
  costUsd: number
}

/** A transport to a model: the only thing in which adapters differ. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<RawAnswer>

/** The model answered with something else than was asked for; it is paid for all the same. */
export class UnusableAnswer extends Error {
  override name = 'UnusableAnswer'

  constructor(
    message: string,
    readonly costUsd = 0,
  ) {
    super(message)
  }
}

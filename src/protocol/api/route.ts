import type { z } from 'zod'
import type { Refusal, RefusalCode } from '#core/refusal.ts'

/** One route of the HTTP API: what is asked, and what is answered. Server, command line and page take their types from it. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** What it does, in a sentence. */
  summary: string
  /** Named as in the path. */
  params?: z.ZodObject
  /** Fields that are lists may be given several times; of all others the last one counts. */
  query?: z.ZodObject
  body?: z.ZodType
  answer: z.ZodType
  /** 200 if left out. */
  status?: 201
  /** Only a person may ask: by a click on the page, or by a program that shows the token and that no agent has started. */
  person?: true
  /** The refusal of a request that has not this shape; `bad_request` if left out. */
  invalid?: { code: RefusalCode; suggestion: string }
  /** What else the route may refuse with. */
  refusals?: readonly RefusalCode[]
}

/** Declares a route. */
export function route<const R extends Route>(declared: R): R {
  return declared
}

/** What a handler is given, parsed. */
export interface Asked<R extends Route> {
  params: R extends { params: infer S extends z.ZodType } ? z.output<S> : undefined
  query: R extends { query: infer S extends z.ZodType } ? z.output<S> : undefined
  body: R extends { body: infer S extends z.ZodType } ? z.output<S> : undefined
}

export type AnswerOf<R extends Route> = z.output<R['answer']>

/** What a caller puts into the body; no route of several takes more than one of theirs. */
export type BodyOf<R extends Route> = R extends { body: infer S extends z.ZodType } ? z.input<S> : never

/** The refusals that a route's own work may end in. */
export type RefusalOf<R extends Route> = R extends { refusals: readonly (infer Code extends RefusalCode)[] }
  ? Refusal<Code>
  : never

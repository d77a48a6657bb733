import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { OWNER } from '#core/people.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import type { AnswerOf, Asked, RefusalOf, Route } from '#protocol/api/route.ts'
import { isRefusal, REFUSALS } from '#protocol/refusal.ts'
import type { answersOnce } from './idempotency.ts'
import type { PeopleOnly } from './people-only.ts'
import type { Asker, People } from './teammates.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route as it is declared in `protocol/api`. */
    declared?: Route
  }
}

/** The handler of a route: parsed values and the asking person in, an answer or one of its declared refusals out. */
export type Handler<R extends Route> = (asked: Asked<R>, by: Asker) => Promise<AnswerOf<R> | RefusalOf<R>>

interface ServeNeeds {
  peopleOnly: PeopleOnly
  /** Answers a repeated `Idempotency-Key` from the record. */
  once?: ReturnType<typeof answersOnce>
  people?: Pick<People, 'find'>
}

/** A handler for every route of a noun. */
export type Handlers<Noun extends Record<string, Route>> = { [Name in keyof Noun]: Handler<Noun[Name]> }

/** Adds the routes of a noun to the server. */
export function serveNoun<Noun extends Record<string, Route>>(
  app: FastifyInstance,
  routes: Noun,
  handlers: Handlers<Noun>,
  needs: ServeNeeds,
): void {
  for (const name of Object.keys(routes) as (keyof Noun)[]) serveRoute(app, routes[name]!, handlers[name]!, needs)
}

function serveRoute<R extends Route>(
  app: FastifyInstance,
  declared: R,
  handle: Handler<R>,
  { peopleOnly, once = (_, work) => work(), people }: ServeNeeds,
): void {
  const read = reader(declared)
  app.route({
    method: declared.method,
    url: declared.path,
    config: { declared },
    handler: async (request, reply) => {
      const refused = declared.person && (await peopleOnly(request))
      if (refused) return sendRefusal(reply, refused)
      const asked = read(request)
      if (isRefusal(asked)) return sendRefusal(reply, asked)
      const { status, answer } = await once(request, async () => {
        const { personId: id = OWNER } = request
        // Without a readable store the person has no name here; a route that needs the store reports the error itself.
        const person = await people?.find(id).catch(() => undefined)
        const said = await handle(asked, { id, name: person?.name ?? null })
        return { status: isRefusal(said) ? REFUSALS[said.code].http : (declared.status ?? 200), answer: said }
      })
      return reply.status(status).send(answer)
    },
  })
}

/** Answers with a refusal, in its one shape. The framework's own errors come with a status of theirs. */
export function sendRefusal(reply: FastifyReply, refused: Refusal, status: number = REFUSALS[refused.code].http) {
  return reply.status(status).send(refused)
}

export const CORRECT_IT = 'Correct the request and send it again.'

/** Parses a request; one that does not match the schema becomes the route's declared refusal. */
function reader<R extends Route>({ params, query, body, invalid }: R): (request: FastifyRequest) => Asked<R> | Refusal {
  const nothing = z.unknown().transform(() => undefined)
  const schema = z.object({ params: params ?? nothing, query: query ?? nothing, body: body ?? nothing })
  const { code, suggestion } = invalid ?? { code: 'bad_request', suggestion: CORRECT_IT }
  return (request) => {
    const given = { params: request.params, query: query && settled(query, request.query), body: request.body }
    const read = schema.safeParse(given)
    return read.success ? (read.data as Asked<R>) : refusal(code, z.prettifyError(read.error), suggestion)
  }
}

/** A repeated parameter arrives as a list: kept where the schema wants a list, else the last one counts. */
function settled(query: z.ZodObject, given: unknown): Record<string, unknown> {
  const entries = Object.entries(given as Record<string, string | string[]>).map(([name, value]) => {
    const all = [value].flat()
    return [name, isList(query.shape[name]) ? all : all.at(-1)]
  })
  return Object.fromEntries(entries)
}

function isList(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodExactOptional) return isList(schema.unwrap())
  return schema instanceof z.ZodArray
}

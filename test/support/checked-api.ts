import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Peers } from '../../src/core/ports/peers.ts'
import type { RefusalCode } from '../../src/core/refusal.ts'
import { Refusal } from '../../src/protocol/api/refusal.ts'
import type { Route } from '../../src/protocol/api/route.ts'
import { REFUSALS } from '../../src/protocol/refusal.ts'
import { keysOf } from '../../src/server/keys.ts'
import { OneTimeCodes } from '../../src/server/one-time-codes.ts'
import { peopleOnly } from '../../src/server/people-only.ts'
import { type Handlers, serveNoun } from '../../src/server/serve-route.ts'

/** What any route may answer: its address or its visitor was wrong, or Grove failed. */
const ANYWHERE: RefusalCode[] = [
  'host_not_allowed',
  'origin_not_allowed',
  'pairing_required',
  'token_required',
  'bad_request',
  'internal_error',
]

/**
 * Holds every answer of a server against the schema that declares it, strictly, as the test goes. To be called before
 * the server is ready. Gives back the routes that have answered, as `GET /path`.
 */
export function checkAnswers(app: FastifyInstance): Set<string> {
  const answered = new Set<string>()
  app.addHook('onSend', async (request, reply, payload) => {
    const { declared } = request.routeOptions.config
    if (!declared || request.method === 'HEAD' || typeof payload !== 'string') return
    const name = `${declared.method} ${declared.path}`
    const isAnswer = reply.statusCode < 300
    if (isAnswer) answered.add(name)
    expect
      .soft(isAnswer ? oddAnswer(declared, reply.statusCode, payload) : oddRefusal(declared, payload), name)
      .toBe('')
  })
  return answered
}

function oddAnswer({ answer, status }: Route, code: number, payload: string): string {
  if (code !== (status ?? 200)) return `status ${code}`
  const read = answer.safeParse(JSON.parse(payload))
  return read.success ? '' : z.prettifyError(read.error)
}

function oddRefusal({ refusals = [], invalid, person }: Route, payload: string): string {
  const read = Refusal.safeParse(JSON.parse(payload))
  if (!read.success) return z.prettifyError(read.error)
  const { code } = read.data
  const known = [
    ...ANYWHERE,
    ...refusals,
    ...(invalid ? [invalid.code] : []),
    ...(person ? ['only_people', 'gesture_required'] : []),
  ]
  return known.includes(code) ? '' : `${code} (${REFUSALS[code].http}) is not declared`
}

/** As if a person's own program were at the other end. */
export const person: Peers = { ownerOf: async () => 'ours', descentOf: async () => ({ of: 'person' }) }

type Serve = <Noun extends Record<string, Route>>(routes: Noun, handlers: Handlers<Noun>) => void

/** A server with the routes of some nouns only, its answers checked. */
export function serveSome(register: (serve: Serve) => void, codes = new OneTimeCodes(Date.now)): FastifyInstance {
  const app = fastify()
  app.decorateRequest('standing', 'stranger')
  // As the whole server would have found out.
  app.addHook('onRequest', async (request) => {
    request.standing = request.headers.authorization === 'Bearer the-token' ? 'tool' : 'browser'
  })
  checkAnswers(app)
  app.register(async (inner) =>
    register((routes, handlers) =>
      serveNoun(inner, routes, handlers, {
        peopleOnly: peopleOnly({ keys: keysOf('the-token'), peers: person, codes }),
      }),
    ),
  )
  return app
}

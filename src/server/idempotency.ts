import type { FastifyRequest } from 'fastify'
import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** The recorded answer to a request, sent again when the request is repeated. */
export interface Answered {
  status: number
  answer: unknown
}

/**
 * A request that changes something may carry an `Idempotency-Key` that the client has made. A repeated key is answered from
 * the record without doing the work again: a page that missed the answer can safely ask once more, also after a restart.
 */
export function answersOnce(states: StateStore, clock: Clock) {
  return async (request: FastifyRequest, work: () => Promise<Answered>): Promise<Answered> => {
    const key = keyOf(request)
    if (key === undefined) return work()
    const before = await states.get(SLOTS.answered, key)
    if (before) return before
    const given = await work()
    if (given.status < 300) await states.put(SLOTS.answered, key, given, clock.now())
    return given
  }
}

function keyOf({ method, url, headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (method === 'GET' || typeof key !== 'string' || !/^[\w-]{8,100}$/.test(key)) return undefined
  return `${method} ${url.split('?')[0]} ${key}`
}

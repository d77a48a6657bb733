import type { z } from 'zod'
import type { Refusal } from '#core/refusal.ts'
import type { AnswerOf, Route } from '#protocol/api/route.ts'
import { type Api, api } from '#protocol/api/routes.ts'
import { noteServerTime } from '../ui/clock.ts'
import { count } from '../ui/format.ts'
import { Store } from '../ui/store.ts'

/**
 * The HTTP API as typed calls. Only each route's method and path reach the browser: the build leaves the schemas out
 * (`scripts/web.mjs`), since the server has checked what it answers.
 */

type Given<R, Key extends 'params' | 'query' | 'body'> =
  R extends Record<Key, infer S extends z.ZodType> ? { [_ in Key]: z.input<S> } : object

/** What a call of this route is given. */
export type Input<R extends Route> = Given<R, 'params'> & Given<R, 'query'> & Given<R, 'body'>

export type Noun = keyof Api
export type Name<N extends Noun> = keyof Api[N] & string
export type RouteOf<N extends Noun, K extends Name<N>> = Api[N][K] extends Route ? Api[N][K] : never
export type Answer<N extends Noun, K extends Name<N>> = AnswerOf<RouteOf<N, K>>

/** The server has said no; `message` says why and `suggestion` what would be right. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly httpStatus: number,
  ) {
    super(refusal.message)
  }

  /** Grove does not know this browser, or does not any more. */
  get isUnknown(): boolean {
    return this.refusal.code === 'pairing_required' || this.refusal.code === 'token_required'
  }

  /** What a person reads of it. An address of the API and the form of a request say nothing to them. */
  get words(): string {
    const { message, suggestion } = this.refusal
    const most = /Too big: expected string to have <=(\d+) characters/.exec(message)?.[1]
    if (most) return `A text is too long: at most ${count(Number(most))} characters. It is kept here; shorten it.`
    return suggestion.includes(' /api/') ? message : `${message} ${suggestion}`
  }
}

/** Whether Grove knows this browser, as the last answer told. */
export const isKnown = new Store(true)

/** The server was not reached. */
export class Unreachable extends Error {
  constructor() {
    super('Grove cannot be reached.')
  }
}

/** A request as it goes over the wire; what is kept for later when it cannot go now. */
export interface Sent {
  method: string
  url: string
  body?: unknown
  key?: string
}

export async function call<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  signal?: AbortSignal,
): Promise<Answer<N, K>> {
  return (await send(requestOf(noun, name, input), signal)) as Answer<N, K>
}

export function requestOf<N extends Noun, K extends Name<N>>(noun: N, name: K, input: Input<RouteOf<N, K>>): Sent {
  const { method, path } = api[noun][name] as Route
  const {
    params = {},
    query,
    body,
  } = input as {
    params?: Record<string, unknown>
    query?: Record<string, unknown>
    body?: unknown
  }
  return { method, url: addressOf(path, params) + searchOf(query), ...(body !== undefined && { body }) }
}

/** Whether a person has just clicked or pressed a key. Where a browser does not tell, the server decides alone. */
export function isClicked(): boolean {
  return navigator.userActivation?.isActive !== false
}

/**
 * What only people may ask is asked again with what the person's click is worth; it counts for a few seconds. An action
 * that was kept for later was clicked back then.
 */
export async function send(request: Sent, signal?: AbortSignal, wasClicked = isClicked()): Promise<unknown> {
  try {
    return await sendOnce(request, signal)
  } catch (error) {
    const isWanted = error instanceof Refused && error.refusal.code === 'gesture_required'
    if (!isWanted || !wasClicked) throw error
    const wanted = {
      method: 'POST',
      url: '/api/gestures',
      body: { for: `${request.method} ${request.url.split('?')[0]}` },
    }
    const { gesture } = (await sendOnce(wanted, signal)) as Answer<'gestures', 'make'>
    return await sendOnce(request, signal, gesture)
  }
}

async function sendOnce({ method, url, body, key }: Sent, signal?: AbortSignal, gesture?: string): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      'x-grove-page': pageKey(),
      ...(gesture !== undefined && { 'x-grove-gesture': gesture }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Unreachable()
  })
  noteServerTime(response.headers.get('date'))
  const answer: unknown = await response.json().catch(() => undefined)
  const refused = response.ok ? undefined : new Refused(refusalIn(answer, response.status), response.status)
  if (isKnown.get() === (refused?.isUnknown === true)) isKnown.set(!refused?.isUnknown)
  if (refused) throw refused
  return answer
}

/** `/api/agents/:sessionId` with its names filled in. */
export function addressOf(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Lists are given once for each value; what is undefined is left out. */
export function searchOf(query: Record<string, unknown> | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

function refusalIn(answer: unknown, status: number): Refusal {
  if (typeof answer === 'object' && answer !== null && 'message' in answer) return answer as Refusal
  return {
    status: 'error',
    code: 'internal_error',
    message: `The server answered with status ${status}.`,
    suggestion: 'Look into the log: grove logs.',
  }
}

/** What shows the server that this page sends, and not some other program. */
function pageKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="grove-page"]')?.content ?? ''
}

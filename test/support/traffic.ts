import type { Simulator } from '../../src/simulator/upstream.ts'
import type { Exchange, WireMessage, WireTap } from './wire-tap.ts'

/** Headers that belong to one connection, and the host, which names where that connection leads. */
const perConnection = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Where what the client saw (tap) and what the upstream saw (simulator) are not the same, one sentence each. */
export function differences(tap: WireTap, { requests, sent }: Simulator): string[] {
  const exchanges = tap.exchanges()
  const missing = exchanges.filter(({ response }) => !sent.some((other) => idOf(other) === idOf(response)))
  const notSent = missing.map(
    ({ request, response }) => `${request.startLine}: answered ${response?.startLine}, not by the upstream`,
  )
  const changed = requests.flatMap(({ index, method, url, rawHeaders, body }) => {
    const answer = sent[index]!
    const exchange = exchanges.find(({ response }) => idOf(response) === idOf(answer))
    if (!exchange) return [`request ${index} (${method} ${url}) is not one the client sent`]
    const { request, response } = exchange as Exchange & { response: WireMessage }
    const whole = answer.ended === 'complete' || answer.ended === 'closed early'
    const said = whole ? answer.body : answer.body.subarray(0, response.body.length)
    const facts: [string, boolean][] = [
      ['request line', request.startLine === `${method} ${url} HTTP/1.1`],
      ['request headers', sameHeaders(request.headers, pairs(rawHeaders))],
      ['request body', request.body.equals(body)],
      ['status', response.startLine.startsWith(`HTTP/1.1 ${answer.status}`)],
      ['response headers', sameHeaders(response.headers, answer.headers)],
      // Of an answer that broke off, the client may have missed the last bytes but never sees others.
      ['response body', response.body.equals(said)],
      ['end of the response', response.complete === whole],
    ]
    return facts.filter(([, same]) => !same).map(([what]) => `request ${index} (${method} ${url}): ${what} differs`)
  })
  return [...notSent, ...changed]
}

/** Every answer of the simulator has an id of its own, which tells us which request it belongs to. */
function idOf(message: { headers: [string, string][] } | undefined): string | undefined {
  return message?.headers.find(([name]) => name.toLowerCase() === 'request-id')?.[1]
}

function sameHeaders(a: [string, string][], b: [string, string][]): boolean {
  return comparable(a) === comparable(b)
}

function comparable(headers: [string, string][]): string {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !perConnection.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join('\n')
}

function pairs(rawHeaders: string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!])
}

/**
 * The prompt cache's rule, over a whole story: where the client's request extends an earlier one of its own, what was
 * forwarded must extend what was forwarded then. Cache markers aside, which the client moves along. A request whose
 * history was cut anew (CLEAR) begins a new line.
 */
export function brokenPrefixes(tap: WireTap, { requests, sent }: Simulator): string[] {
  const exchanges = tap.exchanges()
  const seen = requests.flatMap(({ index, method, url, body }) => {
    const exchange = exchanges.find(({ response }) => idOf(response) === idOf(sent[index]))
    if (method !== 'POST' || !url?.startsWith('/v1/messages?') || !exchange) return []
    return [{ index, client: conversation(exchange.request.body), forwarded: conversation(body) }]
  })
  return seen.flatMap((later, at) => {
    const earlier = seen.slice(0, at).findLast(({ client }) => extendsIt(later.client, client))
    if (!earlier || cutAnew(earlier.forwarded, later.forwarded) || extendsIt(later.forwarded, earlier.forwarded))
      return []
    return [`request ${later.index} extends request ${earlier.index} for the client, but not as forwarded`]
  })
}

interface Conversation {
  system: string
  messages: string[]
}

function conversation(body: Buffer): Conversation {
  const { system, messages } = JSON.parse(body.toString(), (key, value) =>
    key === 'cache_control' ? undefined : value,
  )
  return { system: JSON.stringify(system), messages: messages.map((message: unknown) => JSON.stringify(message)) }
}

function extendsIt(later: Conversation, earlier: Conversation): boolean {
  return (
    later.system === earlier.system &&
    later.messages.length >= earlier.messages.length &&
    earlier.messages.every((message, at) => later.messages[at] === message)
  )
}

function cutAnew(earlier: Conversation, later: Conversation): boolean {
  const cut = 'was set aside to keep the context window free'
  return later.messages[0] !== earlier.messages[0] && later.messages[0]!.includes(cut)
}

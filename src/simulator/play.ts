import { randomBytes } from 'node:crypto'
import type { Answer } from './deliver.ts'
import { factsOf, type ReceivedRequest, type RequestFacts } from './facts.ts'
import { captured, matches, messagesPath, unmet } from './match.ts'
import { estimateTokens, messageFor, type NextId, sse, streamOf, withPings } from './message.ts'
import type { Entry, Reply, Scenario } from './schema.ts'
import { fill } from './template.ts'
import { violations } from './validate.ts'

/** Decides what each request is answered; knows nothing of sockets. */
export function playScenario(scenario: Scenario, vars: Record<string, string>, validate: boolean) {
  const problems: string[] = []
  const left = scenario.replies.map(({ repeat }) => (repeat === 'forever' ? Number.POSITIVE_INFINITY : repeat))
  const used = new Set<number>()
  const nextId = idSource()
  let modelCalls = 0

  function answer(request: ReceivedRequest): { answer: Answer; how: Reply } {
    try {
      return choose(request)
    } catch (error) {
      return fail(request, error instanceof Error ? error.message : String(error))
    }
  }

  function choose(request: ReceivedRequest) {
    const facts = factsOf(request)
    const isModelCall = facts.method === 'POST' && facts.path === messagesPath
    if (isModelCall) modelCalls += 1
    if (isModelCall && validate) note(request, violations(facts.body, facts.headers.get('anthropic-beta')))

    const at = scenario.replies.findIndex((entry, i) => left[i]! > 0 && matches(entry.when ?? {}, facts, modelCalls))
    const entry = scenario.replies[at]
    if (!entry) return unscripted(request, facts, isModelCall)
    left[at]! -= 1
    used.add(at)
    const known = { ...requestVars(facts, modelCalls), ...captured(entry.when ?? {}, facts), ...vars }
    note(request, unmet(fill(entry.expect ?? {}, known), facts), entryName(entry, at))
    return replyWith(fill(entry.reply, known), facts)
  }

  function unscripted(request: ReceivedRequest, facts: RequestFacts, isModelCall: boolean) {
    // The client probes at its start whether the API answers; the path differs between versions.
    if (facts.method === 'HEAD') return replyWith({ raw: { status: 200, body: '' } }, facts)
    if (facts.path === `${messagesPath}/count_tokens`) {
      return replyWith({ raw: { status: 200, body: { input_tokens: estimateTokens(facts.text) } } }, facts)
    }
    if (isModelCall && scenario.default) {
      return replyWith(fill(scenario.default, { ...requestVars(facts, modelCalls), ...vars }), facts)
    }
    return fail(request, `no reply fits ${facts.method} ${facts.path} (last user text: ${brief(facts.lastUser)})`)
  }

  function fail(request: ReceivedRequest, message: string): { answer: Answer; how: Reply } {
    note(request, [message])
    // Without this header a client would ask the same hopeless thing ten times.
    const headers = { 'x-should-retry': 'false' }
    const reply: Reply = { error: { status: 500, type: 'api_error', message: `simulator: ${message}` }, headers }
    return { answer: errorAnswer(reply, nextId), how: reply }
  }

  function replyWith(reply: Reply, facts: RequestFacts): { answer: Answer; how: Reply } {
    return { answer: answerFor(reply, facts, nextId), how: reply }
  }

  function note({ index }: ReceivedRequest, messages: string[], where?: string) {
    problems.push(...messages.map((message) => `request ${index}${where ? ` (${where})` : ''}: ${message}`))
  }

  const unused = () => scenario.replies.flatMap((entry, i) => (used.has(i) ? [] : [entryName(entry, i)]))

  return { answer, problems, unused }
}

function answerFor(reply: Reply, facts: RequestFacts, nextId: NextId): Answer {
  if (reply.error) return errorAnswer(reply, nextId)
  if (reply.raw) {
    const { status, body = '' } = reply.raw
    return typeof body === 'string'
      ? plain(status, 'text/html; charset=utf-8', body, reply, nextId)
      : plain(status, 'application/json', JSON.stringify(body), reply, nextId)
  }
  if (!facts.stream && !reply.events) {
    return plain(200, 'application/json', JSON.stringify(messageFor(reply, facts, nextId)), reply, nextId)
  }
  const events = reply.events?.map(sse) ?? streamOf(messageFor(reply, facts, nextId), reply.piece)
  const headers = [
    ...commonHeaders(reply, nextId, 'text/event-stream; charset=utf-8'),
    pair('cache-control', 'no-cache'),
  ]
  return { status: 200, headers, stream: true, parts: withPings(events, reply.ping).map((event) => Buffer.from(event)) }
}

function errorAnswer(reply: Reply, nextId: NextId): Answer {
  const { status, type, message } = reply.error!
  const request_id = nextId('req')
  const body = JSON.stringify({ type: 'error', error: { type, message }, request_id })
  return plain(status, 'application/json', body, reply, () => request_id)
}

/** Two parts, so that a reset can fall into the middle. */
function plain(status: number, contentType: string, body: string, reply: Reply, nextId: NextId): Answer {
  const bytes = Buffer.from(body)
  const middle = Math.ceil(bytes.length / 2)
  const parts = [bytes.subarray(0, middle), bytes.subarray(middle)]
  return { status, headers: commonHeaders(reply, nextId, contentType), stream: false, parts }
}

function commonHeaders(reply: Reply, nextId: NextId, contentType: string): [string, string][] {
  const own = Object.entries(reply.headers ?? {}).flatMap(([name, values]) => [values].flat().map((v) => pair(name, v)))
  const usual = [
    pair('date', new Date().toUTCString()),
    pair('content-type', contentType),
    pair('request-id', nextId('req')),
  ]
  return [...usual.filter(([name]) => !own.some(([ownName]) => ownName.toLowerCase() === name)), ...own]
}

function pair(name: string, value: string): [string, string] {
  return [name, value]
}

function requestVars(facts: RequestFacts, nth: number): Record<string, string> {
  return {
    last_user: facts.lastUser,
    tool_result: facts.toolResult,
    model: facts.model,
    session_id: facts.headers.get('x-claude-code-session-id') ?? '',
    nth: String(nth),
    ...(facts.cwd ? { cwd: facts.cwd } : {}),
  }
}

function entryName({ name }: Entry, at: number): string {
  return name ?? `reply ${at + 1}`
}

function brief(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Unique across simulators too: a store that has seen an earlier run must not take the new one for the same. */
function idSource(): NextId {
  const run = randomBytes(6).toString('hex')
  let count = 0
  return (prefix) => `${prefix}_01${run}${String(++count).padStart(6, '0')}`
}

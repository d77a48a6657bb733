import type { RequestFacts } from './facts.ts'
import type { Expect, TextMatch, When } from './schema.ts'

export const messagesPath = '/v1/messages'

/** Does the request meet every condition? Without a path, only model calls do. `nth` counts model calls from 1. */
export function matches(when: When, request: RequestFacts, nth: number): boolean {
  if (request.path !== (when.path ?? messagesPath)) return false
  if (when.model && !textMatches(when.model, request.model)) return false
  if (when.agent !== undefined && when.agent !== request.headers.has('x-claude-code-agent-id')) return false
  if (when.last_user && !textMatches(when.last_user, request.lastUser)) return false
  if (when.system && !textMatches(when.system, request.system)) return false
  if (when.tool_result && !textMatches(when.tool_result, request.toolResult)) return false
  if (when.newest && !textMatches(when.newest, request.newest)) return false
  if (when.body && !textMatches(when.body, request.text)) return false
  if (when.has_tool && !when.has_tool.every((name) => request.tools.includes(name))) return false
  if (when.nth !== undefined && when.nth !== nth) return false
  if (when.stream !== undefined && when.stream !== request.stream) return false
  if (when.messages !== undefined && when.messages !== request.messages.length) return false
  return (when.header ?? []).every((name) => request.headers.has(name.toLowerCase()))
}

/** What the named groups of the conditions have found in a request that meets them. */
export function captured(when: When, request: RequestFacts): Record<string, string> {
  const looks: [TextMatch | undefined, string][] = [
    [when.last_user, request.lastUser],
    [when.system, request.system],
    [when.tool_result, request.toolResult],
    [when.newest, request.newest],
    [when.body, request.text],
  ]
  return Object.assign(
    {},
    ...looks.map(([wanted, text]) => (wanted?.matches ? new RegExp(wanted.matches).exec(text)?.groups : {})),
  )
}

/** What the request should have been and was not, one sentence each. */
export function unmet(expect: Expect, request: RequestFacts): string[] {
  return [
    ...(expect.contains ?? [])
      .filter((text) => !holds(request, text))
      .map((text) => `the request should contain ${show(text)}`),
    ...(expect.not_contains ?? [])
      .filter((text) => holds(request, text))
      .map((text) => `the request should not contain ${show(text)}`),
    ...Object.entries(expect.headers ?? {})
      .filter(([name, wanted]) => (request.headers.get(name.toLowerCase()) ?? null) !== wanted)
      .map(([name, wanted]) => {
        const found = request.headers.get(name.toLowerCase())
        return `header ${name} should be ${show(wanted)} and is ${show(found ?? null)}`
      }),
    ...Object.entries(expect.json ?? {})
      .map(([path, wanted]) => ({ path, wanted, found: valueAt(request.body, path) ?? null }))
      .filter(({ wanted, found }) => canonical(wanted) !== canonical(found))
      .map(({ path, wanted, found }) => `${path} should be ${show(wanted)} and is ${show(found)}`),
  ]
}

/** Reads `messages[-1].content[0].type` from a value; a negative index counts from the end. */
export function valueAt(value: unknown, path: string): unknown {
  const keys = [...path.matchAll(/\[(-?\d+)\]|([^.[\]]+)/g)]
  return keys.reduce<unknown>((here, [, index, name]) => {
    if (index !== undefined) return Array.isArray(here) ? here.at(Number(index)) : undefined
    return typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[name!] : undefined
  }, value)
}

function textMatches(wanted: TextMatch, text: string): boolean {
  if (wanted.matches !== undefined && !new RegExp(wanted.matches).test(text)) return false
  return (wanted.contains ?? []).every((part) => text.includes(part))
}

/** Text inside JSON strings is escaped, so a multi-line expectation is looked for in that form too. */
function holds({ text }: RequestFacts, wanted: string): boolean {
  return text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1))
}

/** Key order does not matter when two values are compared. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function show(value: unknown): string {
  if (value === null) return 'absent'
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

import { blocksOf, isObject, type Json, objects } from './facts.ts'

/** Models that take `role: system` inside the conversation; others need the beta that older clients send. */
const takesSystemMessages = /opus-(?:4-8|5)|(?:sonnet|haiku)-5|simulated/
const midConversationSystem = 'mid-conversation-system'

const maxCacheMarkers = 4

/** The rules of the Messages API that a request breaks, one sentence each. Empty means the API would take it. */
export function violations(body: Json, betas = ''): string[] {
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return ['messages must be a list with at least one message']
  const messages = objects(body.messages)
  return [
    ...(typeof body.model === 'string' && body.model !== '' ? [] : ['model must be given']),
    ...roleProblems(messages, takesSystemMessages.test(String(body.model)) || betas.includes(midConversationSystem)),
    ...messages.flatMap(contentProblems),
    ...systemProblems(body.system),
    ...pairingProblems(turns(messages)),
    ...cacheProblems(body),
  ]
}

interface Turn {
  role: unknown
  blocks: { block: Json; at: number }[]
}

interface Reference {
  id: string
  /** Position of the message it stands in. */
  at: number
}

function roleProblems(messages: Json[], withSystem: boolean): string[] {
  const allowed = withSystem ? ['user', 'assistant', 'system'] : ['user', 'assistant']
  const unknown = messages.flatMap(({ role }, i) =>
    allowed.includes(String(role))
      ? []
      : [`messages[${i}] has role ${JSON.stringify(role)}; allowed: ${allowed.join(', ')}`],
  )
  return messages[0]?.role === 'user' ? unknown : ['messages[0] must have role user', ...unknown]
}

function contentProblems(message: Json, i: number, all: Json[]): string[] {
  const { role, content } = message
  if (typeof content !== 'string' && !Array.isArray(content))
    return [`messages[${i}].content must be a string or a list`]
  // A prefill, which is the last assistant message, and a system message that only sets the effort may be empty.
  const mayBeEmpty = role === 'system' || (role === 'assistant' && i === all.length - 1)
  if (content.length === 0) return mayBeEmpty ? [] : [`messages[${i}] is empty`]
  const blocks = blocksOf(content)
  const textAt = blocks.findIndex(({ type }) => type !== 'tool_result')
  const resultAt = blocks.findLastIndex(({ type }) => type === 'tool_result')
  return [
    ...blocks.flatMap((block, j) => textProblems(block, `messages[${i}].content[${j}]`)),
    ...blocks
      .flatMap(({ type }) => misplaced(type, role))
      .map((type) => `messages[${i}]: ${role} must not send ${type}`),
    ...(textAt !== -1 && resultAt > textAt
      ? [`messages[${i}]: tool_result blocks must come before everything else`]
      : []),
  ]
}

function misplaced(type: unknown, role: unknown): string[] {
  if (type === 'tool_use' && role !== 'assistant') return [type]
  return type === 'tool_result' && role !== 'user' ? [type] : []
}

function systemProblems(system: unknown): string[] {
  if (system === undefined || typeof system === 'string') return []
  if (!Array.isArray(system)) return ['system must be a string or a list of text blocks']
  return objects(system).flatMap((block, i) =>
    block.type === 'text' ? textProblems(block, `system[${i}]`) : [`system[${i}] must be a text block`],
  )
}

function textProblems(block: Json, where: string): string[] {
  if (block.type === 'tool_result') {
    return blocksOf(block.content).flatMap((inner, i) =>
      typeof block.content === 'string' ? [] : textProblems(inner, `${where}.content[${i}]`),
    )
  }
  if (block.type !== 'text') return []
  return typeof block.text === 'string' && block.text.trim() !== '' ? [] : [`${where}: text must not be empty`]
}

/** The API reads neighbouring messages of one role as one turn. */
function turns(messages: Json[]): Turn[] {
  const merged: Turn[] = []
  messages.forEach(({ role, content }, at) => {
    const blocks = blocksOf(content).map((block) => ({ block, at }))
    const last = merged.at(-1)
    if (last && last.role === role) last.blocks.push(...blocks)
    else merged.push({ role, blocks })
  })
  return merged
}

/** Every call is answered in the very next turn, and every answer has its call in the turn before. */
function pairingProblems(all: Turn[]): string[] {
  return all.flatMap((turn, i) => {
    const calls = callsOf(turn)
    const answers = answersOf(turn)
    return [
      ...missing(answers, callsOf(all[i - 1])).map(say('tool_result', 'has no tool_use in the previous message')),
      ...missing(calls, answersOf(all[i + 1])).map(say('tool_use', 'has no tool_result in the next message')),
      ...repeated(answers).map(say('tool_use', 'is answered more than once')),
      ...repeated(calls).map(say('tool_use', 'is used more than once')),
    ]
  })
}

function callsOf(turn: Turn | undefined): Reference[] {
  return turn?.role === 'assistant' ? references(turn, 'tool_use', 'id') : []
}

function answersOf(turn: Turn | undefined): Reference[] {
  return turn?.role === 'user' ? references(turn, 'tool_result', 'tool_use_id') : []
}

function references({ blocks }: Turn, type: string, key: string): Reference[] {
  return blocks.filter(({ block }) => block.type === type).map(({ block, at }) => ({ id: String(block[key]), at }))
}

function missing(wanted: Reference[], there: Reference[]): Reference[] {
  return wanted.filter(({ id }) => !there.some((other) => other.id === id))
}

function repeated(list: Reference[]): Reference[] {
  return list.filter(({ id }, i) => list.findIndex((other) => other.id === id) < i)
}

function say(what: string, trouble: string) {
  return ({ id, at }: Reference) => `messages[${at}]: ${what} ${id} ${trouble}`
}

function cacheProblems(body: Json): string[] {
  const markers = countMarkers([body.system, body.tools, body.messages])
  return markers > maxCacheMarkers ? [`${markers} blocks carry cache_control; at most ${maxCacheMarkers} may`] : []
}

/** Looks where blocks are, not into tool inputs and schemas, which may hold any key. */
function countMarkers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMarkers(item), 0)
  if (!isObject(value)) return 0
  return (isObject(value.cache_control) ? 1 : 0) + countMarkers(value.content)
}

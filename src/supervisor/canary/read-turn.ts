import type { Finding } from '#core/canary/finding.ts'
import type { Asker, SeenTurn } from '#core/canary/watch.ts'
import { isClientsOwn } from '#core/goal/instruction.ts'
import {
  KNOWN_BLOCKS,
  KNOWN_CLASSES,
  KNOWN_KEYS,
  KNOWN_ROLES,
  missingInput,
  OWN_MARKER,
  offersAgent,
  tellsFolder,
  unknownTools,
} from '#protocol/client-shape.ts'
import { CLASS_HEADER } from '#protocol/request-kind.ts'
import { elementsOf, memberAt, type Span, valueAt } from '#protocol/request-scan.ts'
import { textsOf } from '#protocol/turn-facts.ts'
import type { ObservedTurn } from '../call.ts'
import type { Layout } from '../inject/forward.ts'
import { roleOf } from '../inject/messages.ts'
import { type CallFacts, workingDirectory } from '../inject/read-call.ts'

/**
 * What the canary compares of a turn. Each fact is read when a rule asks for it: most turns cost a few comparisons. A class,
 * because an object with getters of its own is described by a hidden class of its own, which keeps what they refer to, the
 * request's body included, until the next full garbage collection.
 */
export class ComparedTurn implements SeenTurn {
  readonly asker: Asker
  readonly at: number
  readonly answer: SeenTurn['answer']

  constructor(
    turn: ObservedTurn,
    private readonly facts: CallFacts,
    private readonly version: string | undefined,
    readonly repeats: boolean,
  ) {
    const { messageId, toolUses, complete } = turn.answer!
    this.asker = askerOf(facts)
    this.at = turn.endedAt
    this.answer = { id: messageId, toolUses: toolUses.map(({ id }) => id), complete }
  }

  get offersAgent(): boolean {
    return offersAgent(this.facts.tools)
  }

  /** A subagent's results are its own matter. */
  get results(): readonly string[] {
    return this.facts.kind === 'subagent' ? [] : this.facts.results
  }

  get settled(): SeenTurn['settled'] {
    return this.facts.settled.map(({ use: { id, outcome } }) => ({ id, ran: outcome === 'ran' }))
  }

  get begins(): boolean {
    const { body, messages } = this.facts.layout
    return messages.every((message) => roleOf(body, message) !== 'assistant')
  }

  get folder(): boolean {
    const { layout } = this.facts
    return workingDirectory(layout) !== undefined || !tellsFolder(this.version, systemPrompt(layout))
  }

  get instruction(): boolean {
    return this.facts.instruction !== undefined || holdsOthersWords(this.facts.layout)
  }
}

function askerOf({ kind, doubtful }: CallFacts): Asker {
  if (kind === 'main') return doubtful ? 'doubtful' : 'main'
  return kind === 'subagent' || kind === 'agent-hook' || kind === 'compaction' ? kind : 'side'
}

function systemPrompt({ body, scan }: Layout): string {
  const span = scan.keys.get('system')
  return span ? body.toString('utf8', span.start, span.end) : ''
}

/** A message of a teammate or a notice of the client begins a conversation without the user; so does a picture alone. */
function holdsOthersWords({ body, messages }: Layout): boolean {
  return messages.some((message) => {
    const content = memberAt(body, message, 'content')
    if (!content) return false
    if (blockTypes(body, content).some((type) => type === 'image' || type === 'document')) return true
    return textsOf(valueAt(body, content)).some(isClientsOwn)
  })
}

/** Messages before `from` were looked at in an earlier request; one that `repeats` it brings the same results. */
interface Looked {
  from: number
  repeats: boolean
  withTools: boolean
}

/** Names in a request that are not described. */
export function unknownInRequest(
  { call }: ObservedTurn,
  facts: CallFacts,
  { from, repeats, withTools }: Looked,
): Finding[] {
  const { scan } = facts.layout
  const found: Finding[] = []
  const add = (kind: Finding['kind'], names: Iterable<string>, known: ReadonlySet<string>) => {
    for (const subject of names) {
      const isNew = !known.has(subject) && !found.some((one) => one.kind === kind && one.subject === subject)
      if (isNew) found.push({ kind, subject })
    }
  }
  const named = call.headers[CLASS_HEADER]
  if (named !== undefined) add('unknown-class', [String(named)], KNOWN_CLASSES)
  if (facts.kind === 'subagent' || facts.kind === 'agent-hook') return found
  add('unknown-key', scan.keys.keys(), KNOWN_KEYS)
  if (facts.kind === 'main' && !repeats) found.push(...unknownInputs(facts))
  // It stands in the first message, which is looked at with the first request.
  if (facts.kind === 'main' && from === 0) found.push(...unknownTag(facts.layout))
  if (from < facts.layout.messages.length) {
    const { roles, blocks } = namesIn(facts.layout, from)
    add('unknown-role', roles, KNOWN_ROLES)
    add('unknown-block', blocks, KNOWN_BLOCKS)
  }
  if (withTools && facts.kind === 'main') add('unknown-tool', unknownTools(facts.tools).slice(0, 3), new Set())
  return found
}

/** Input fields that Grove knows and a call lacks although it ran: the client must have renamed them. */
function unknownInputs({ results, settled }: CallFacts): Finding[] {
  if (results.length === 0) return []
  return settled.flatMap(({ use: { name, input, outcome } }): Finding[] => {
    const field = outcome === 'ran' ? missingInput(name, input) : undefined
    return field === undefined ? [] : [{ kind: 'unknown-input', subject: `${name}.${field}` }]
  })
}

const OPENING_TAG = /^<([a-z][\w-]{0,40})>/

/** The tag that encloses the whole text. */
function wrapperOf(text: string): string | undefined {
  const trimmed = text.trim()
  const name = OPENING_TAG.exec(trimmed)?.[1]
  return name !== undefined && trimmed.endsWith(`</${name}>`) ? name : undefined
}

/** The tag before the user's words at the beginning of a conversation without the known marker: probably its new name. */
function unknownTag({ body, messages }: Layout): Finding[] {
  const [first] = messages
  if (!first || messages.some((one) => roleOf(body, one) === 'assistant') || body.includes(OWN_MARKER)) return []
  const texts = textsOf((valueAt(body, first) as { content?: unknown }).content)
  const tag = texts
    .slice(0, -1)
    .map(wrapperOf)
    .find((name) => name !== undefined)
  return tag === undefined ? [] : [{ kind: 'unknown-tag', subject: tag }]
}

function namesIn({ body, messages }: Layout, from: number): { roles: string[]; blocks: string[] } {
  const roles: string[] = []
  const blocks: string[] = []
  for (const message of messages.slice(from)) {
    const role = roleOf(body, message) ?? 'none'
    roles.push(role)
    const content = role === 'assistant' ? undefined : memberAt(body, message, 'content')
    if (content) blocks.push(...blockTypes(body, content))
  }
  return { roles, blocks }
}

function blockTypes(body: Buffer, content: Span): string[] {
  return (elementsOf(body, content) ?? []).map((block) => {
    const type = memberAt(body, block, 'type')
    return type ? body.toString('utf8', type.start + 1, type.end - 1) : 'none'
  })
}

import type { Finding } from '#core/canary/finding.ts'
import type { Asker, SeenTurn } from '#core/canary/watch.ts'
import { isClientsOwn } from '#core/goal/instruction.ts'
import {
  KNOWN_BLOCKS,
  KNOWN_CLASSES,
  KNOWN_KEYS,
  KNOWN_ROLES,
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

/** What the canary compares of a turn. Each fact is read when a rule asks for it: most turns cost a few comparisons. */
export function seenTurn(turn: ObservedTurn, facts: CallFacts, version: string | undefined): SeenTurn {
  const { layout, kind } = facts
  const { messageId, toolUses, complete } = turn.answer!
  const asker = askerOf(facts)
  return {
    asker,
    at: turn.endedAt,
    get offersAgent() {
      return offersAgent(facts.tools)
    },
    // A subagent's results are its own matter.
    get results() {
      return kind === 'subagent' ? [] : facts.results
    },
    get begins() {
      return layout.messages.every((message) => roleOf(layout.body, message) !== 'assistant')
    },
    get folder() {
      return workingDirectory(layout) !== undefined || !tellsFolder(version, systemPrompt(layout))
    },
    get instruction() {
      return facts.instruction !== undefined || holdsOthersWords(layout)
    },
    answer: { id: messageId, toolUses: toolUses.map(({ id }) => id), ends: complete && toolUses.length === 0 },
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

/** Names in a request that are not described. Messages before `from` were looked at in an earlier request. */
export function unknownInRequest(
  { call }: ObservedTurn,
  facts: CallFacts,
  { from, withTools }: { from: number; withTools: boolean },
): Finding[] {
  const { scan } = facts.layout
  const found: Finding[] = []
  const add = (kind: Finding['kind'], names: Iterable<string>, known: ReadonlySet<string>) => {
    for (const subject of new Set(names)) if (!known.has(subject)) found.push({ kind, subject })
  }
  const named = call.headers[CLASS_HEADER]
  if (named !== undefined) add('unknown-class', [String(named)], KNOWN_CLASSES)
  if (facts.kind === 'subagent' || facts.kind === 'agent-hook') return found
  add('unknown-key', scan.keys.keys(), KNOWN_KEYS)
  const { roles, blocks } = namesIn(facts.layout, from)
  add('unknown-role', roles, KNOWN_ROLES)
  add('unknown-block', blocks, KNOWN_BLOCKS)
  if (withTools && facts.kind === 'main') add('unknown-tool', unknownTools(facts.tools).slice(0, 3), new Set())
  return found
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

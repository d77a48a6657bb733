/** Which part of the client asks the model. Only `main` requests belong to a task; everything else passes through untracked. */
export type RequestKind =
  | 'main'
  | 'subagent'
  | 'compaction'
  | 'prompt-hook'
  | 'agent-hook'
  | 'web-search'
  | 'title'
  /** Any other request the client makes on its own account: page summaries, prompt suggestions, recaps. */
  | 'small-model'
  | 'count-tokens'
  /** A connection, key or quota check of one token. */
  | 'warm-up'
  /** One of Grove's own judge calls. */
  | 'own'

/** The header that marks Grove's own judge calls. */
export const JUDGE_HEADER = 'x-grove-judge'

/** How the id of every session begins in which Grove asks `claude` for a judgement: "grove-", as a UUID has it. */
export const JUDGE_SESSION = '67726f76-652d-'

/** The few parts of a request that tell the kinds apart; cheap to collect without parsing the body. */
export interface RequestSketch {
  path: string
  /** The top-level keys of the body. */
  keys: readonly string[]
  maxTokens?: number | undefined
  /** The text of the first `system` block, or the whole `system` when it is a string. */
  system0?: string | undefined
  tools: readonly string[]
  /** `thinking.type`. */
  thinking?: string | undefined
  /** The property names `output_config.format` asks for; empty when the answer's form is free. */
  answerFields: readonly string[]
  /** The last text block of the newest user message; its end is enough. */
  lastUserText?: string | undefined
  /**
   * A request forked off the main thread (compaction, suggestion, recap) leaves the cache marker where the main thread
   * put it: on a message before the newest user message. The main thread marks the newest user message or a system message
   * behind it. Undefined when no message carries a marker.
   */
  forked?: boolean | undefined
}

/** A kind, and whether its marks agree. What only the cache marker sets apart is main until the transcript says otherwise. */
export interface Classified {
  kind: RequestKind
  /** Set on `main` when the cache marker speaks for a fork, but no wording or structure does. */
  doubtful?: true
}

/** Node's header object, names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>
type Rule = [kind: RequestKind, applies: (sketch: RequestSketch, headers: Headers) => boolean]

/** The header in which newer clients name the class of a request, where they are told to. */
export const CLASS_HEADER = 'x-claude-code-request-class'

/** Marks that hold whatever the client says of itself. */
const certain: Rule[] = [
  ['own', (_, headers) => isOwnCall({ headers })],
  ['count-tokens', ({ path }) => /\/count_tokens(\?|$)/.test(path)],
  ['warm-up', ({ maxTokens, keys }) => maxTokens === 1 || !keys.includes('messages')],
]

/** What kind of side request it is, once it is known to be one. */
const side: Rule[] = [
  ['web-search', ({ tools }) => tools.length === 1 && tools[0] === 'web_search'],
  ['title', ({ tools, answerFields }) => tools.length === 0 && answerFields.includes('title')],
  ['prompt-hook', ({ tools, answerFields }) => tools.length === 0 && answerFields.includes('ok')],
]

/** Structure and wordings, for clients that do not name the class. The marks were measured on the real client. */
const structural: Rule[] = [
  ['subagent', ({ system0 }, headers) => 'x-claude-code-agent-id' in headers || isSubagentBilling(system0)],
  ['compaction', (sketch) => asksForSummary(sketch.lastUserText) && (sketch.forked !== false || isSideRequest(sketch))],
  ...side,
  ['agent-hook', (sketch) => isSideRequest(sketch) && sketch.tools.includes('StructuredOutput')],
  ['small-model', (sketch) => isSuggestion(sketch.lastUserText) && sketch.forked !== false],
  ['small-model', (sketch) => isSideRequest(sketch) && sketch.tools.length === 0],
]

/** Which kind of request this is, from its headers and a sketch of its body. */
export function requestKind(headers: Headers, sketch: RequestSketch): Classified {
  const kind = firstOf(certain, sketch, headers) ?? named(headers, sketch) ?? firstOf(structural, sketch, headers)
  if (kind) return { kind }
  return isNamed(headers) || sketch.forked !== true ? { kind: 'main' } : { kind: 'main', doubtful: true }
}

function firstOf(rules: Rule[], sketch: RequestSketch, headers: Headers): RequestKind | undefined {
  return rules.find(([, applies]) => applies(sketch, headers))?.[0]
}

/** The classes of the client in our words. A class that is new to us leaves the question to structure. */
function named(headers: Headers, sketch: RequestSketch): RequestKind | undefined {
  switch (headers[CLASS_HEADER]) {
    case 'main':
      return 'main'
    case 'subagent':
    case 'workflow':
      // An agent hook calls itself a subagent, but has no id and answers by schema.
      return headers['x-claude-code-agent-id'] === undefined && sketch.tools.includes('StructuredOutput')
        ? 'agent-hook'
        : 'subagent'
    case 'compaction':
      return 'compaction'
    case 'auxiliary':
    case 'side_reply':
      return firstOf(side, sketch, headers) ?? 'small-model'
    default:
      return undefined
  }
}

function isNamed(headers: Headers): boolean {
  return headers[CLASS_HEADER] === 'main'
}

/** One of Grove's own judge calls, told by its headers alone. */
export function isOwnCall({ headers }: { headers: Headers }): boolean {
  return headers[JUDGE_HEADER] !== undefined || isJudgeSession(headers)
}

function isJudgeSession(headers: Headers) {
  return String(headers['x-claude-code-session-id'] ?? '').startsWith(JUDGE_SESSION)
}

function isSubagentBilling(system0 = '') {
  return /^x-anthropic-billing-header:[^\n]*\bcc_is_subagent=true/.test(system0)
}

/** Compaction has the main thread's system, tools and thinking; its last block asks for an answer in these two tags. */
function asksForSummary(text = '') {
  return text.includes('<analysis>') && text.includes('<summary>')
}

function isSuggestion(text = '') {
  return text.trimStart().startsWith('[SUGGESTION MODE')
}

/** A main thread whose user switched thinking off keeps its `Agent` tool; a side request has neither. */
function isSideRequest({ keys, thinking, tools }: RequestSketch) {
  const thinks = thinking !== undefined && thinking !== 'disabled'
  return !thinks && !keys.includes('context_management') && !tools.includes('Agent') && !tools.includes('Task')
}

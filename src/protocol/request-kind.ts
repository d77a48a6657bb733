/** Who asks the model. Only `main` requests belong to a task; everything else passes through untracked. */
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
   * put it: messages carry one, but not the newest user message. Undefined when no message carries any.
   */
  forked?: boolean | undefined
}

/** Node's header object, names in lower case. */
type Headers = Record<string, string | string[] | undefined>
type Rule = [kind: RequestKind, applies: (sketch: RequestSketch, headers: Headers) => boolean]

/** The first rule that applies names the kind. The marks were measured on the real client. */
const rules: Rule[] = [
  ['own', (_, headers) => headers[JUDGE_HEADER] !== undefined || isJudgeSession(headers)],
  ['count-tokens', ({ path }) => /\/count_tokens(\?|$)/.test(path)],
  ['warm-up', ({ maxTokens, keys }) => maxTokens === 1 || !keys.includes('messages')],
  ['subagent', ({ system0 }, headers) => 'x-claude-code-agent-id' in headers || isSubagentBilling(system0)],
  ['compaction', (sketch) => asksForSummary(sketch.lastUserText) && (sketch.forked !== false || isSideRequest(sketch))],
  ['web-search', ({ tools }) => tools.length === 1 && tools[0] === 'web_search'],
  ['title', ({ tools, answerFields }) => tools.length === 0 && answerFields.includes('title')],
  ['prompt-hook', ({ tools, answerFields }) => tools.length === 0 && answerFields.includes('ok')],
  ['agent-hook', (sketch) => isSideRequest(sketch) && sketch.tools.includes('StructuredOutput')],
  ['small-model', (sketch) => sketch.forked === true || isSuggestion(sketch.lastUserText)],
  ['small-model', (sketch) => isSideRequest(sketch) && sketch.tools.length === 0],
  ['main', () => true],
]

/** Which kind of request this is, from its headers and a sketch of its body. */
export function requestKind(headers: Headers, sketch: RequestSketch): RequestKind {
  return rules.find(([, applies]) => applies(sketch, headers))![0]
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

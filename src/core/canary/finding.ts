import type { Attachment } from '../session.ts'

/** Signs that Claude Code has changed in a way that Grove does not understand. */

export const FINDING_KINDS = [
  'main-missed',
  'no-main',
  'no-folder',
  'no-instruction',
  'no-session',
  'no-results',
  'unreadable-request',
  'unreadable-transcript',
  'doubtful-main',
  'unseen-answer',
  'unseen-tool-use',
  'unknown-role',
  'unknown-key',
  'unknown-block',
  'unknown-class',
  'unknown-tag',
  'unknown-tool',
  'unknown-input',
  'unknown-path',
  'unknown-event',
  'missing-event',
  'missing-field',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** One thing that was noticed. */
export interface Finding {
  readonly kind: FindingKind
  /** The name that is unknown or missing. */
  readonly subject?: string
}

/** A finding as it is kept: once for each version of the client. */
export interface KeptFinding extends Finding {
  /** `unknown` where only a hook was seen, and no transcript. */
  readonly version: string
  readonly sessionId?: string
  readonly at: number
  /** It was said in the terminal. */
  readonly told: boolean
}

/** A finding in words. */
export interface Explanation {
  noticed: string
  affected: string
  fallback: string
}

interface Meaning {
  noticed(subject: string): string
  affected: string
  fallback: string
  /** What this attachment tells can no longer be relied on. */
  breaks?: Attachment
}

const TO_HOOKS =
  'where hooks are attached they are used alone, and the proxy passes requests through unchanged; else the proxy goes on with what it understands'
const TO_PROXY = 'where the proxy is attached it is used alone; else hooks go on with what they understand'
const REST = 'everything else goes on as before'

const MEANINGS: Record<FindingKind, Meaning> = {
  'main-missed': {
    noticed: () => 'a request of the main conversation was taken for a side request',
    affected: 'goal, steps, drift and token counts of sessions that only the proxy sees',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'no-main': {
    noticed: () => 'requests offer the agent tool, but none looks like the main conversation',
    affected: 'goal, steps, drift and token counts of sessions that only the proxy sees',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'no-folder': {
    noticed: () => 'the main conversation does not say which folder it works in',
    affected: 'project, memories and scope of sessions that only the proxy sees',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'no-instruction': {
    noticed: () => 'no instruction of the user was found in the first turn',
    affected: 'goal and drift of sessions that only the proxy sees',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'no-session': {
    noticed: () => 'requests of the main conversation do not name their session',
    affected: 'everything that the proxy reads or adds',
    fallback: TO_HOOKS,
  },
  'no-results': {
    noticed: () => 'the results of tool calls are not found in the requests that follow',
    affected: 'steps and drift of sessions that only the proxy sees',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'unreadable-request': {
    noticed: () => 'the body of a request has another form',
    affected: 'everything that the proxy reads or adds',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'unreadable-transcript': {
    noticed: () => 'the transcript is not named, or no answer of the agent is found in it',
    affected: 'token counts and the agent’s own words, where only hooks see a session',
    fallback: 'where the proxy is attached it supplies both; else hooks do without them',
  },
  'doubtful-main': {
    noticed: () => 'a request of the main conversation carries the cache marker of a side request',
    affected: 'steps are noted one request later than usual',
    fallback: 'the transcript and the next request decide which conversation a request belongs to',
  },
  'unseen-answer': {
    noticed: () => 'the transcript holds an answer that did not come through the proxy',
    affected: 'token counts and corrections that the proxy would have added',
    fallback: 'hooks and transcript are used for what the proxy misses',
  },
  'unseen-tool-use': {
    noticed: () => 'a hook reported a tool call that did not come through the proxy',
    affected: 'token counts and corrections that the proxy would have added',
    fallback: 'hooks and transcript are used for what the proxy misses',
  },
  'unknown-role': {
    noticed: (role) => `messages have the unknown role "${role}"`,
    affected: 'what is said in such messages is not read',
    fallback: REST,
  },
  'unknown-key': {
    noticed: (key) => `requests have the unknown field "${key}"`,
    affected: 'what it asks for is not known; it is forwarded unchanged',
    fallback: REST,
  },
  'unknown-block': {
    noticed: (type) => `messages have blocks of the unknown type "${type}"`,
    affected: 'instructions and results in such blocks are not read',
    fallback: REST,
  },
  'unknown-class': {
    noticed: (name) => `requests are of the unknown class "${name}"`,
    affected: 'the class header does not help to tell requests apart',
    fallback: 'requests are told apart by their structure and wording',
  },
  'unknown-tag': {
    noticed: (tag) => `the client puts words of its own into the unknown tag <${tag}>`,
    affected: 'goal and drift of sessions that only the proxy sees: such words may be taken for the user’s',
    fallback: TO_HOOKS,
    breaks: 'proxy',
  },
  'unknown-tool': {
    noticed: (name) => `the unknown tool "${name}" may be one that Grove relies on, under another name`,
    affected: 'steps, drift and scope for what such tools do',
    fallback: 'they are treated as tools that may change anything',
  },
  'unknown-input': {
    noticed: (field) => `calls of a tool were carried out without ${field}`,
    affected: 'steps, drift and scope for what such calls do',
    fallback: REST,
  },
  'unknown-path': {
    noticed: (path) => `requests to the model go to the unknown path ${path}`,
    affected: 'everything that the proxy reads or adds; they are forwarded unchanged',
    fallback: TO_HOOKS,
  },
  'unknown-event': {
    noticed: (name) => `hooks report the unknown event "${name}"`,
    affected: 'its contents are not used',
    fallback: REST,
  },
  'missing-event': {
    noticed: (name) => `hooks report tools before they run, but never by ${name}`,
    affected: 'steps, drift and trace of sessions that only hooks see',
    fallback: TO_PROXY,
    breaks: 'hooks',
  },
  'missing-field': {
    noticed: (field) => `hook payloads lack ${field}`,
    affected: 'steps, drift and guard of sessions that only hooks see',
    fallback: TO_PROXY,
    breaks: 'hooks',
  },
}

/** What a finding means, in sentences without a full stop. */
export function explain({ kind, subject = '' }: Finding): Explanation {
  const { noticed, affected, fallback } = MEANINGS[kind]
  return { noticed: noticed(subject), affected, fallback }
}

/** The attachment that is not understood any more; undefined where only a detail is unknown. */
export function brokenBy({ kind }: Finding): Attachment | undefined {
  return MEANINGS[kind].breaks
}

export function isFindingKind(kind: unknown): kind is FindingKind {
  return typeof kind === 'string' && Object.hasOwn(MEANINGS, kind)
}

/** Under which a finding is kept: once per client version. */
export function findingKey(version: string, { kind, subject }: Finding): string {
  return [version, kind, ...(subject === undefined ? [] : [subject])].join(' ')
}

/** One line for the terminal that sums up all of them. */
export function terminalLine(findings: readonly KeptFinding[]): string | undefined {
  const [first, ...more] = findings
  if (!first) return undefined
  const client = first.version === 'unknown' ? 'this Claude Code' : `Claude Code ${first.version}`
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return `Grove does not fully understand ${client}: ${explain(first).noticed}${others}. \`grove doctor\` says what is affected.`
}

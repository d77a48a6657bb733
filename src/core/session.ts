/** An agent session is one Claude Code session, keyed by Claude Code's own `session_id`. */
export interface AgentSession {
  id: string
  /** Unknown until a request's system prompt or a hook payload names the working directory. */
  projectId?: string
  cwd?: string
  model?: string
  /** Which attachments have seen it: the proxy, the hooks or both. */
  attachments: Attachment[]
  /** Tokens of the last main-thread call: how full the context window is now. */
  contextTokens: number
  startedAt: number
  lastSeenAt: number
  endedAt?: number
}

export type Attachment = 'proxy' | 'hooks'

/** One look at a session; stores merge looks, so the order in which proxy and hooks report does not matter. */
export interface SessionSighting {
  id: string
  at: number
  through: Attachment
  projectId?: string
  cwd?: string
  model?: string
  contextTokens?: number
}

/** A project is the same project on every machine; the root is only where it lies here. */
export interface Project {
  id: string
  name: string
  root: string
  remote?: string
}

/** What a model call cost, in the API's own four counters. */
export interface TokenUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

export const NO_TOKENS: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** What the model had in its window when it finished answering. */
export function windowTokens(usage: TokenUsage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output
}

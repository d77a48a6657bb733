/**
 * Claude Code as a child process that the workflow drives: `exec/claude/` speaks its stream-json, the engine decides.
 * Everything that depends on the client's form stays behind this port.
 */
export interface AgentDriver {
  /**
   * One process per Claude id: rejects with code `agent_busy` while another one, of whichever Grove, holds the id, and with
   * `agent_failed` when the client does not come up (an unknown conversation, no such program).
   */
  start(run: AgentRun, host: AgentHost): Promise<AgentProcess>
  /** Ends processes and their descendants that an earlier Grove has left behind; resolves to the spawns found. */
  endOrphans(): Promise<string[]>
  /** Undefined when there is no client; `supported` is false for one that is older than what the driver was tried with. */
  client(): Promise<{ version: string; supported: boolean } | undefined>
}

/** The logs of runs, one file for each. */
export interface RunLogs {
  file(sessionId: string, stamp: string): string
  /** Puts those of a complete feature session apart. */
  archive(sessionId: string): Promise<void>
  /** Removes what is old enough. */
  sweep(now: number): Promise<void>
}

export interface AgentRun {
  /** Also in the environment of everything the process starts (`GROVE_SPAWN`), so that descendants can be found. */
  spawnId: string
  /** A conversation's id, chosen by us; `resume` when it exists already. */
  claude: { id: string; resume: boolean }
  cwd: string
  /** Folders outside `cwd` that may be read without asking. */
  readable: string[]
  /** The only tools that exist in this run, as the client names them, besides the host's own. */
  tools: string[]
  /**
   * Tools that the host is asked about once, when the client wants permission, and not before as well. Calls of these cannot be
   * parked; what hooks have to tell about them is told when they have run.
   */
  askedOnce?: string[]
  mode: 'default' | 'plan'
  /** The id of an earlier run keeps its window; undefined takes the client's default. */
  model?: string
  /** Appended to the client's own system prompt. */
  system?: string
  subagents?: Record<string, { description: string; prompt: string; tools: string[] }>
  /** JSON schema: each turn then ends with a structured answer. */
  answerSchema?: object
  /** Working time of one turn: the clock stands still while the host is asked something. */
  limitMs: number
  subagentLimitMs: number
  /** Where the redacted log of this process goes. */
  logFile: string
}

/** What the process asks of us. A rejected promise is a denial that names the trouble. */
export interface AgentHost {
  /** Every tool call, subagents' included, before it runs. */
  decide(call: ToolRequest): Promise<ToolDecision>
  /** The tools we offer inside the run, over the control channel. */
  tools: HostTool[]
  callTool(call: HostToolCall): Promise<HostToolAnswer>
  /** The client's hook events (names and JSON as for hook commands) and our answer in the same form. */
  hook?(event: object): Promise<object>
  /**
   * In order. The child is read on only when the promise is through: long output cannot fill our memory. When it rejects,
   * the process is stopped. A turn that the end of the process cuts off is told too.
   */
  on(event: AgentEvent): void | Promise<void>
}

export interface ToolRequest {
  toolUseId: string
  tool: string
  input: Record<string, unknown>
  /** Set when a subagent asks. */
  subagent?: string
  /** Aborted when the client withdraws the request. */
  signal: AbortSignal
}

export type ToolDecision =
  | { type: 'allow'; input?: Record<string, unknown> }
  | { type: 'deny'; message: string }
  /**
   * Parks the call: the turn ends, the process may end, and the same call is asked again after a resume without any message.
   * Only the last call of an answer can be parked, and no subagent's; others are denied with the advice to ask together. So
   * nothing is parked before the end of the turn says so (`TurnEnd.deferred`).
   */
  | { type: 'defer' }

export interface HostTool {
  name: string
  description: string
  inputSchema: object
}

export interface HostToolCall {
  name: string
  input: Record<string, unknown>
  toolUseId?: string
  signal: AbortSignal
}

export interface HostToolAnswer {
  text: string
  isError?: boolean
}

export type AgentEvent =
  | { type: 'started'; claudeId: string; model: string; clientVersion: string; tools: string[] }
  /** Our message was taken into the conversation. */
  | { type: 'heard'; messageId: string }
  /** A piece of text while it streams, then the whole block. */
  | { type: 'text-part'; text: string; subagent?: string }
  | { type: 'text'; text: string; subagent?: string }
  | { type: 'tool'; toolUseId: string; tool: string; input: Record<string, unknown>; subagent?: string }
  | { type: 'tool-result'; toolUseId: string; outcome: 'ok' | 'error' | 'denied'; text: string; subagent?: string }
  | { type: 'subagent'; taskId: string; state: 'started' | 'completed' | 'stopped' | 'failed'; name?: string }
  /**
   * Tokens of the main conversation in this process so far, as of the last turn's end; `contextTokens` after each call. The
   * window is 0 until the first turn has ended.
   */
  | { type: 'usage'; inputTokens: number; outputTokens: number; contextTokens: number; window: number }
  | { type: 'compacted'; ok: boolean; detail?: string }
  /** The API was not reached and the client tries again. */
  | { type: 'retrying'; attempt: number; delayMs: number; status?: number }
  | { type: 'turn'; end: TurnEnd }

export interface TurnEnd {
  how: 'done' | 'deferred' | 'interrupted' | 'timed-out' | 'limit' | 'auth' | 'billing' | 'failed'
  /** What the client prints as the result; reports are read from `text` events, not from here. */
  text: string
  structured?: unknown
  deferred?: { toolUseId: string; tool: string; input: Record<string, unknown> }
  status?: number
  /** Of this process so far: each process begins at zero. */
  costUsd: number
  turns: number
}

export interface AgentProcess {
  pid: number
  /**
   * `parts` are texts of others (plans, comments, answers): they go in before our own words, and neither of them can name a
   * command (`/`) or pull in a file (`@`). Resolves when it is written; the event `heard` says that it was taken.
   */
  say(message: { id: string; parts?: string[]; text: string }): Promise<void>
  /** Asks the client to compact; the event `compacted` tells how it went. */
  compact(keep: string): Promise<void>
  /** Ends the running turn; the process stays. Resolves at once, the event `turn` tells of the end. */
  interrupt(): Promise<void>
  stopSubagent(taskId: string): Promise<void>
  /** Interrupt, end_session, SIGTERM, SIGKILL, then descendants: resolves when nothing of it is left. */
  stop(): Promise<AgentEnd>
  ended: Promise<AgentEnd>
}

export interface AgentEnd {
  code: number | null
  signal: string | null
  /** The last lines of what it said on stderr, redacted. */
  complaint: string
  costUsd: number
}

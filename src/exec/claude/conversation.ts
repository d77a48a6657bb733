import type { AgentEvent, TurnEnd } from '#core/ports/agent-driver.ts'
import { isObject } from '#protocol/json.ts'
import { type Block, blocksOf, type OutputLine, type OutputLineOf, textOf } from '#protocol/stream-json/output.ts'
import { turnEnd } from '#protocol/stream-json/turn-end.ts'

type Json = Record<string, unknown>

/**
 * What one process has said so far, and which events each further line means. It only reads; control requests and
 * answers are handled elsewhere.
 */
export class Conversation {
  /** Set when we end the running turn, so that its result says why. */
  stopped: 'interrupted' | 'timed-out' | undefined
  /** The client's counters before this process has done anything: newer clients continue the conversation's total. */
  costBefore = 0
  costUsd = 0
  /** Running subagents. */
  readonly tasks = new Set<string>()
  #started = false
  #model = ''
  #apiError: string | undefined
  readonly #compactions = new Set<string>()
  #compactionTold = false
  readonly #wasDenied: (toolUseId: string) => boolean
  /** The subagent that a call has started. */
  readonly #agentOf = new Map<string, string>()
  readonly #counted = { inputTokens: 0, outputTokens: 0, contextTokens: 0, window: 0 }
  #seenMessage: string | undefined
  /** The calls in the answer that is streaming, or was streamed last. */
  #calls: string[] = []
  #streaming = false
  /** Calls of the main conversation that have an outcome. */
  readonly #settled = new Set<string>()
  readonly #waiting: { holds(): boolean; resolve(): void }[] = []

  constructor(wasDenied: (toolUseId: string) => boolean) {
    this.#wasDenied = wasDenied
  }

  /** The events of one line, in order. */
  read(line: OutputLine): AgentEvent[] {
    if (line.type === 'system') return this.#system(line)
    if (line.type === 'stream_event') return this.#streamed(line)
    if (line.type === 'assistant') return this.#assistant(line)
    if (line.type === 'user') return this.#user(line)
    if (line.type === 'result') return this.#result(line)
    return []
  }

  /** After our request to compact: its result line is not a turn of the conversation. */
  compacting(messageId: string): void {
    this.#compactions.add(messageId)
    this.#compactionTold = false
  }

  /**
   * Whether a call is the last one of its answer. Resolves when that answer is complete and, if it is the last, when every
   * other call of it has its outcome.
   */
  async isLastCall(toolUseId: string): Promise<boolean> {
    await this.#until(() => !this.#streaming)
    if (!this.#calls.includes(toolUseId)) return true
    if (this.#calls.at(-1) !== toolUseId) return false
    await this.#until(() => this.#calls.every((call) => call === toolUseId || this.#settled.has(call)))
    return true
  }

  /** The turn or the process has ended: the answer stays incomplete. */
  close(): void {
    this.#streaming = false
    this.#calls = []
    this.#wake()
  }

  async #until(holds: () => boolean): Promise<void> {
    if (!holds()) await new Promise<void>((resolve) => this.#waiting.push({ holds, resolve }))
  }

  #wake(): void {
    for (const waiter of this.#waiting.splice(0)) {
      if (waiter.holds()) waiter.resolve()
      else this.#waiting.push(waiter)
    }
  }

  #system(line: OutputLineOf<'system'>): AgentEvent[] {
    const { subtype } = line
    if (subtype === 'init') return this.#init(line)
    if (subtype === 'task_started' && line.task_id && isSubagent(line)) {
      this.tasks.add(line.task_id)
      if (line.tool_use_id) this.#agentOf.set(line.tool_use_id, line.task_id)
      const name = line.subagent_type
      return [{ type: 'subagent', taskId: line.task_id, state: 'started', ...(name && { name }) }]
    }
    if (subtype === 'task_notification' && line.task_id && this.tasks.delete(line.task_id)) {
      return [{ type: 'subagent', taskId: line.task_id, state: endOfTask(line.status) }]
    }
    if (subtype === 'status' && line.compact_result) {
      this.#compactionTold = true
      const detail = line.compact_error
      return [{ type: 'compacted', ok: line.compact_result === 'success', ...(detail && { detail }) }]
    }
    if (subtype === 'api_retry') {
      const { attempt = 1, retry_delay_ms: delayMs = 0, error_status: status } = line
      return [{ type: 'retrying', attempt, delayMs, ...(typeof status === 'number' && { status }) }]
    }
    return []
  }

  #init(line: OutputLineOf<'system'>): AgentEvent[] {
    this.#model = line.model ?? this.#model
    if (this.#started) return []
    this.#started = true
    const tools = (line.tools ?? []).filter((tool) => typeof tool === 'string')
    const clientVersion = line.claude_code_version ?? ''
    return [{ type: 'started', claudeId: line.session_id ?? '', model: this.#model, clientVersion, tools }]
  }

  #streamed({ event, parent_tool_use_id: parent, agent_id }: OutputLineOf<'stream_event'>): AgentEvent[] {
    const subagent = this.#subagent(parent, agent_id)
    if (!subagent) this.#follow(event)
    const delta = isObject(event.delta) ? event.delta : {}
    if (event.type !== 'content_block_delta' || delta.type !== 'text_delta') return []
    return [{ type: 'text-part', text: String(delta.text), ...subagent }]
  }

  /** Which calls the streaming answer holds, and whether more can come. */
  #follow(event: Json): void {
    if (event.type === 'message_start') {
      this.#streaming = true
      this.#calls = []
      this.#settled.clear()
    }
    const block = event.type === 'content_block_start' && isObject(event.content_block) ? event.content_block : {}
    if (block.type === 'tool_use') this.#calls.push(String(block.id))
    if (event.type === 'message_stop') this.#streaming = false
    this.#wake()
  }

  #assistant({ message, error, parent_tool_use_id: parent, agent_id }: OutputLineOf<'assistant'>): AgentEvent[] {
    if (error) this.#apiError = error
    const subagent = this.#subagent(parent, agent_id)
    const said = blocksOf(message.content).flatMap((block) => this.#said(block, subagent))
    const usage = !subagent && !error && message.id !== this.#seenMessage ? this.#usage(message.usage) : []
    if (!subagent) this.#seenMessage = message.id
    return [...said, ...usage]
  }

  #said(block: Block, subagent: { subagent: string } | undefined): AgentEvent[] {
    if (block.type === 'text') return [{ type: 'text', text: String(block.text), ...subagent }]
    if (block.type !== 'tool_use') return []
    const input = isObject(block.input) ? block.input : {}
    return [{ type: 'tool', toolUseId: String(block.id), tool: String(block.name), input, ...subagent }]
  }

  /** How full the window is after a call of the main conversation. */
  #usage(usage: Json | undefined): AgentEvent[] {
    if (!usage) return []
    this.#counted.contextTokens = inputOf(usage)
    return [{ type: 'usage', ...this.#counted }]
  }

  #user(line: OutputLineOf<'user'>): AgentEvent[] {
    if (line.isReplay) {
      const { uuid } = line
      return uuid && !this.#compactions.has(uuid) ? [{ type: 'heard', messageId: uuid }] : []
    }
    const subagent = this.#subagent(line.parent_tool_use_id, line.agent_id)
    return blocksOf(line.message.content).flatMap((block): AgentEvent[] => {
      if (block.type !== 'tool_result') return []
      const toolUseId = String(block.tool_use_id)
      this.#settled.add(toolUseId)
      this.#wake()
      const failed = block.is_error === true ? 'error' : 'ok'
      const outcome = this.#wasDenied(toolUseId) ? 'denied' : failed
      return [{ type: 'tool-result', toolUseId, outcome, text: textOf(block.content), ...subagent }]
    })
  }

  #result(line: OutputLineOf<'result'>): AgentEvent[] {
    this.close()
    if (line.total_cost_usd !== undefined) this.costUsd = Math.max(0, line.total_cost_usd - this.costBefore)
    if (this.#compactions.size > 0 && line.num_turns === 0) return this.#compacted(line)
    const end: TurnEnd = turnEnd(line, { stopped: this.stopped, apiError: this.#apiError, costUsd: this.costUsd })
    this.stopped = undefined
    this.#apiError = undefined
    if (line.usage) {
      this.#counted.inputTokens += inputOf(line.usage)
      this.#counted.outputTokens += number(line.usage.output_tokens)
    }
    this.#counted.window = windowOf(line.modelUsage, this.#model) || this.#counted.window
    return [
      { type: 'usage', ...this.#counted },
      { type: 'turn', end },
    ]
  }

  /** The client does not report every failed compaction as an error. */
  #compacted({ result }: OutputLineOf<'result'>): AgentEvent[] {
    this.#compactions.delete([...this.#compactions][0]!)
    if (this.#compactionTold) return []
    return [{ type: 'compacted', ok: false, ...(result && { detail: result }) }]
  }

  #subagent(parent: string | undefined, agentId: string | undefined): { subagent: string } | undefined {
    const subagent = agentId ?? (parent ? (this.#agentOf.get(parent) ?? parent) : undefined)
    return subagent === undefined ? undefined : { subagent }
  }
}

/** Commands in the background are tasks too. */
function isSubagent({ task_type, subagent_type }: OutputLineOf<'system'>): boolean {
  return subagent_type !== undefined || task_type === undefined || task_type.endsWith('agent')
}

function endOfTask(status: string | undefined): 'completed' | 'stopped' | 'failed' {
  if (status === 'completed') return 'completed'
  return status === 'stopped' || status === 'killed' ? 'stopped' : 'failed'
}

function inputOf(usage: Json): number {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage
  return number(input_tokens) + number(cache_read_input_tokens) + number(cache_creation_input_tokens)
}

/** The window of the main model: helpers may have run on others. */
function windowOf(byModel: Json | undefined, model: string): number {
  const entries = Object.entries(byModel ?? {}).flatMap(([name, use]) =>
    isObject(use) ? [[name, number(use.contextWindow)] as const] : [],
  )
  const plain = (name: string) => name.split('[', 1)[0]!
  const own = entries.find(([name]) => name === model) ?? entries.find(([name]) => plain(name) === plain(model))
  return own?.[1] ?? Math.max(0, ...entries.map(([, window]) => window))
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

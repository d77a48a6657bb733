import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentEnd, AgentEvent, AgentHost, AgentProcess, AgentRun } from '#core/ports/agent-driver.ts'
import { redact } from '#core/redact/redact.ts'
import type { RefusalCode } from '#core/refusal.ts'
import { compactCommand, inertMessage } from '#protocol/stream-json/inert-message.ts'
import { userLine } from '#protocol/stream-json/input.ts'
import { type OutputLineOf, readOutputLine } from '#protocol/stream-json/output.ts'
import { commandLine } from './command-line.ts'
import { ControlChannel } from './control-channel.ts'
import { Conversation } from './conversation.ts'
import { endProcesses } from './end-processes.ts'
import { endWithUs } from './end-with-us.ts'
import { HostTools } from './host-tools.ts'
import { costIn, initializeRequest } from './initialize.ts'
import { linesOf } from './lines-of.ts'
import { parkedOnDisk } from './parked-on-disk.ts'
import { RunClocks } from './run-clocks.ts'
import { openSpawnLog, type SpawnLog } from './spawn-log.ts'
import { descend, type Patience } from './stop-ladder.ts'
import { ToolGate } from './tool-gate.ts'

/** The client ended before it answered the first request. */
export class AgentFailed extends Error {
  readonly code = 'agent_failed' satisfies RefusalCode
}

function failure(why: string): AgentFailed {
  return new AgentFailed(`Claude Code could not be started: ${why}`)
}

export interface ProcessOptions {
  bin: string
  env: Record<string, string>
  settingsFile: string
  patience: Patience
  /** Called with the process id as soon as the client has been started. */
  spawned(pid: number): Promise<void>
}

/** One running client: what it prints becomes events, what it asks goes to the host. */
export class ClaudeProcess implements AgentProcess {
  readonly pid: number
  readonly ended: Promise<AgentEnd>
  readonly #run: AgentRun
  readonly #host: AgentHost
  readonly #child: ChildProcess
  readonly #patience: Patience
  readonly #log: SpawnLog
  readonly #control: ControlChannel
  readonly #gate: ToolGate
  readonly #tools: HostTools
  readonly #conversation: Conversation
  readonly #clocks: RunClocks
  readonly #unheard = new Set<string>()
  #telling = false
  #over = false
  #stopping: Promise<AgentEnd> | undefined
  #complaint = ''
  #transcript = ''
  /** The working folder of each agent of the run: commands may change it, and only hook events tell. */
  readonly #cwds = new Map<string | undefined, string>()

  /** Starts the client; resolves when it answers, rejects when it cannot. */
  static async start(run: AgentRun, host: AgentHost, options: ProcessOptions): Promise<ClaudeProcess> {
    const log = openSpawnLog(run.logFile)
    const child = spawn(options.bin, commandLine(run, host.tools, options.settingsFile), {
      cwd: run.cwd,
      env: options.env,
      // A process group of its own: Ctrl-C in the daemon's terminal must not reach the client.
      detached: true,
      windowsHide: true,
    })
    await once(child, 'spawn').catch((error: Error) => {
      throw failure(error.message)
    })
    endWithUs(child)
    const started = new ClaudeProcess(run, host, child, log, options.patience)
    try {
      await options.spawned(started.pid)
      await started.#greet()
      return started
    } catch (error) {
      await started.stop()
      throw error
    }
  }

  private constructor(run: AgentRun, host: AgentHost, child: ChildProcess, log: SpawnLog, patience: Patience) {
    this.pid = child.pid!
    this.#run = run
    this.#host = host
    this.#child = child
    this.#patience = patience
    this.#log = log
    this.#control = new ControlChannel(
      (line) => void this.#write(line).catch(() => {}), // A client that has gone needs no answer.
      (request, signal) => this.#serve(request, signal),
    )
    this.#gate = new ToolGate({
      decide: (call) => this.#clocks.asking(() => host.decide(call)),
      ...(host.hook && { hook: (event: object) => this.#clocks.asking(() => host.hook!(event)) }),
      isLastCall: (id) => this.#conversation.isLastCall(id),
      askedOnce: run.askedOnce ?? [],
      place: (agent) => ({
        session_id: run.claude.id,
        cwd: this.#cwds.get(agent) ?? run.cwd,
        ...(this.#transcript && { transcript_path: this.#transcript }),
        permission_mode: run.mode,
      }),
    })
    this.#tools = new HostTools(host.tools, (call) => this.#clocks.asking(() => host.callTool(call)))
    this.#conversation = new Conversation((id) => this.#gate.wasDenied(id))
    this.#clocks = new RunClocks(run, {
      turn: () => void this.#timedOut(),
      task: (taskId) => void this.stopSubagent(taskId),
    })
    child.stdin!.on('error', () => {}) // The error is also reported by each write.
    child.stderr!.on('data', (chunk: Buffer) => this.#complained(chunk.toString('utf8')))
    this.ended = this.#live()
  }

  say({ id, parts = [], text }: { id: string; parts?: string[]; text: string }): Promise<void> {
    this.#unheard.add(id)
    this.#clocks.openTurn()
    return this.#write(userLine(id, inertMessage(parts, text)))
  }

  compact(keep: string): Promise<void> {
    const id = crypto.randomUUID()
    this.#conversation.compacting(id)
    return this.#write(userLine(id, compactCommand(keep)))
  }

  /** Not awaited: a host that waits inside `on` would block the reading of the answer. */
  async interrupt(): Promise<void> {
    if (!this.#clocks.turnOpen && this.#unheard.size === 0) return
    this.#conversation.stopped ??= 'interrupted'
    this.#order({ subtype: 'interrupt' })
  }

  async stopSubagent(taskId: string): Promise<void> {
    this.#order({ subtype: 'stop_task', task_id: taskId })
  }

  stop(): Promise<AgentEnd> {
    this.#stopping ??= this.#descend()
    return this.#stopping
  }

  async #greet(): Promise<void> {
    const hello = this.#control.request(initializeRequest(this.#run, this.#host.hook !== undefined))
    const late = sleep(this.#patience.start, 'late', { ref: false })
    const first = await Promise.race([hello.then(() => 'ready'), late]).catch(() => 'gone')
    if (first !== 'ready') {
      const { complaint } = await this.stop()
      throw failure(first === 'late' ? 'it does not answer' : complaint || 'it ended at once')
    }
    if (!this.#run.claude.resume) return
    // An older client does not know the question: then its cost counts from zero.
    const spent = await this.#control.request({ subtype: 'get_session_cost' }).catch(() => undefined)
    this.#conversation.costBefore = costIn(spent)
  }

  /** Reads until the client has ended, then cleans up after it. */
  async #live(): Promise<AgentEnd> {
    const exited = once(this.#child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const read = this.#read()
    const [code, signal] = await exited
    this.#clocks.stop()
    this.#control.close()
    this.#conversation.close()
    const left = endProcesses(this.#run.spawnId)
    await this.#drained(read)
    await left
    if (this.#clocks.turnOpen && !this.#telling) await this.#cutOff()
    this.#over = true
    this.#log.note('!', `ended with ${signal ?? `code ${code}`}`)
    this.#log.close()
    return { code, signal, complaint: this.#complaint, costUsd: this.#conversation.costUsd }
  }

  /** Everything that was printed is read, unless the host itself waits for the end while it is told something. */
  async #drained(read: Promise<void>): Promise<void> {
    for (;;) {
      const done = await Promise.race([read.then(() => true), sleep(200, false)])
      if (done || (this.#telling && this.#stopping)) return
    }
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#child.stdout!)) await this.#take(line)
    } catch (error) {
      // The host failed to handle an event. Going on would lose what it is told.
      this.#complained(`\n${error instanceof Error ? error.message : String(error)}\n`)
      this.#closeTurn()
      void this.stop()
    }
  }

  async #take(text: string): Promise<void> {
    if (this.#over) return
    const line = readOutputLine(text)
    if (line.type !== 'stream_event') this.#log.note('<', text)
    if (line.type === 'control_request') {
      if (isAboutTool(line.request)) this.#clocks.openTurn()
      void this.#control.requested(line)
    } else if (line.type === 'control_cancel_request') this.#control.withdrawn(line)
    else if (line.type === 'control_response') this.#control.answered(line)
    else if (line.type === 'result') this.#closeTurn()
    for (const event of this.#conversation.read(line)) {
      this.#keepTime(event)
      if (event.type === 'turn' && event.end.deferred) {
        await parkedOnDisk(this.#transcript, event.end.deferred.toolUseId)
      }
      await this.#tell(event)
    }
  }

  async #tell(event: AgentEvent): Promise<void> {
    this.#telling = true
    try {
      await this.#host.on(event)
    } finally {
      this.#telling = false
    }
  }

  #keepTime(event: AgentEvent): void {
    if (event.type === 'heard') {
      this.#unheard.delete(event.messageId)
      this.#clocks.openTurn()
      // An interrupt that comes before the message is taken does nothing.
      if (this.#conversation.stopped) this.#order({ subtype: 'interrupt' })
    } else if (event.type === 'subagent' && event.state === 'started') this.#clocks.startTask(event.taskId)
    else if (event.type === 'subagent') this.#clocks.endTask(event.taskId)
  }

  #closeTurn(): void {
    this.#clocks.closeTurn()
    this.#gate.turnEnded()
  }

  async #timedOut(): Promise<void> {
    this.#conversation.stopped = 'timed-out'
    this.#order({ subtype: 'interrupt' })
    const closed = await Promise.race([this.#clocks.turnClosed(), sleep(this.#patience.interrupt, false)])
    if (!closed) await this.stop()
  }

  /** Emits the end of a turn that has no result line. */
  async #cutOff(): Promise<void> {
    const { stopped, costUsd } = this.#conversation
    const how = stopped ?? (this.#stopping ? 'interrupted' : 'failed')
    try {
      await this.#tell({ type: 'turn', end: { how, text: '', costUsd, turns: 0 } })
    } catch (error) {
      this.#complained(`\n${error instanceof Error ? error.message : String(error)}\n`)
    }
  }

  async #descend(): Promise<AgentEnd> {
    const orders = {
      interrupt: async () => {
        await this.interrupt()
        await this.#clocks.turnClosed()
      },
      endSession: () => this.#order({ subtype: 'end_session' }),
    }
    await descend(this.#child, this.#run.spawnId, orders, this.#patience)
    return this.ended
  }

  async #serve(request: OutputLineOf<'control_request'>['request'], signal: AbortSignal): Promise<object> {
    if (request.subtype === 'can_use_tool') return this.#gate.permission(request, signal)
    if (request.subtype === 'mcp_message') {
      return { mcp_response: await this.#tools.answer(request.message ?? {}, signal) }
    }
    if (request.subtype !== 'hook_callback') throw new Error(`Grove does not know ${request.subtype}.`)
    const event = request.input ?? {}
    if (typeof event.transcript_path === 'string') this.#transcript = event.transcript_path
    if (typeof event.cwd === 'string') this.#cwds.set(agentOf(event), event.cwd)
    if (event.hook_event_name === 'PreToolUse') return this.#gate.preToolUse(event, signal)
    const answer = ((await this.#clocks.asking(async () => this.#host.hook?.(event))) ?? {}) as Record<string, unknown>
    return event.hook_event_name === 'PostToolUse' ? this.#gate.postToolUse(event, answer) : answer
  }

  /** A request whose answer does not matter. */
  #order(request: Parameters<ControlChannel['request']>[0]): void {
    this.#control.request(request).catch((error: Error) => this.#log.note('!', `${request.subtype}: ${error.message}`))
  }

  #write(line: string): Promise<void> {
    this.#log.note('>', line.trimEnd())
    return new Promise((resolve, reject) =>
      this.#child.stdin!.write(line, (error) =>
        error ? reject(new AgentFailed('Claude Code has ended.')) : resolve(),
      ),
    )
  }

  #complained(text: string): void {
    this.#complaint = redact(`${this.#complaint}${text}`.slice(-4_000)).trim()
    this.#log.note('!', text.trimEnd())
  }
}

/** A call that is asked about belongs to a turn, also when a resumed client begins with it; other hooks come in between. */
function isAboutTool({ subtype, input }: OutputLineOf<'control_request'>['request']): boolean {
  return subtype === 'can_use_tool' || (subtype === 'hook_callback' && input?.hook_event_name === 'PreToolUse')
}

function agentOf(event: Record<string, unknown>): string | undefined {
  return typeof event.agent_id === 'string' ? event.agent_id : undefined
}

import type {
  AgentDriver,
  AgentEnd,
  AgentHost,
  AgentProcess,
  AgentRun,
  HostToolAnswer,
  TurnEnd,
} from '../../src/core/ports/agent-driver.ts'

/** What a turn of the script can do: the same that the real client does, through the same host. */
export interface Turn {
  run: AgentRun
  /** Parts and text of the message; or the answers to the call that was parked. */
  heard: string
  /** Calls one of our own tools. */
  call(name: string, input: object): Promise<HostToolAnswer>
  /** Asks for a tool of the client; whether it may run. */
  use(tool: string, input: Record<string, unknown>): Promise<boolean>
  say(text: string): Promise<void>
  /** Tells how many tokens were read so far. */
  spend(inputTokens: number): Promise<void>
  /** Ends the turn with a parked call. */
  ask(questions: object[]): Promise<never>
  answer(structured: unknown): void
  end(how: TurnEnd['how'], text?: string): never
}

export type Script = (turn: Turn) => Promise<void> | void

class Ended extends Error {
  constructor(readonly end: TurnEnd) {
    super(end.how)
  }
}

/** Claude by a script: one function for each turn, whichever process it runs in. */
export function scriptedAgent(next: (turn: Turn) => Script | undefined): AgentDriver & { runs: AgentRun[] } {
  const parked = new Map<string, { toolUseId: string; tool: string; input: Record<string, unknown> }>()
  const known = new Set<string>()
  const runs: AgentRun[] = []
  let calls = 0

  async function start(run: AgentRun, host: AgentHost): Promise<AgentProcess> {
    runs.push(run)
    if (run.claude.resume && !known.has(run.claude.id))
      throw new Error(`No conversation found with session ID ${run.claude.id}`)
    known.add(run.claude.id)
    let finish: (end: AgentEnd) => void = () => {}
    let isOver = false
    const ended = new Promise<AgentEnd>((resolve) => {
      finish = resolve
    })
    const done: AgentEnd = { code: 0, signal: null, complaint: '', costUsd: 0.01 }

    async function turn(heard: string): Promise<void> {
      await host.on({
        type: 'started',
        claudeId: run.claude.id,
        model: 'scripted',
        clientVersion: '0',
        tools: run.tools,
      })
      const end: TurnEnd = { how: 'done', text: '', costUsd: 0.01, turns: 1 }
      const tools: Turn = {
        run,
        heard,
        async call(name, input) {
          const toolUseId = `toolu_${++calls}`
          const decision = await host.decide({
            toolUseId,
            tool: `mcp__grove__${name}`,
            input: { ...input },
            signal: AbortSignal.any([]),
          })
          if (decision.type === 'deny') return { text: decision.message, isError: true }
          return host.callTool({ name, input: { ...input }, toolUseId, signal: AbortSignal.any([]) })
        },
        async use(tool, input) {
          const toolUseId = `toolu_${++calls}`
          const decision = await host.decide({ toolUseId, tool, input, signal: AbortSignal.any([]) })
          return decision.type === 'allow'
        },
        async say(text) {
          await host.on({ type: 'text', text })
        },
        async spend(inputTokens) {
          await host.on({ type: 'usage', inputTokens, outputTokens: 0, contextTokens: inputTokens, window: 200_000 })
        },
        async ask(questions) {
          const toolUseId = `toolu_${++calls}`
          const call = { toolUseId, tool: 'mcp__grove__ask_decision', input: { questions } }
          const decision = await host.decide({ ...call, signal: AbortSignal.any([]) })
          if (decision.type !== 'defer') throw new Error(`not parked: ${JSON.stringify(decision)}`)
          parked.set(run.claude.id, call)
          throw new Ended({ ...end, how: 'deferred', deferred: call })
        },
        answer(structured) {
          end.structured = structured
        },
        end(how, text = '') {
          throw new Ended({ ...end, how, text })
        },
      }
      let result = end
      try {
        const script = next(tools)
        if (!script) throw new Error(`no turn is left for: ${heard.slice(0, 300)}`)
        await script(tools)
      } catch (error) {
        if (!(error instanceof Ended)) throw error
        result = error.end
      }
      if (!isOver) await host.on({ type: 'turn', end: result })
    }

    const begin = (heard: string) => {
      turn(heard).catch(async (error: Error) => {
        if (!isOver) await host.on({ type: 'turn', end: { how: 'failed', text: error.message, costUsd: 0, turns: 0 } })
      })
    }
    const waiting = run.claude.resume ? parked.get(run.claude.id) : undefined
    if (waiting) {
      const comeBack = async () => {
        const decision = await host.decide({ ...waiting, signal: AbortSignal.any([]) })
        if (decision.type !== 'allow') return
        parked.delete(run.claude.id)
        const answer = await host.callTool({
          name: 'ask_decision',
          input: waiting.input,
          toolUseId: waiting.toolUseId,
          signal: AbortSignal.any([]),
        })
        begin(answer.text)
      }
      // A host that has died answers nothing.
      setImmediate(() => void comeBack().catch(() => {}))
    }
    return {
      pid: 1,
      async say({ parts = [], text }) {
        begin([...parts, text].join('\n\n'))
      },
      async compact() {
        await host.on({ type: 'compacted', ok: true })
      },
      async interrupt() {
        await host.on({ type: 'turn', end: { how: 'interrupted', text: '', costUsd: 0, turns: 0 } })
      },
      async stopSubagent() {},
      async stop() {
        isOver = true
        finish(done)
        return done
      },
      ended,
    }
  }

  return { runs, start, endOrphans: async () => [], client: async () => ({ version: '2.1.325', supported: true }) }
}

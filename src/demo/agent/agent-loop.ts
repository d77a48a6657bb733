import type { Conversation } from './conversation.ts'
import type { Answer, AskModel, Block } from './model.ts'
import type { ToolCall, ToolOutcome } from './tools.ts'

/** What is done about a call before it runs. */
export type Verdict = { type: 'run' } | { type: 'refused'; reason: string } | { type: 'parked' }

/** Where the agent reports: its hooks in a terminal, or the Grove that drives it. */
export interface Watchers {
  before(call: ToolCall): Promise<Verdict>
  run(call: ToolCall): Promise<ToolOutcome>
  /** What the agent is told besides the outcome. */
  after(call: ToolCall, outcome: ToolOutcome): Promise<string | undefined>
  answered(answer: Answer): void
  streamed?(event: object): void
  settled?(result: Block): void
  /** A reason to go on, where there is one. */
  stopping(lastWords: string): Promise<string | undefined>
}

export interface LoopNeeds {
  conversation: Conversation
  ask: AskModel
  watchers: Watchers
  /** So that people can follow. */
  pause(): Promise<unknown>
}

export type TurnResult = { text: string } | { parked: ToolCall }

/** Asks the model, does what it calls for, and asks again, until it calls for nothing. */
export async function runTurn(needs: LoopNeeds, opening: Block[] | ToolCall): Promise<TurnResult> {
  const { conversation, ask, watchers, pause } = needs
  let calls: ToolCall[] = []
  if (Array.isArray(opening)) conversation.add({ role: 'user', content: opening })
  else calls = [opening]
  for (;;) {
    if (calls.length === 0) {
      const answer = await ask(conversation.messages, watchers.streamed)
      conversation.add({ role: 'assistant', content: answer.content })
      watchers.answered(answer)
      calls = callsIn(answer.content)
      const text = textIn(answer.content)
      if (calls.length === 0) {
        const reason = await watchers.stopping(text)
        if (reason === undefined) return { text }
        conversation.add({ role: 'user', content: [{ type: 'text', text: reason }] })
        continue
      }
      await pause()
    }
    const told: Block[] = []
    const results: Block[] = []
    for (const call of calls) {
      const done = await performed(call, watchers)
      if (!done) {
        conversation.park(call)
        return { parked: call }
      }
      results.push(done.result)
      if (done.told) told.push(reminder(done.told))
    }
    calls = []
    conversation.add({ role: 'user', content: [...results, ...told] })
    await pause()
  }
}

export function reminder(text: string): Block {
  return { type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }
}

async function performed(call: ToolCall, watchers: Watchers) {
  const verdict = await watchers.before(call)
  if (verdict.type === 'parked') return undefined
  const outcome = verdict.type === 'run' ? await watchers.run(call) : { text: verdict.reason, isError: true }
  const told = verdict.type === 'run' ? await watchers.after(call, outcome) : undefined
  const result: Block = {
    type: 'tool_result',
    tool_use_id: call.id,
    content: outcome.text || 'done',
    ...(outcome.isError && { is_error: true }),
  }
  watchers.settled?.(result)
  return { result, told }
}

function callsIn(content: readonly Block[]): ToolCall[] {
  return content.flatMap(({ type, id, name, input }) =>
    type === 'tool_use' ? [{ id: String(id), name: String(name), input: input as ToolCall['input'] }] : [],
  )
}

function textIn(content: readonly Block[]): string {
  return content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n')
}

import type { AgentHost, ToolDecision, ToolRequest } from '#core/ports/agent-driver.ts'
import { isObject } from '#protocol/json.ts'

type Json = Record<string, unknown>
/** The decision on a call; `defer` only where the client can park it. */
type Verdict = ToolDecision

export interface GateNeeds {
  decide: AgentHost['decide']
  /** The client's hook events, where the host listens to them. */
  hook?: AgentHost['hook']
  /** Tools of which only permission is asked. */
  askedOnce: readonly string[]
  /** What the client would say at PreToolUse about a call besides its own fields. */
  place(agent: string | undefined): Json
  /** Whether the call is the last of its answer; resolves when nothing else of that answer is under way. */
  isLastCall(toolUseId: string): Promise<boolean>
}

const ASK_TOGETHER =
  'Only one question can wait for an answer. Put everything you want to know into a single call, and make it the last call of your answer.'
const NOT_FOR_HELPERS =
  'A subagent cannot ask the user. Report the question to the agent that started you, and end your work.'
const CANNOT_WAIT = 'This call cannot wait for an answer here. Continue without it.'

/**
 * Asks the host about every tool call, once. The client asks us twice: at PreToolUse, where alone a call can be parked, and
 * for permission, where alone a denial reaches the model in our words. A hook's `ask` leads to the latter whatever other
 * hooks and rules say.
 */
export class ToolGate {
  readonly #needs: GateNeeds
  readonly #verdicts = new Map<string, Promise<Verdict>>()
  readonly #denied = new Set<string>()
  /** What hooks said about a call that only permission was asked for, until it has run. */
  readonly #late = new Map<string, string>()
  #parked: string | undefined

  constructor(needs: GateNeeds) {
    this.#needs = needs
  }

  /** The answer to a PreToolUse event. */
  async preToolUse(event: Json, signal: AbortSignal): Promise<Json> {
    const call = requestOf(event.tool_use_id, event.tool_name, event.tool_input, event.agent_id, signal)
    const { heard, said, refusal } = await this.#heard(event)
    if (refusal !== undefined) {
      this.#denied.add(call.toolUseId)
      return heard
    }
    const verdict = await this.#verdictOn(call, true)
    const permissionDecision = verdict.type === 'deny' ? 'ask' : verdict.type
    const changed = verdict.type === 'allow' && verdict.input ? { updatedInput: verdict.input } : {}
    return { ...heard, hookSpecificOutput: { ...said, hookEventName: 'PreToolUse', permissionDecision, ...changed } }
  }

  /** The answer to a request for permission. */
  async permission(request: Json, signal: AbortSignal): Promise<Json> {
    const call = requestOf(request.tool_use_id, request.tool_name, request.input, request.agent_id, signal)
    const refused = this.#needs.askedOnce.includes(call.tool) ? await this.#heardOnce(call) : undefined
    const verdict: Verdict = refused === undefined ? await this.#verdictOn(call, false) : refused
    if (verdict.type === 'allow') return { behavior: 'allow', updatedInput: verdict.input ?? call.input }
    const message = verdict.type === 'deny' ? verdict.message || 'This call was refused.' : CANNOT_WAIT
    this.#denied.add(call.toolUseId)
    return { behavior: 'deny', message }
  }

  /** Adds to the answer at PostToolUse what could not be said before. */
  postToolUse(event: Json, answer: Json): Json {
    const late = this.#late.get(String(event.tool_use_id))
    if (late === undefined) return answer
    const said = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
    const context = [late, ...(typeof said.additionalContext === 'string' ? [said.additionalContext] : [])].join('\n\n')
    const hookEventName = String(event.hook_event_name)
    return { ...answer, hookSpecificOutput: { ...said, hookEventName, additionalContext: context } }
  }

  wasDenied(toolUseId: string): boolean {
    return this.#denied.has(toolUseId)
  }

  /** Forgets the calls of the turn: a parked one is asked about again by another process, if ever. */
  turnEnded(): void {
    this.#parked = undefined
    this.#verdicts.clear()
    this.#denied.clear()
    this.#late.clear()
  }

  /** Asks the hooks about a call of which the client has told them nothing; their no, if they have one. */
  async #heardOnce({ toolUseId, tool, input, subagent }: ToolRequest): Promise<Verdict | undefined> {
    if (!this.#needs.hook || this.#verdicts.has(toolUseId)) return undefined
    const { said, refusal } = await this.#heard({
      ...this.#needs.place(subagent),
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: input,
      tool_use_id: toolUseId,
      ...(subagent !== undefined && { agent_id: subagent }),
    })
    if (refusal !== undefined) return { type: 'deny', message: refusal }
    if (typeof said.additionalContext === 'string') this.#late.set(toolUseId, said.additionalContext)
    return undefined
  }

  async #heard(event: Json): Promise<{ heard: Json; said: Json; refusal?: string }> {
    let heard: Json
    try {
      heard = ((await this.#needs.hook?.(event)) ?? {}) as Json
    } catch (error) {
      heard = { decision: 'block', reason: trouble(error) }
    }
    const said = isObject(heard.hookSpecificOutput) ? heard.hookSpecificOutput : {}
    const isNo = said.permissionDecision === 'deny' || heard.decision === 'block' || heard.continue === false
    const why = said.permissionDecisionReason ?? heard.reason ?? heard.stopReason
    return { heard, said, ...(isNo && { refusal: typeof why === 'string' ? why : 'This call was refused.' }) }
  }

  #verdictOn(call: ToolRequest, canWait: boolean): Promise<Verdict> {
    const known = this.#verdicts.get(call.toolUseId)
    const verdict = known ?? this.#decide(call, canWait)
    this.#verdicts.set(call.toolUseId, verdict)
    return verdict
  }

  async #decide(call: ToolRequest, canWait: boolean): Promise<Verdict> {
    try {
      const decision = await this.#needs.decide(call)
      return decision.type === 'defer' ? await this.#park(call, canWait) : decision
    } catch (error) {
      return { type: 'deny', message: trouble(error) }
    }
  }

  /** Older clients lose a parked call when another call of the same answer has a result after it, all lose the first of two. */
  async #park(call: ToolRequest, canWait: boolean): Promise<Verdict> {
    if (!canWait) return { type: 'deny', message: CANNOT_WAIT }
    if (call.subagent !== undefined) return { type: 'deny', message: NOT_FOR_HELPERS }
    const last = await this.#needs.isLastCall(call.toolUseId)
    if (!last || this.#parked !== undefined) return { type: 'deny', message: ASK_TOGETHER }
    this.#parked = call.toolUseId
    return { type: 'defer' }
  }
}

function requestOf(id: unknown, tool: unknown, input: unknown, agent: unknown, signal: AbortSignal): ToolRequest {
  return {
    toolUseId: String(id),
    tool: String(tool),
    input: isObject(input) ? input : {},
    ...(typeof agent === 'string' && { subagent: agent }),
    signal,
  }
}

function trouble(error: unknown): string {
  return `Grove could not decide about this call: ${error instanceof Error ? error.message : String(error)}`
}

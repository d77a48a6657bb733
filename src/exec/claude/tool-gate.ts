import type { AgentHost, ToolDecision, ToolRequest } from '#core/ports/agent-driver.ts'
import { isObject } from '#protocol/json.ts'

type Json = Record<string, unknown>
/** What is done about a call; `defer` only where the client can keep it. */
type Verdict = ToolDecision

export interface GateNeeds {
  decide: AgentHost['decide']
  /** The client's hook events, where the host listens to them. */
  hook?: AgentHost['hook']
  /** Whether the call is the last of its answer; resolves when nothing else of that answer is under way. */
  isLastCall(toolUseId: string): Promise<boolean>
}

const ASK_TOGETHER =
  'Only one question can wait for an answer. Put everything you want to know into a single call, and make it the last call of your answer.'
const NOT_FOR_HELPERS =
  'A subagent cannot ask the user. Report the question to the agent that started you, and end your work.'
const CANNOT_WAIT = 'This call cannot wait for an answer here. Go on without it.'

/**
 * Asks the host about every tool call, once. The client asks us twice: at PreToolUse, where alone a call can be parked, and
 * for permission, where alone a denial reaches the model in our words. A hook's `ask` leads to the latter whatever other
 * hooks and rules say.
 */
export class ToolGate {
  readonly #needs: GateNeeds
  readonly #verdicts = new Map<string, Promise<Verdict>>()
  readonly #denied = new Set<string>()
  #parked: string | undefined

  constructor(needs: GateNeeds) {
    this.#needs = needs
  }

  /** The answer to a PreToolUse event. */
  async preToolUse(event: Json, signal: AbortSignal): Promise<Json> {
    const call = requestOf(event.tool_use_id, event.tool_name, event.tool_input, event.agent_id, signal)
    const heard = await this.#heard(event)
    const said = isObject(heard.hookSpecificOutput) ? heard.hookSpecificOutput : {}
    if (said.permissionDecision === 'deny' || heard.decision === 'block' || heard.continue === false) {
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
    const verdict = await this.#verdictOn(call, false)
    if (verdict.type === 'allow') return { behavior: 'allow', updatedInput: verdict.input ?? call.input }
    const message = verdict.type === 'deny' ? verdict.message || 'This call was refused.' : CANNOT_WAIT
    this.#denied.add(call.toolUseId)
    return { behavior: 'deny', message }
  }

  wasDenied(toolUseId: string): boolean {
    return this.#denied.has(toolUseId)
  }

  /** What was parked is asked again in another process, if ever. */
  turnEnded(): void {
    this.#parked = undefined
    this.#verdicts.clear()
    this.#denied.clear()
  }

  async #heard(event: Json): Promise<Json> {
    try {
      return ((await this.#needs.hook?.(event)) ?? {}) as Json
    } catch (error) {
      return { decision: 'block', reason: trouble(error) }
    }
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

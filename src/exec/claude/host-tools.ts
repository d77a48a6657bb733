import type { AgentHost, HostToolAnswer } from '#core/ports/agent-driver.ts'
import { isObject } from '#protocol/json.ts'

type Json = Record<string, unknown>

/** Runs a call of a host tool; timing is up to the caller. */
type CallTool = AgentHost['callTool']

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const NO_SUCH_METHOD = -32601
const BAD_PARAMS = -32602

/**
 * An MCP server without a process or a port: the client wraps each message into a control request and waits for one answer,
 * for notifications too. Its transport knows no streams and no sessions, which is why the four methods are answered here.
 */
export class HostTools {
  readonly #tools: AgentHost['tools']
  readonly #call: CallTool
  readonly #running = new Map<unknown, AbortController>()

  constructor(tools: AgentHost['tools'], call: CallTool) {
    this.#tools = tools
    this.#call = call
  }

  /** The JSON-RPC answer to one message. */
  async answer(message: Json, withdrawn: AbortSignal): Promise<Json> {
    const { id, method } = message
    const params = isObject(message.params) ? message.params : {}
    if (id === undefined) {
      if (method === 'notifications/cancelled') this.#running.get(params.requestId)?.abort()
      return { jsonrpc: '2.0', id: 0, result: {} }
    }
    if (method === 'initialize') return done(id, this.#hello(params.protocolVersion))
    if (method === 'ping') return done(id, {})
    if (method === 'tools/list') return done(id, { tools: this.#tools })
    if (method === 'tools/call') return this.#callTool(id, params, withdrawn)
    return failed(id, NO_SUCH_METHOD, `There is no method ${String(method)}.`)
  }

  #hello(wanted: unknown): Json {
    const protocolVersion = VERSIONS.find((version) => version === wanted) ?? VERSIONS[0]
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'grove', version: '1' } }
  }

  async #callTool(id: unknown, params: Json, withdrawn: AbortSignal): Promise<Json> {
    const name = String(params.name)
    if (!this.#tools.some((tool) => tool.name === name)) return failed(id, BAD_PARAMS, `There is no tool ${name}.`)
    const toolUseId = isObject(params._meta) ? params._meta['claudecode/toolUseId'] : undefined
    const cancelled = new AbortController()
    this.#running.set(id, cancelled)
    try {
      const answer = await this.#call({
        name,
        input: isObject(params.arguments) ? params.arguments : {},
        ...(typeof toolUseId === 'string' && { toolUseId }),
        signal: AbortSignal.any([withdrawn, cancelled.signal]),
      })
      return done(id, result(answer))
    } catch (error) {
      return done(id, result({ text: error instanceof Error ? error.message : String(error), isError: true }))
    } finally {
      this.#running.delete(id)
    }
  }
}

function result({ text, isError }: HostToolAnswer): Json {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}

function done(id: unknown, result: Json): Json {
  return { jsonrpc: '2.0', id, result }
}

function failed(id: unknown, code: number, message: string): Json {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

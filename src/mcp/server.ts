import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import { version } from '#config/version.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { McpAnswer, McpCaller, McpTool } from './tools.ts'

export interface McpNeeds {
  tools: readonly McpTool[]
  /** Finds the agent that makes the call with this tool_use_id. */
  callerOf(toolUseId: string | undefined): Promise<McpCaller>
  /** Whether a person has switched Grove off for the caller. */
  isPaused(caller: McpCaller): Promise<boolean>
  log: Log
}

/** Read by the model at the start of every session, so every word counts. */
const INSTRUCTIONS =
  'Grove keeps this work on goal and in scope, and remembers what the team learns. `grove_status` shows the goal it ' +
  'follows; when Grove corrects or refuses something, follow the suggestion in its message.'

const PAUSED = 'The user has paused Grove here. Nothing was done; go on without it.'

/** Serves the tools over standard input and output; resolves when the client has gone. */
export function serveMcp(needs: McpNeeds): Promise<void> {
  return new Promise((resolve) => {
    const transport = new StdioServerTransport()
    serveStdio(() => buildMcpServer(needs), {
      transport,
      onerror: (error) => needs.log.warn({ err: error }, 'the MCP connection had trouble'),
    })
    // Does not end when one server closes: a client that probes for a newer protocol and gives up opens a second one on
    // the same streams.
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
}

/** The server with its tools, not yet connected. */
export function buildMcpServer({ tools, callerOf, isPaused, log }: McpNeeds): McpServer {
  const server = new McpServer({ name: 'grove', version }, { instructions: INSTRUCTIONS, capabilities: { tools: {} } })
  for (const tool of tools) {
    const { name, title, description, readOnly } = tool
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false }
    server.registerTool(
      name,
      { title, description, inputSchema: advertised(tool.input), annotations },
      async (input, { mcpReq }) => {
        const toolUseId = mcpReq._meta?.['claudecode/toolUseId']
        try {
          const caller = await callerOf(typeof toolUseId === 'string' ? toolUseId : undefined)
          if (await isPaused(caller)) return result(PAUSED)
          return result(await call(tool, input, caller))
        } catch (error) {
          log.error({ err: error, tool: name }, 'an MCP tool failed')
          return result({ error: `Grove could not do this: ${error instanceof Error ? error.message : String(error)}` })
        }
      },
    )
  }
  return server
}

/** The client is shown the schema, but Grove parses: an invalid input comes back in words, as a tool error. */
function advertised(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } }
}

async function call(tool: McpTool, input: unknown, caller: McpCaller): Promise<McpAnswer> {
  const read = tool.input.safeParse(input ?? {})
  if (read.success) return tool.handle(read.data, caller)
  return { error: `The input of ${tool.name} is not valid. Correct it and call again.\n${z.prettifyError(read.error)}` }
}

function result(answer: McpAnswer) {
  const failed = typeof answer !== 'string'
  const content = [{ type: 'text' as const, text: failed ? answer.error : answer }]
  return failed ? { content, isError: true } : { content }
}

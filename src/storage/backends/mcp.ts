import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { version } from '#config/version.ts'
import type { Learning } from '#core/learning/learning.ts'
import {
  bestFirst,
  type FoundLearning,
  type LearningBackend,
  type LearningFilters,
  type LearningQuery,
  passes,
  relevances,
} from '#core/learning/query.ts'
import { learningsIn, type MemoryTool, searchArguments, searchWords, storeArguments, toolFor } from './mcp-tools.ts'

export interface McpSettings {
  /** Program and arguments that start the server. */
  command: string[]
  /** Variables it is given beside the few that every program needs, as `NAME=value`. */
  env?: string[]
  /** Where it runs already; wins over the command. */
  url?: string | undefined
  storeTool?: string | undefined
  searchTool?: string | undefined
  timeoutMs: number
}

export interface McpBackend extends LearningBackend {
  write(learning: Learning, project?: string): Promise<void>
  /** With a project, only what was written for it, or for none in particular. */
  search(query: LearningQuery, filters: LearningFilters, project?: string): Promise<FoundLearning[]>
  /** Ends the server that was started. */
  close(): Promise<void>
}

interface Connection {
  client: Client
  store: MemoryTool
  search: MemoryTool
}

/** Learnings in any memory server that speaks MCP and has tools to store and to search. Connects on first use. */
export function mcpBackend(settings: McpSettings): McpBackend {
  let connecting: Promise<Connection> | undefined

  async function connection(): Promise<Connection> {
    connecting ??= connect(settings)
    try {
      return await connecting
    } catch (error) {
      // The next use tries again: the server may be up by then.
      connecting = undefined
      throw error
    }
  }

  async function call({ client }: Connection, tool: MemoryTool, input: Record<string, unknown>) {
    try {
      const result = await client.callTool({ name: tool.name, arguments: input }, { timeout: settings.timeoutMs })
      if (result.isError) throw new Error(`${tool.name} failed: ${JSON.stringify(result.content).slice(0, 500)}`)
      return result
    } catch (error) {
      connecting = undefined
      await client.close().catch(() => undefined)
      throw error
    }
  }

  return {
    name: 'mcp',
    async write(learning, project) {
      const open = await connection()
      await call(open, open.store, storeArguments(open.store, learning, project))
    },
    async search(query, filters, project) {
      const open = await connection()
      const found = await Promise.all(
        searchWords(query).map((words) => call(open, open.search, searchArguments(open.search, words))),
      )
      const ours = found.flatMap(learningsIn).filter((one) => !project || !one.project || one.project === project)
      const byId = new Map(ours.map(({ learning }) => [learning.id, learning]))
      const learnings = [...byId.values()].filter((learning) => passes(learning, filters))
      return bestFirst(relevances(learnings, query), filters)
    },
    async ping() {
      await (await connection()).client.ping({ timeout: settings.timeoutMs })
      return true
    },
    async close() {
      const open = await connecting?.catch(() => undefined)
      connecting = undefined
      await open?.client.close()
    },
  }
}

async function connect(settings: McpSettings): Promise<Connection> {
  const { command, env = [], url, storeTool, searchTool, timeoutMs } = settings
  const [program, ...args] = command
  if (url === undefined && program === undefined) {
    throw new Error('no memory server is named; set backends.mcp.command or backends.mcp.url')
  }
  const client = new Client({ name: 'grove', version })
  const transport =
    url === undefined
      ? new StdioClientTransport({
          command: program!,
          args,
          env: { ...getDefaultEnvironment(), ...named(env) },
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(url))
  try {
    await client.connect(transport, { timeout: timeoutMs })
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs })
    return { client, store: toolFor('store', tools, storeTool), search: toolFor('search', tools, searchTool) }
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}

function named(env: readonly string[]): Record<string, string> {
  return Object.fromEntries(env.map((one) => [one.split('=', 1)[0]!, one.slice(one.indexOf('=') + 1)]))
}

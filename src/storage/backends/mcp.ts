import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { version } from '#config/version.ts'
import type { Learning } from '#core/learning/learning.ts'
import { type FoundLearning, findAmong, type LearningFilters, type LearningQuery } from '#core/learning/query.ts'
import type { LearningBackend } from '#core/ports/learning.ts'
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

interface Tools {
  store: MemoryTool
  search: MemoryTool
}

interface Connection {
  client: Client
  /** Rejects when there is no connection to be had. */
  tools: Promise<Tools>
}

/** Learnings in any memory server that speaks MCP and has tools to store and to search. Connects on first use. */
export function mcpBackend(settings: McpSettings): McpBackend {
  let open: Connection | undefined

  async function connected<T>(work: (client: Client, tools: Tools) => Promise<T>): Promise<T> {
    open ??= connect(settings)
    const { client, tools } = open
    try {
      return await work(client, await tools)
    } catch (error) {
      // The next use tries again: the server may be up by then.
      if (open?.client === client) open = undefined
      await client.close().catch(() => undefined)
      throw error
    }
  }

  const call = (client: Client, { name }: MemoryTool, input: Record<string, unknown>) =>
    client.callTool({ name, arguments: input }, { timeout: settings.timeoutMs })

  return {
    name: 'mcp',
    async write(learning, project) {
      sound(await connected((client, { store }) => call(client, store, storeArguments(store, learning, project))))
    },
    async search(query, filters, project) {
      const answers = await connected((client, { search }) =>
        Promise.all(searchWords(query).map((words) => call(client, search, searchArguments(search, words)))),
      )
      const found = answers.map(sound).flatMap(learningsIn)
      const ours = found.filter((one) => !project || !one.project || one.project === project)
      const byId = new Map(ours.map(({ learning }) => [learning.id, learning]))
      return findAmong([...byId.values()], query, filters)
    },
    async ping() {
      await connected((client) => client.ping({ timeout: settings.timeoutMs }))
      return true
    },
    /** Does not wait for a server that is only starting. */
    async close() {
      const client = open?.client
      open = undefined
      await client?.close()
    },
  }
}

/** What the tool answered, unless that is that it failed. */
function sound(answer: CallToolResult): CallToolResult {
  if (answer.isError) throw new Error(`the memory server failed: ${JSON.stringify(answer.content).slice(0, 500)}`)
  return answer
}

function connect(settings: McpSettings): Connection {
  const client = new Client({ name: 'grove', version })
  return { client, tools: toolsOf(client, settings) }
}

async function toolsOf(client: Client, settings: McpSettings): Promise<Tools> {
  const { command, env = [], url, storeTool, searchTool, timeoutMs } = settings
  const [program, ...args] = command
  if (url === undefined && program === undefined) {
    throw new Error('no memory server is named; set backends.mcp.command or backends.mcp.url')
  }
  const transport =
    url === undefined
      ? new StdioClientTransport({
          command: program!,
          args,
          env: { ...getDefaultEnvironment(), ...named(env) },
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport, { timeout: timeoutMs })
  const { tools } = await client.listTools(undefined, { timeout: timeoutMs })
  return { store: toolFor('store', tools, storeTool), search: toolFor('search', tools, searchTool) }
}

function named(env: readonly string[]): Record<string, string> {
  return Object.fromEntries(env.map((one) => [one.split('=', 1)[0]!, one.slice(one.indexOf('=') + 1)]))
}

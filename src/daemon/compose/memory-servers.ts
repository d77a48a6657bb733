import type { LearningBackend, LearningSettings, MemoryServerSettings } from '#core/ports/learning.ts'
import type { McpBackend } from '#storage/backends/mcp.ts'

/** One that failed is not tried again for a while, so that it holds up one session and not every prompt. */
const REST = 30_000

/**
 * The memory servers that are in use as backends for learnings, each started once and on first use. One server may keep
 * the learnings of many projects; each project sees its own.
 */
export function memoryServers(projectAt: (root: string) => Promise<{ id: string }>) {
  const open = new Map<string, Promise<McpBackend>>()
  const restingUntil = new Map<string, number>()

  async function search<T>(key: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
    if ((restingUntil.get(key) ?? 0) > Date.now()) throw new Error('the memory server did not answer a moment ago')
    try {
      return await soon(patienceMs, work)
    } catch (error) {
      restingUntil.set(key, Date.now() + REST)
      throw error
    }
  }

  return {
    /** The server the settings name, if they do, as one project sees it. */
    for({ backends: { mcp } }: LearningSettings, root: string): LearningBackend | undefined {
      if (mcp.command.length === 0 && mcp.url === undefined) return undefined
      const key = JSON.stringify(mcp)
      const server = () => {
        const known = open.get(key) ?? startServer(mcp)
        open.set(key, known)
        return known
      }
      return {
        name: 'mcp',
        write: async (learning) => (await server()).write(learning, (await projectAt(root)).id),
        search: (query, filters) =>
          search(key, mcp.timeoutSeconds * 1000, async () =>
            (await server()).search(query, filters, (await projectAt(root)).id),
          ),
        ping: async () => (await server()).ping(),
      }
    },
    async close() {
      const servers = [...open.values()]
      open.clear()
      await Promise.all(servers.map(async (server) => (await server).close()))
    },
  }
}

/** Starts or calls the server once; rejects with what is wrong with it. */
export async function tryMemoryServer(mcp: MemoryServerSettings): Promise<void> {
  const server = await startServer(mcp)
  try {
    await server.ping()
  } finally {
    await server.close()
  }
}

/** Loaded on use: few have a memory server, and its client is large. */
async function startServer({ timeoutSeconds, ...mcp }: MemoryServerSettings): Promise<McpBackend> {
  const { mcpBackend } = await import('#storage/backends/mcp.ts')
  return mcpBackend({ ...mcp, timeoutMs: timeoutSeconds * 1000 })
}

async function soon<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import type { Log, Store } from '#core/ports/store.ts'
import { projectAt } from '#exec/git/git.ts'
import { findCaller } from '#mcp/caller.ts'
import { intentTools } from '#mcp/intent-tools.ts'
import { learningTools } from '#mcp/learning-tools.ts'
import { memoryTools } from '#mcp/memory-tools.ts'
import { serveMcp } from '#mcp/server.ts'
import { statusTools } from '#mcp/status-tools.ts'
import type { McpTool } from '#mcp/tools.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import { guardWorld } from '../compose/guard.ts'
import { guardLinks } from '../compose/guard-links.ts'
import { learningWorld } from '../compose/learning.ts'
import { memoryWorld } from '../compose/memory.ts'
import { openStore } from '../compose/world.ts'

interface Needs {
  config: Config
  env: Env
  cwd: string
  log: Log
}

/** Runs the MCP server on this process's standard input and output until the client goes. */
export async function runMcp({ config, env, cwd, log }: Needs): Promise<void> {
  const store = await openStore(config, log)
  const memory = memoryWorld({ config, store, clock: { now: Date.now }, log })
  const learning = learningWorld({ config, states: store.states, clock: { now: Date.now }, log })
  const { CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: projectDir } = env
  const started = { cwd: projectDir || cwd, ...(sessionId && { sessionId }) }
  try {
    const guard = guardWorld({ config, states: store.states, log, links: guardLinks({ memory, learning }) })
    const tools = [...toolsOn(store, guard), ...memoryTools({ world: memory, projectAt }), ...learningTools(learning)]
    await serveMcp({ tools, callerOf: (id) => findCaller(store.states, started, id), log })
  } finally {
    await learning.close()
    memory.indexes.close()
    await store.close()
  }
}

/** Every tool there is, in the order the agent sees them. */
function toolsOn(store: Store, guard: GuardWorld): McpTool[] {
  return [...statusTools(store), ...intentTools(guard)]
}

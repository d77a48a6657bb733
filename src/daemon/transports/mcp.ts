import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import type { Log } from '#core/ports/runtime.ts'
import { findCaller } from '#mcp/caller.ts'
import { goalTools } from '#mcp/goal-tools.ts'
import { intentTools } from '#mcp/intent-tools.ts'
import { learningTools } from '#mcp/learning-tools.ts'
import { memoryTools } from '#mcp/memory-tools.ts'
import { serveMcp } from '#mcp/server.ts'
import { statusTools } from '#mcp/status-tools.ts'
import type { McpTool } from '#mcp/tools.ts'
import { guardLinks } from '../compose/guard-links.ts'
import { type OpenWorld, openWorld } from '../compose/world.ts'

interface Needs {
  config: Config
  env: Env
  cwd: string
  log: Log
}

/** Runs the MCP server on this process's standard input and output until the client goes. */
export async function runMcp({ config, env, cwd, log }: Needs): Promise<void> {
  const world = openWorld({ config, log })
  const { CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: projectDir } = env
  const started = { cwd: projectDir || cwd, ...(sessionId && { sessionId }) }
  try {
    const [{ states }, pauses] = await Promise.all([world.store(), world.pauses()])
    await serveMcp({
      tools: await toolsOn(world, config),
      callerOf: (id) => findCaller(states, started, id),
      isPaused: ({ sessionId, cwd: folder }) => pauses.isPaused({ sessionId, cwd: () => folder }),
      log,
    })
  } finally {
    await world.close()
  }
}

/** Every tool there is, in the order the agent sees them. */
async function toolsOn(world: OpenWorld, config: Config): Promise<McpTool[]> {
  const [store, { projectAt }] = await Promise.all([world.store(), world.git()])
  const [memory, learning] = await Promise.all([world.memory(), world.learning()])
  const guard = { ...(await world.guard()), ...guardLinks({ memory, learning, projectAt }) }
  return [
    ...statusTools(store),
    ...(config.goal.declare === 'ask' ? goalTools() : []),
    ...intentTools(guard),
    ...memoryTools({ world: memory, projectAt }),
    ...learningTools(learning),
  ]
}

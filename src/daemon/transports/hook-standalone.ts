// First, because it decides how everything after it is built.
import './zod-jitless.ts'
import { join } from 'node:path'
import { environment, readConfig } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { waitForPrograms } from '#exec/spawn.ts'
import { hookAnswerer } from '#hooks/answer-hook.ts'
import { proxyNotice } from '#hooks/proxy-notice.ts'
import { assembleWorld } from '../compose/assemble.ts'
import { partsOfHooks } from '../compose/parts-of-hooks.ts'
import { hookLog } from '../process/hook-log.ts'
import { startDaemon } from '../process/start-daemon.ts'

/**
 * Answers a hook when no daemon runs: the same parts on the same store, for one event. Bundled as hook/standalone.cjs,
 * which the hook client loads. What is noted is in the store when this resolves. `program` is this installation's grove.js.
 */
export async function answerAlone(event: string, payload: string, program: string): Promise<string> {
  // The end of a session leaves so little time that the client's limit must be heard meanwhile.
  if (event !== 'session-end') waitForPrograms()
  const env = environment()
  const { config } = readConfig({ env, cwd: process.cwd() })
  const log = hookLog(join(pathsOf(config).logs, 'hooks.log'))
  // A hook process ends with its answer; a model judge would answer too late.
  const judged = { ...config, judge: { ...config.judge, kind: 'heuristic' as const } }
  const world = assembleWorld({ config: judged, log }, partsOfHooks)
  try {
    const start = () => startDaemon(config, env, program)
    const parts = [...(await world.hookParts()), proxyNotice(env.ANTHROPIC_BASE_URL, config.proxy.port, start)]
    return JSON.stringify(await hookAnswerer(parts, log)(event, payload))
  } finally {
    await world.close()
  }
}

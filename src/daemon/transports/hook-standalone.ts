// First, because it decides how everything after it is built.
import './zod-jitless.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import { type Env, environment, readConfig } from '#config/load.ts'
import { pathsOf, workingFolder } from '#config/paths.ts'
import { waitForPrograms } from '#exec/spawn.ts'
import { hookAnswerer } from '#hooks/answer-hook.ts'
import { proxyNotice } from '#hooks/proxy-notice.ts'
import { NOTICED_MS, pointClients } from '../attach/point-clients.ts'
import { assembleWorld } from '../compose/assemble.ts'
import { eagerModules } from '../compose/eager-modules.ts'
import { hookLog } from '../process/hook-log.ts'
import { reachProxy } from '../process/start-daemon.ts'
import { healthPart } from './health-part.ts'

/**
 * Answers a hook when no daemon runs: the same parts on the same store, for one event. Bundled as hook/standalone.cjs,
 * which the hook client loads. What is noted is in the store when this resolves. `program` is this installation's grove.js.
 */
export async function answerAlone(event: string, payload: string, program: string): Promise<string> {
  // The end of a session leaves so little time that the client's limit must be heard meanwhile.
  if (event !== 'session-end') waitForPrograms()
  const env = environment()
  const { config } = readConfig({ env, cwd: workingFolder(env) })
  const log = hookLog(join(pathsOf(config).logs, 'hooks.log'))
  // A hook process ends with its answer; a model judge would answer too late.
  const judged = { ...config, judge: { ...config.judge, kind: 'heuristic' as const } }
  const world = assembleWorld({ config: judged, log }, eagerModules)
  try {
    const { own, pauses, trouble } = await Promise.all([world.hookParts(), world.pauses()]).then(
      ([own, pauses]) => ({ own, pauses, trouble: undefined }),
      (trouble: unknown) => ({ own: [], pauses: undefined, trouble }),
    )
    const parts = [
      ...own,
      healthPart(config, { env, settingProblemsAt: world.settingProblemsAt, trouble }),
      proxyPart(config, env, program),
    ]
    const answer = JSON.stringify(await hookAnswerer(parts, log, pauses)(event, payload))
    if (trouble !== undefined) process.stderr.write(`grove: the agent goes on without Grove (${String(trouble)})\n`)
    return answer
  } finally {
    await world.close()
  }
}

/** Sees to it that a client which is pointed at the proxy finds it, or gets past it. */
function proxyPart(config: Config, env: Env, program: string) {
  const mayStart = config.proxy.startWithClaude
  return proxyNotice({
    baseUrl: env.ANTHROPIC_BASE_URL,
    port: config.proxy.port,
    reach: () => reachProxy({ config, env, program, patienceMs: PATIENCE, mayStart }),
    async goPast() {
      const changed = await pointClients(config, env, 'past')
      // The client waits for this hook before its first request.
      if (changed.length > 0) await sleep(NOTICED_MS)
      return changed.length > 0
    },
  })
}

/** The client waits for this hook before its first request. */
const PATIENCE = 1500

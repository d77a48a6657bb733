import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { runningDaemons, stopDaemons } from '../process/stop-daemon.ts'
import { attachRecords } from './attach-record.ts'
import { removeService } from './service.ts'

/** When nothing is attached any more: ends what Claude Code has started and the service, and names what a person runs. */
export async function endBackground(config: Config, env: Env): Promise<string[]> {
  if (attachRecords(config.home).all().length > 0) return []
  const said = removeService(config, env) ? ['The service is gone.'] : []
  const running = runningDaemons(config)
  const ours = running.filter(({ startedBy }) => startedBy === 'claude' || startedBy === 'service')
  await stopDaemons(config, ours)
  if (ours.length > 0) said.push(`Grove has stopped (${ours.map(({ pid }) => `pid ${pid}`).join(', ')}).`)
  const theirs = running.filter((one) => !ours.includes(one))
  return [...said, ...theirs.map(({ pid }) => `Grove still runs in a terminal (pid ${pid}); \`grove stop\` ends it.`)]
}

import type { Config } from '#config/config.ts'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import type { Listeners } from './listeners.ts'
import type { StartedBy } from './lock.ts'
import { runningDaemons, stopDaemons } from './stop-daemon.ts'
import { isOlder } from './versions.ts'

/**
 * Stops a daemon of an older Grove that serves what this one is about to. A newer one is left alone, and named. What was
 * started for Claude Code in the background gives way to the service, which keeps it running; resolves to false where a
 * person's own stays, and the service is not needed.
 */
export async function replaceOlder(
  config: Config,
  listeners: Listeners,
  notice: (text: string) => void,
  startedBy: StartedBy = 'person',
): Promise<boolean> {
  const wanted = runningDaemons(config).filter((running) => running.serves.some((name) => listeners[name]))
  const newer = wanted.find((running) => isOlder(version, running.version))
  if (newer) {
    throw new Trouble(
      `Grove ${newer.version} is already running (pid ${newer.pid}), and this one is older (${version}).`,
      'Use that one, or update this one: npm install -g grovekeeper',
    )
  }
  const older = wanted.filter((running) => isOlder(running.version, version))
  for (const { version: old, pid } of older) notice(`Grove ${old} (pid ${pid}) is stopped for ${version}.`)
  await stopDaemons(config, older)
  if (startedBy !== 'service') return true
  const others = wanted.filter((running) => !older.includes(running))
  const background = others.filter((running) => running.startedBy === 'claude')
  await stopDaemons(config, background)
  return background.length === others.length
}

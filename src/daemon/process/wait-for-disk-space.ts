import { setTimeout as sleep } from 'node:timers/promises'
import { noRoomIn } from './home.ts'
import { type DaemonNeeds, forwardOnly, type RunningDaemon, runDaemon } from './run-daemon.ts'

const LOOK_AGAIN_MS = 3000

/**
 * Starts the daemon. While the home takes no writes (a full or a read-only disk, a folder that was closed), requests are only
 * forwarded, so that clients pointed at the proxy go on; everything else follows when it can be written, and the user is told.
 */
export async function runWhenThereIsRoom(
  needs: DaemonNeeds,
  follows: (daemon: RunningDaemon) => Promise<void>,
): Promise<RunningDaemon> {
  const { log, config } = needs
  const trouble = noRoomIn(config.home)
  if (!trouble) return runDaemon(needs)
  const reason = `${trouble.message} ${trouble.wayOut}`
  log.error({ reason }, 'requests are only forwarded until its home can be written')
  let running = await forwardOnly(needs)
  let isClosing = false
  let draining: Promise<void> = Promise.resolve()
  const waiting = (async () => {
    while (!isClosing) {
      await sleep(LOOK_AGAIN_MS)
      if (isClosing || !hasRoom(config.home)) continue
      // It takes no new connections from here on, and lets open answers finish.
      draining = running.close()
      try {
        running = await runDaemon(needs)
        break
      } catch (error) {
        log.error({ err: error }, 'Grove does not start; requests are only forwarded')
        running = await forwardOnly(needs)
      }
    }
    if (isClosing) return
    log.warn({}, `${config.home} can be written again; Grove is running`)
    await follows(running)
  })()
  return {
    ...running,
    async close() {
      isClosing = true
      await Promise.race([waiting, sleep(LOOK_AGAIN_MS)])
      await Promise.all([draining, running.close()])
    },
  }
}

function hasRoom(home: string): boolean {
  try {
    return noRoomIn(home) === undefined
  } catch {
    // The folder gave way to something else in the meantime, and may come back.
    return false
  }
}

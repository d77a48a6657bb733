import { setTimeout as sleep } from 'node:timers/promises'
import { Trouble } from '#config/trouble.ts'
import { ensureHome, tryToWrite } from './home.ts'
import { type DaemonNeeds, forwardOnly, type RunningDaemon, runDaemon } from './run-daemon.ts'

const LOOK_AGAIN_MS = 3000

/**
 * Starts the daemon. While the home takes no writes, requests are only forwarded, so that clients pointed at the proxy go
 * on; everything else follows when there is room.
 */
export async function runWhenThereIsRoom(needs: DaemonNeeds): Promise<RunningDaemon> {
  const full = await noRoom(needs)
  if (!full) return runDaemon(needs)
  const { log, config } = needs
  log.error({ err: full }, 'requests are only forwarded until there is room')
  let running = await forwardOnly(needs)
  let isClosing = false
  let draining: Promise<void> = Promise.resolve()
  const waiting = (async () => {
    while (!isClosing) {
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false })
      if (isClosing || (await noRoom(needs))) continue
      // It takes no new connections from here on, and lets open answers finish.
      draining = running.close()
      try {
        running = await runDaemon(needs)
        log.warn({}, `there is room in ${config.home} again; Grove is running`)
        return
      } catch (error) {
        log.error({ err: error }, 'Grove does not start; requests are only forwarded')
        running = await forwardOnly(needs)
      }
    }
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

/** Why nothing can be written to the home although its folder is there; undefined when it can. */
async function noRoom({ config: { home } }: DaemonNeeds): Promise<unknown> {
  ensureHome(home)
  try {
    tryToWrite(home)
    return undefined
  } catch (error) {
    const { code } = (error as { cause?: NodeJS.ErrnoException }).cause ?? {}
    if (error instanceof Trouble && (code === 'ENOSPC' || code === 'EDQUOT')) return error
    throw error
  }
}

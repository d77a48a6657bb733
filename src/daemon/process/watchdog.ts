import { Worker } from 'node:worker_threads'
import type { Log } from '#core/ports/runtime.ts'

interface Needs {
  log: Log
  /** Called when work was ended that had blocked the event loop: what waits for it must not wait any longer. */
  ended(): void
}

const BEAT_MS = 250

/** What the watching thread tells: where the main thread was, function by function, innermost first. */
interface Blocked {
  stack: string[]
}

/**
 * Notices when the event loop is blocked, and ends the work that blocks it. A thread of its own sees that the beat has
 * stopped while the main thread goes on computing, asks the debugger where it is, and has V8 terminate that execution: the
 * proxy and the other hooks go on, and only what was being done is lost. A machine that is merely busy is left alone, since
 * the main thread must have used the processor itself for two seconds.
 */
export function startWatchdog({ log, ended }: Needs): { stop(): Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const beat = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  const thread = new Worker(`(${watch.toString()})()`, {
    eval: true,
    workerData: { beats, pid: process.pid },
    // A small heap of its own: without limits the thread's heap may grow as large as the daemon's.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
  thread.on('message', ({ stack }: Blocked) => {
    log.error({ stack }, 'something blocked Grove for two seconds and was ended; Grove goes on without it')
    ended()
  })
  thread.on('error', (err) => log.warn({ err }, 'the watchdog has stopped: a blocked event loop will not be noticed'))
  return {
    async stop() {
      clearInterval(beat)
      await thread.terminate()
    },
  }
}

/** The body of the thread. It is handed over as text, so it uses nothing from outside. */
function watch() {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { Session } = process.getBuiltinModule('node:inspector')
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { beats, pid } = workerData as { beats: Int32Array; pid: number }
  const LOOK_MS = 500
  const BLOCKED_MS = 2000
  const TICK_MS = 10

  /** Processor time of the main thread; of the whole process where the system does not tell. */
  const usedMs = () => {
    try {
      const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS
    } catch {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
  }

  let seen = -1
  let since = 0
  let isEnding = false
  setInterval(() => {
    const now = Atomics.load(beats, 0)
    if (now !== seen) {
      seen = now
      since = usedMs()
    } else if (!isEnding && usedMs() - since >= BLOCKED_MS) {
      isEnding = true
      endIt(() => {
        isEnding = false
        since = usedMs()
      })
    }
  }, LOOK_MS)

  function endIt(done: () => void) {
    const session = new Session()
    session.connectToMainThread()
    session.once('Debugger.paused', ({ params }) => {
      const stack = params.callFrames.slice(0, 12).map(({ functionName, url, location }) => {
        return `${functionName || '(anonymous)'} ${url.split('/').at(-1)}:${location.lineNumber + 1}`
      })
      session.post('Runtime.terminateExecution')
      session.post('Debugger.resume', () => {
        session.disconnect()
        parentPort!.postMessage({ stack })
        done()
      })
    })
    session.post('Debugger.enable', () => session.post('Debugger.pause'))
  }
}

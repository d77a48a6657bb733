import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

/**
 * Ends a client with this process, however that ends: by a second signal, or because something else would not close. Nothing but a kill
 * can be done then, so the client's whole process group is killed; what it had started in groups of their own, the next start ends.
 */
export function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', endAll)
  })
}

function endAll(): void {
  for (const child of running) {
    try {
      process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL')
    } catch {
      // It has ended in this moment, and its group with it.
    }
  }
}

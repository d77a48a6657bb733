import { spawn } from 'node:child_process'

/** A program in a process group of its own: what it starts ends with it, and it has no terminal to prompt on. */

export interface GroupOptions {
  cwd: string
  env: Record<string, string | undefined>
  input?: string
  limitMs: number
  signal?: AbortSignal
  /** What is still running in the group when the program has ended is ended too. */
  sweep?: boolean
  /** False ends the group: enough was read. */
  onOutput(chunk: Buffer, from: 'stdout' | 'stderr'): boolean
}

export interface GroupEnd {
  how: 'exited' | 'timed-out' | 'cancelled' | 'enough'
  code: number | null
}

/** Grace time after SIGTERM, to remove lock files; then SIGKILL. */
const GRACE_MS = 3000
/** How long output may still come after the end, from children that hold the pipe. */
const DRAIN_MS = 500

/** Runs to the end, or until limit, signal or `onOutput` end the whole group. Rejects only when it cannot start. */
export async function runGroup(program: string, args: string[], options: GroupOptions): Promise<GroupEnd> {
  const { cwd, env, input, limitMs, signal, sweep, onOutput } = options
  if (signal?.aborted) return { how: 'cancelled', code: null }
  return new Promise((resolve, reject) => {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as ('ignore' | 'pipe')[]
    const child = spawn(program, args, { cwd, env, stdio, detached: true, windowsHide: true })
    let how: GroupEnd['how'] = 'exited'
    const timers: NodeJS.Timeout[] = []
    const end = (why: GroupEnd['how']) => {
      if (how !== 'exited') return
      how = why
      endGroup(child.pid, 'SIGTERM')
      timers.push(setTimeout(() => endGroup(child.pid, 'SIGKILL'), GRACE_MS))
    }
    const abort = () => end('cancelled')
    timers.push(setTimeout(() => end('timed-out'), limitMs))
    signal?.addEventListener('abort', abort, { once: true })
    const settle = () => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    child.stdout!.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout') || end('enough'))
    child.stderr!.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr') || end('enough'))
    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('exit', () => {
      timers.push(
        setTimeout(() => {
          if (sweep || how !== 'exited') endGroup(child.pid, 'SIGKILL')
          child.stdout!.destroy()
          child.stderr!.destroy()
        }, DRAIN_MS),
      )
    })
    child.on('close', (code) => {
      settle()
      if (sweep || how !== 'exited') endGroup(child.pid, 'SIGKILL')
      resolve({ how, code })
    })
    if (input !== undefined) {
      // Ignored: a program that does not read its input closes the pipe.
      child.stdin!.on('error', () => undefined)
      child.stdin!.end(input)
    }
  })
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // No process is left in the group.
  }
}

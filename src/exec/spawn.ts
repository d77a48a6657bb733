import { spawn, spawnSync } from 'node:child_process'
import type { Ran, RunOptions } from '#core/ports/programs.ts'
import { waitsAtPipe } from './process/waits-at-pipe.ts'

let waits = false

/** After this it is checked whether the program is blocked at a named pipe, where it would wait for ever. */
const PIPE_LOOK_MS = 300

/** From now on programs run synchronously: for a process that ends soon, that takes a third less time. */
export function waitForPrograms(): void {
  waits = true
}

/** Starting a program holds the event loop for milliseconds: of many that are wanted at once, one starts in each turn of the loop. */
let lastStart: Promise<void> = Promise.resolve()

function turnToStart(): Promise<void> {
  const turn = lastStart
  lastStart = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turn
}

/** Runs a program with an argument array (never a shell) and gathers what it prints. Rejects only when it cannot start. */
export async function run(program: string, args: string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd, env, input, timeoutMs, endsAtPipes, signal, maxOutput = 64 * 1024 * 1024 } = options
  const settings = {
    ...(cwd && { cwd }),
    ...(env && { env }),
    ...(timeoutMs && { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as ('ignore' | 'pipe')[],
    windowsHide: true,
  }
  if (waits && !signal) {
    const limits = { maxBuffer: maxOutput, killSignal: 'SIGKILL' as const }
    const more = { ...(input !== undefined && { input }), ...limits, encoding: 'utf8' as const }
    const { pid, error, status, ...ran } = spawnSync(program, args, { ...settings, ...more })
    if (error && pid === 0) throw error
    return { code: status, signal: ran.signal, stdout: ran.stdout, stderr: ran.stderr }
  }
  await turnToStart()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...settings, ...(signal && { signal }) })
    const out: Buffer[] = []
    const err: Buffer[] = []
    let size = 0
    const gather = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutput) child.kill('SIGKILL')
      else into.push(chunk)
    }
    child.stdout!.on('data', gather(out))
    child.stderr!.on('data', gather(err))
    child.on('error', reject)
    const looking = endsAtPipes && setInterval(() => waitsAtPipe(child.pid) && child.kill('SIGKILL'), PIPE_LOOK_MS)
    // Its own children may hold the output open long after it was ended.
    child.on('exit', (_, killedBy) => {
      clearInterval(looking)
      if (!killedBy) return
      child.stdout!.destroy()
      child.stderr!.destroy()
    })
    child.on('close', (code, killedBy) =>
      resolve({
        code,
        signal: killedBy,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      }),
    )
    if (input !== undefined) {
      // Ignored: a program that does not read its input closes the pipe.
      child.stdin!.on('error', () => undefined)
      child.stdin!.end(input)
    }
  })
}

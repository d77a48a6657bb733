import { execFileSync } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import type { Listeners } from './listeners.ts'
import { type Holder, holderOf } from './lock.ts'

const LOOK_AGAIN = 50
/** A second signal this much later ends a daemon at once; shutdown.ts takes nearer ones for the same request. */
const INSIST_AFTER = 1100
/** What closing takes beyond the time that open answers are given. */
const CLOSING = 15_000

interface RunningProcess extends Holder {
  serves: (keyof Listeners)[]
}

/** The processes that serve this home, each once, with what they serve. */
export function runningDaemons(config: Pick<Config, 'home' | 'log'>): RunningProcess[] {
  const { run } = pathsOf(config)
  const found = new Map<number, RunningProcess>()
  for (const serves of ['proxy', 'web'] as const) {
    const holder = holderOf(join(run, `${serves}.json`))
    if (!holder) continue
    const known = found.get(holder.pid)
    if (known) known.serves.push(serves)
    else found.set(holder.pid, { ...holder, serves: [serves] })
  }
  return [...found.values()]
}

/** Ends them: open answers may finish, unless it is to happen `now`. Resolves when they are gone. */
export async function stopDaemons(config: Config, holders: Holder[], { now = false } = {}): Promise<void> {
  for (const holder of holders) await stopOne(config, holder, now)
}

async function stopOne(config: Config, holder: Holder, now: boolean): Promise<void> {
  if (holder.host !== hostname()) {
    throw new Trouble(`Grove runs on ${holder.host} (pid ${holder.pid}).`, 'Stop it there: grove stop')
  }
  if (!isGrove(holder)) {
    throw new Trouble(
      `Process ${holder.pid} holds the lock of this home but is not Grove.`,
      'Remove the folder run/ of its home.',
    )
  }
  const isGone = () => !runningDaemons(config).some(({ pid }) => pid === holder.pid)
  const signal = () => {
    if (!isGone()) process.kill(holder.pid, 'SIGTERM')
  }
  signal()
  const until = Date.now() + (now ? 0 : config.proxy.drainSeconds * 1000) + CLOSING
  let insistAt = now ? Date.now() + INSIST_AFTER : Number.POSITIVE_INFINITY
  while (!isGone()) {
    if (Date.now() > until) {
      throw new Trouble(`Grove (pid ${holder.pid}) does not stop.`, `Force it to: kill -9 ${holder.pid}`)
    }
    if (Date.now() > insistAt) {
      insistAt = Number.POSITIVE_INFINITY
      signal()
    }
    await sleep(LOOK_AGAIN)
  }
}

/** Where the start of a process is known, the lock tells it from a later one with its number; elsewhere its title must do. */
function isGrove({ pid, bornAt }: Holder): boolean {
  if (bornAt !== undefined || process.platform === 'win32') return true
  try {
    return /grove/.test(execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    // No such process, or no `ps`: better left alone.
    return false
  }
}

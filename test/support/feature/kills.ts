import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import { beginFeature, type Daemon, type House } from './house.ts'
import { Person } from './person.ts'
import { clientsOf } from './small-feature.ts'
import { brokenPromises, leftRunning } from './verdict.ts'

/** When Grove was killed, and what it did then. */
interface Kill {
  afterMs: number
  where: string
}

export interface Survived {
  kills: Kill[]
  /** Promises that did not hold, one sentence each. */
  broken: string[]
}

/** Numbers between 0 and 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every so often the daemon dies while it starts, before it could put anything right. */
const WHILE_STARTING = 0.15

/**
 * Lives through the story while the daemon is killed at random moments, at most so many times, the first after a quiet time; a person goes on as soon as
 * it is there again, and the story must end as if nothing had happened.
 */
export async function liveThroughKills(
  house: House,
  { kills, longestMs, quietMs, random }: { kills: number; longestMs: number; quietMs: number; random: () => number },
): Promise<Survived> {
  const done: Kill[] = []
  const broken: string[] = []
  let daemon = await house.start()
  const person = new Person(house, await beginFeature(daemon, house.project.dir))
  let last: SessionSnapshot | undefined

  const restart = async (): Promise<Daemon> => {
    const before = clientsOf(house)
    if (random() < WHILE_STARTING && done.length < kills) {
      const afterMs = Math.round(random() * 600)
      done.push({ afterMs, where: 'start' })
      await house.killWhileStarting(afterMs)
    }
    const next = await house.start()
    const left = clientsOf(house).filter((pid) => before.includes(pid))
    if (left.length > 0) broken.push(`processes of a killed daemon still run: ${left.join(', ')}`)
    const now = await person.look(next)
    if (last && (now.session.revision < last.session.revision || now.lastEvent < last.lastEvent))
      broken.push(`the session went back from revision ${last.session.revision} to ${now.session.revision}`)
    return next
  }

  while (done.length < kills) {
    const quiet = done.length === 0 ? quietMs : 0
    const afterMs = Math.round(quiet + random() * longestMs)
    const over = new AbortController()
    const living = person.live(daemon, over.signal, (seen) => {
      last = seen
    })
    // The connection breaks with the daemon.
    const lived = living.then(
      ({ session }) => session.status === 'completed',
      () => false,
    )
    const first = await Promise.race([lived, sleep(afterMs).then(() => 'time' as const)])
    if (first === true) break
    await daemon.kill()
    over.abort()
    await lived
    done.push({
      afterMs,
      where: last ? `${last.session.currentStage} ${last.session.task?.type ?? 'waits'}` : '1 open',
    })
    daemon = await restart()
  }
  await person.live(daemon)
  broken.push(...(await brokenPromises(house, daemon, person)))
  await daemon.stop()
  broken.push(...(await leftRunning(house)).map((line) => `still runs: ${line}`))
  return { kills: done, broken }
}

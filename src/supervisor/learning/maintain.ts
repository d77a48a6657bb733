import { fading, isDecayDue } from '#core/learning/decay.ts'
import type { Learning } from '#core/learning/learning.ts'
import type { LearningSettings, Library } from '#core/ports/learning.ts'
import { SLOTS } from '../state-slots.ts'
import { endForgotten } from './end-session.ts'
import { allLearnings, logFor } from './retrieve.ts'
import type { LearningWorld } from './world.ts'

/** Archives what is not used, at most once a day and project. Resolves to what was archived. */
export async function decayIfDue(
  world: LearningWorld,
  library: Library,
  root: string,
  settings: LearningSettings,
): Promise<Learning[]> {
  const now = world.clock.now()
  if (!isDecayDue(await world.states.get(SLOTS.decay, root), now)) return []
  let isMine = false
  // The process that writes the time does the work; other processes that start at the same moment see it.
  await world.states.update(SLOTS.decay, root, now, (last) => {
    isMine = isDecayDue(last, now)
    return isMine ? now : last
  })
  if (!isMine) return []
  await endForgotten(world, library, root, settings)
  return decay(world, library, settings)
}

/** Archives what is not used. */
export async function decay(world: LearningWorld, library: Library, settings: LearningSettings): Promise<Learning[]> {
  const at = world.clock.now()
  const { learnings, stats } = await allLearnings(world, library)
  const faded = fading(learnings, stats, at, settings.decay)
  for (const learning of faded) {
    const reason = `not used for ${settings.decay.passiveDurationDays === 1 ? 'a day' : `${settings.decay.passiveDurationDays} days`}`
    await logFor(library, learning).append([{ type: 'archived', at, learning: learning.id, reason }])
  }
  return faded
}

/** What `grove maintain` did. */
export interface Maintenance {
  archived: Learning[]
  events: number
  /** Lines of the logs that made no sense; they lie in a file beside the log now. */
  damaged: number
  unreachable: string[]
}

/** Rebuilds the sums from the logs, repairs them, and archives what is not used. */
export async function maintain(
  world: LearningWorld,
  library: Library,
  settings: LearningSettings,
  options: { dryRun: boolean },
): Promise<Maintenance> {
  const unreachable: string[] = []
  for (const backend of [...library.shared, library.personal]) {
    if (!(await backend.ping().catch(() => false))) unreachable.push(backend.name)
  }
  if (options.dryRun) {
    const { learnings, stats } = await allLearnings(world, library)
    const read = [await library.stats.read(), await library.personalStats.read()]
    const damaged = read.reduce((sum, log) => sum + log.damaged, 0)
    return { archived: fading(learnings, stats, world.clock.now(), settings.decay), events: 0, damaged, unreachable }
  }
  const rebuilt = [await library.stats.rebuild(), await library.personalStats.rebuild()]
  return {
    archived: await decay(world, library, settings),
    events: rebuilt.reduce((sum, { events }) => sum + events, 0),
    damaged: rebuilt.reduce((sum, { damaged }) => sum + damaged, 0),
    unreachable,
  }
}

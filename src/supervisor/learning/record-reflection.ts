import type { GateSession } from '#core/gate/session.ts'
import type { Learning } from '#core/learning/learning.ts'
import type { Turned } from '#core/learning/stats.ts'
import type { Library } from '#core/ports/learning.ts'
import { allLearnings, logFor } from './retrieve.ts'
import type { LearningWorld } from './world.ts'

/** Counts a reflection in the logs, and what it corrects. */
export async function recordReflection(
  world: LearningWorld,
  library: Library,
  session: GateSession | undefined,
  accepted: readonly (Learning & { storedIn: string[] })[],
  rejected: Turned[],
): Promise<void> {
  const at = world.clock.now()
  const kept = accepted.map(({ id, category, criteriaMet: criteria, storedIn }) => {
    return { id, category, criteria, ...(storedIn.length > 1 && { in: storedIn }) }
  })
  const ticket = session?.ticket?.id
  const told = { accepted: kept, rejected: rejected.map(forTheTeam), ...(ticket && { ticket }) }
  await library.stats.append([{ type: 'reflected', at, session: nameOf(session), ...told }])
  const corrections = accepted.filter(({ supersedes }) => supersedes !== undefined)
  if (corrections.length === 0) return
  const { learnings } = await allLearnings(world, library)
  for (const { id, supersedes, scope } of corrections) {
    const older = learnings.find((one) => one.id === supersedes)
    if (!older) continue
    // What one person corrects for themselves stays as it is for the others.
    await logFor(library, scope === 'personal' ? { scope } : older).append([
      { type: 'corrected', at, learning: older.id },
      { type: 'superseded', at, learning: older.id, by: id },
    ])
  }
}

/** Counts candidates of which none had the right shape. */
export async function recordRejected(
  { clock }: LearningWorld,
  { stats }: Library,
  session: GateSession | undefined,
  misshapen: Turned[],
): Promise<void> {
  const rejected = misshapen.map(forTheTeam)
  await stats.append([{ type: 'rejected', at: clock.now(), session: nameOf(session), rejected }])
}

function nameOf(session: GateSession | undefined): string {
  return session?.sessionId ?? 'none'
}

/** The log is shared; of what was meant for its author alone it says only that there was something. */
function forTheTeam({ personal, candidate: _, raw: __, ...one }: Turned): Turned {
  return personal ? { ...one, summary: '', reasons: [] } : one
}

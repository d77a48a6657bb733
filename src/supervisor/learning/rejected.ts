import type { GateSession } from '#core/gate/session.ts'
import type { Candidate, Learning } from '#core/learning/learning.ts'
import type { Turned } from '#core/learning/stats.ts'
import type { Library } from '#core/ports/learning.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { failOpen } from '../fail-open.ts'
import { SLOTS } from '../state-slots.ts'
import { authorAt } from './author.ts'
import type { LearningWorld } from './world.ts'

/** A rejected candidate in full, so that a person can overrule the gate. */
export interface RejectedCandidate {
  id: string
  at: number
  sessionId?: string
  stage: Turned['stage']
  reasons: string[]
  summary: string
  candidate?: Candidate
  /** As it was handed in, where it had not even the right shape. */
  raw?: string
}

const MOST_KEPT = 200

/** Keeps what was turned down, the newest of a project. What is known already is kept as that. */
export async function keepRejected(
  world: LearningWorld,
  library: Library,
  session: GateSession | undefined,
  turned: readonly Turned[],
): Promise<void> {
  const at = world.clock.now()
  const fresh = turned
    .filter(({ stage }) => stage !== 'duplicate')
    .map(({ stage, reasons, summary, candidate, raw }): RejectedCandidate => {
      const about = { stage, reasons, summary, ...(candidate && { candidate }), ...(raw && { raw }) }
      return { id: world.newId('rej'), at, ...(session && { sessionId: session.sessionId }), ...about }
    })
  if (fresh.length === 0) return
  await failOpen(world.log, 'keep what was turned down', undefined, async () => {
    await world.states.update(SLOTS.rejectedLearnings, await library.projectId(), at, (before) => ({
      candidates: [...(before?.candidates ?? []), ...fresh].slice(-MOST_KEPT),
    }))
  })
}

/** What was turned down, the newest first. */
export async function listRejected({ states }: LearningWorld, library: Library): Promise<RejectedCandidate[]> {
  const kept = await states.get(SLOTS.rejectedLearnings, await library.projectId())
  return (kept?.candidates ?? []).toReversed()
}

/** Overrules the gate: the candidate becomes a learning as it stands. */
export async function restoreRejected(
  world: LearningWorld,
  library: Library,
  id: string,
  root: string,
): Promise<Learning | Refusal<'learning_not_found' | 'learning_invalid'>> {
  const found = (await listRejected(world, library)).find((one) => one.id === id || one.id === `rej_${id}`)
  if (!found) {
    return refusal(
      'learning_not_found',
      `There is no rejected candidate ${id} in this project.`,
      '`grove learnings rejected` lists them.',
    )
  }
  const { candidate, sessionId, reasons } = found
  if (!candidate) {
    const why = `${found.id} does not have the right shape: ${reasons.join('; ')}.`
    return refusal('learning_invalid', why, 'Write it again with `grove reflect`.')
  }
  const at = world.clock.now()
  const author = await authorAt(world, root)
  const learning: Learning = {
    ...candidate,
    id: world.newId('lrn'),
    at,
    status: 'active',
    ...(sessionId && { sessionId }),
    ...(author !== undefined && { author }),
  }
  const target = learning.scope === 'personal' ? library.personal : (library.shared[0] ?? library.store)
  await target.write(learning)
  if (target !== library.personal && target !== library.store) await library.store.write(learning)
  await world.states.update(SLOTS.rejectedLearnings, await library.projectId(), at, (before) => ({
    candidates: (before?.candidates ?? []).filter((one) => one.id !== found.id),
  }))
  return learning
}

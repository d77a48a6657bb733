import { refusal } from '#core/refusal.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { Engine } from '../engine.ts'
import type { Feature } from '../feature.ts'
import { placeOf } from '../tasks/context.ts'
import { type CommandRefusal, refused } from './refused.ts'
import { withdraw } from './withdraw-questions.ts'

/** The hidden ref that holds the state before, and the command that restores it. */
type Saved = NonNullable<SessionFile['rolledBack']>

/** Saves everything under a hidden ref, then puts the branch back. */
export async function rollback(engine: Engine, feature: Feature, request?: string): Promise<Saved | CommandRefusal> {
  const { session } = feature
  if (session.status === 'rolled_back' || session.status === 'completed' || session.baseCommitSha === '') {
    return refused('not_possible_now')
  }
  if (session.status === 'active') await feature.happen({ type: 'pause' })
  await engine.stop(feature)
  const done = await engine.world.repository.rollback(placeOf(feature), session.baseCommitSha, `${session.id}/rollback`)
  if (!done.ok) {
    return refusal(
      'repository_trouble',
      [done.message, done.detail].filter(Boolean).join('\n'),
      'Nothing was changed. Resolve it in the worktree, and try again.',
    )
  }
  await feature.happen({ type: 'rolled_back' }, (files) => {
    const { session, ...rest } = withdraw(files)
    return { files: { ...rest, session: { ...session, rolledBack: done.value } }, request }
  })
  return done.value
}

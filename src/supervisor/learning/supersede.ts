import type { Library } from '#core/ports/learning.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { type Entry, findEntry } from './catalogue.ts'
import { logFor } from './retrieve.ts'
import type { LearningWorld } from './world.ts'

/** A person says that one learning takes the place of another; agents are no longer shown the older one. */
export async function supersede(
  world: LearningWorld,
  library: Library,
  { older, newer }: { older: string; newer: string },
): Promise<
  Entry | Refusal<'learning_not_found' | 'learning_ambiguous' | 'learning_superseded' | 'learning_not_editable'>
> {
  const [replaced, holds] = [await findEntry(world, library, older), await findEntry(world, library, newer)]
  if (isRefusal(replaced)) return replaced
  if (isRefusal(holds)) return holds
  if (replaced.id === holds.id || holds.status === 'superseded') {
    return refusal(
      'learning_superseded',
      `${holds.id} cannot take its place.`,
      'Choose one that is not superseded itself.',
    )
  }
  const isChanged = await library.change(holds.id, (learning) => ({ ...learning, supersedes: replaced.id }))
  if (!isChanged) {
    return refusal('learning_not_editable', `${holds.id} cannot be changed where it is kept.`, 'Change it there.')
  }
  const at = world.clock.now()
  await logFor(library, replaced).append([{ type: 'superseded', at, learning: replaced.id, by: holds.id }])
  return findEntry(world, library, replaced.id)
}

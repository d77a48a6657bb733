import { type Intent, isOpen } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { GuardWorld } from '../world.ts'

const MOST_FOUND = 20

/** Open intents that fit the words, best first; all of them without words. */
export async function searchIntents(
  world: Pick<GuardWorld, 'intents'>,
  project: GuardedProject,
  query: string,
): Promise<{ found: Intent[]; more: number }> {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}./_-]+/u)
    .filter(Boolean)
  const fits = (intent: Intent) => {
    const text = [intent.id, intent.name, ...intent.ownedScope, ...intent.acceptanceCriteria].join('\n').toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  const ranked = (await world.intents.open(project))
    .all()
    .filter(isOpen)
    .map((intent) => ({ intent, score: fits(intent) }))
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
  return {
    found: ranked.slice(0, MOST_FOUND).map(({ intent }) => intent),
    more: Math.max(0, ranked.length - MOST_FOUND),
  }
}

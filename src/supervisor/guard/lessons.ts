import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { dayOf } from '#core/text/day.ts'
import { failOpen } from '../fail-open.ts'
import type { Agent } from './intents/active-intent.ts'
import { GROVE, noteWrote } from './stale-files/seen-files.ts'
import { exclusively } from './stale-files/write-leases.ts'
import type { GuardWorld } from './world.ts'

/** A lesson is a sentence or two; CLAUDE.md is read in every session. */
export const MOST_LESSON = 500

/** Keeps a lesson in CLAUDE.md and offers it to the write gate. */
export async function recordLesson(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent | undefined,
  lesson: string,
): Promise<string> {
  // Marks of a comment would end Grove's section, or hide what follows it.
  const text = redact(lesson)
    .replace(/<!--+|(?<!-)--+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_LESSON)
  const date = dayOf(world.clock.now())
  const path = `${project.root}/CLAUDE.md`
  const isNew = await exclusively(world, path, world.newId(), async () => {
    const isAdded = await world.lessons.add(project.root, text, date)
    const now = await world.files.read(path)
    if (isAdded && now) await noteWrote(world, GROVE, path, now.hash)
    return isAdded
  })
  await failOpen(world.log, 'offer a lesson to the write gate', undefined, async () =>
    world.offerLesson?.(text, agent?.sessionId, project),
  )
  return isNew ? 'Kept in CLAUDE.md under "Lessons Learned".' : 'This lesson is in CLAUDE.md already.'
}

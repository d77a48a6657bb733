import { redact } from '#core/redact/redact.ts'
import { failOpen } from '../fail-open.ts'
import type { LearningWorld } from './world.ts'

const LONGEST_NAME = 100

/** The author of learnings made here; undefined where unknown, which keeps no learning from being written. */
export function authorAt(world: LearningWorld, root: string): Promise<string | undefined> {
  return failOpen(world.log, 'find out whose learning it is', undefined, async () => {
    const name = await world.authorAt(root)
    return name && redact(name).slice(0, LONGEST_NAME)
  })
}

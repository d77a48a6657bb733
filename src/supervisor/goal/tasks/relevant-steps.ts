import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { stem, words } from '#core/text/words.ts'
import type { World } from '../../world.ts'

const MOST = 10

/**
 * Earlier valid steps that bear on the recent ones: those in the same file first, then in the same folder, with the goal's
 * words, with a key decision; each step once.
 */
export async function relevantSteps(world: World, task: Task, recent: Step[]): Promise<Step[]> {
  const shown = new Set(recent.map(({ id }) => id))
  const earlier = (await world.store.steps.ofTask(task.id)).filter(({ id }) => !shown.has(id)).toReversed()
  const files = new Set(recent.flatMap((step) => step.files))
  const folders = new Set(recent.flatMap((step) => step.folders))
  const wanted = new Set(task.keywords.map(stem))
  const looks: ((step: Step) => boolean)[] = [
    (step) => step.files.some((file) => files.has(file)),
    (step) => step.folders.some((folder) => folders.has(folder)),
    (step) => words([...step.files, step.command ?? ''].join(' ')).some((word) => wanted.has(stem(word))),
    (step) => step.keyDecision,
  ]
  return [...new Set(looks.flatMap((look) => earlier.filter(look)))].slice(0, MOST)
}

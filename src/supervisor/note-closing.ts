import { onAnswer } from '#core/orchestrate.ts'
import { finishTask } from './finish-task.ts'
import type { Mind } from './mind.ts'
import type { World } from './world.ts'

/** The agent ended its turn with words alone: they may say that the task is done. */
export async function noteClosing(world: World, mind: Mind, text: string): Promise<void> {
  if (text !== '') mind.closingWords = text.slice(-4000)
  const { task } = mind
  if (!task) return
  const steps = await world.store.steps.ofTask(task.id)
  const wroteFiles = steps.some(({ kind }) => kind === 'edit' || kind === 'write')
  const work = { goal: task.goal, keywords: task.keywords, kind: task.kind, recentFiles: mind.onGoalFiles }
  mind.unjudgedClosing = onAnswer(work, { text, wroteFiles }) === 'continue'
  if (!mind.unjudgedClosing) await finishTask(world, mind, 'complete')
}

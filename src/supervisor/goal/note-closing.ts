import { onAnswer } from '#core/goal/orchestrate.ts'
import { redact } from '#core/redact/redact.ts'
import type { World } from '../world.ts'
import { finishTask } from './finish-task.ts'
import type { Mind } from './mind.ts'

/** The agent ended its turn with words alone: they may say that the task is done. */
export async function noteClosing(world: World, mind: Mind, said: string): Promise<void> {
  const text = redact(said)
  if (isRepeat(mind, text)) return
  if (text !== '') mind.closingWords = text.slice(-4000)
  if (text !== '') mind.closed = flat(text)
  const { task } = mind
  if (!task) return
  const steps = await world.store.steps.ofTask(task.id)
  const wroteFiles = steps.some(({ kind }) => kind === 'edit' || kind === 'write')
  const work = { goal: task.goal, keywords: task.keywords, kind: task.kind, recentFiles: mind.onGoalFiles }
  mind.unjudgedClosing = onAnswer(work, { text, wroteFiles }) === 'continue'
  if (!mind.unjudgedClosing) await finishTask(world, mind, 'complete')
}

/** Proxy and hook both tell of the end of a turn. Told twice, it would end the parent together with the subtask. */
function isRepeat({ closed }: Mind, text: string): boolean {
  if (closed === undefined) return false
  const now = flat(text)
  return closed.endsWith(now) || now.endsWith(closed)
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(-1000)
}

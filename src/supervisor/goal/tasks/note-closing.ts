import { changesBeyondFiles } from '#core/drift/checks/limits.ts'
import { readClosing } from '#core/goal/closing.ts'
import { onAnswer } from '#core/goal/orchestrate.ts'
import { redact } from '#core/redact/redact.ts'
import type { Task } from '#core/task.ts'
import { noteUnjudgedClosing } from '../../session/judging.ts'
import type { SessionState } from '../../session/session-state.ts'
import { closeTurn, noteWords } from '../../session/transcript.ts'
import { activeTask } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { finishTask } from './finish-task.ts'

/**
 * The agent ended its turn with words alone: they may say that the task is done. While a helper works in the background
 * it is not, whatever they say.
 */
export async function noteClosing(
  world: World,
  session: SessionState,
  said: string,
  helpersAtWork: boolean,
): Promise<void> {
  const text = redact(said)
  if (isRepeat(session, text)) return
  noteWords(session, text)
  const closing = readClosing(text, session.work.instruction?.text)
  if (text !== '') closeTurn(session, flat(text), closing)
  const task = activeTask(session)
  if (!task || helpersAtWork) return
  const wroteFiles = await hasDoneIts(world, session, task)
  const work = { goal: task.goal, keywords: task.keywords, kind: task.kind, recentFiles: session.work.onGoalFiles }
  const goesOn = onAnswer(work, { text, wroteFiles, closing }) === 'continue'
  noteUnjudgedClosing(session, goesOn)
  if (!goesOn) await finishTask(world, session, 'complete')
}

/** Whether something was changed, even if it was not to be. An answered question stays open: what comes next goes on with it. */
async function hasDoneIts({ store, tools }: World, session: SessionState, { id }: Task): Promise<boolean> {
  if (session.drift.astray.some(({ forbiddenIn }) => forbiddenIn === id)) return true
  const ran = (await store.steps.ofTask(id)).filter(({ outcome }) => !outcome)
  if (ran.some(({ kind, changes = [] }) => kind === 'edit' || kind === 'write' || changes.length > 0)) return true
  // A command is kept as its line, without secrets, and read from that once more.
  const commands = ran.flatMap(({ kind, tool, command }) =>
    kind === 'bash' && command ? [{ tool, input: { command }, outcome: 'ran' as const }] : [],
  )
  const readings = await Promise.all(commands.map((call) => tools.read(call, session.place ?? {})))
  return readings.some(({ invocations }) => changesBeyondFiles(invocations))
}

/** Proxy and hook both report the end of a turn. Counted twice, it would end the parent together with the subtask. */
function isRepeat({ transcript: { turn } }: SessionState, text: string): boolean {
  if (turn.status === 'open') return false
  const now = flat(text)
  return turn.words.endsWith(now) || now.endsWith(turn.words)
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(-1000)
}

import type { Closing } from '#core/goal/closing.ts'
import { onlyAnswers, wordsOf } from '#core/goal/limits/answer-only.ts'
import type { CorrectionLevel } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { asked } from '#supervisor/goal/actions/correct.ts'
import { activeWork } from '#supervisor/session/work.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import type { ClosingStory, InstructionStory, SessionStory } from './data.ts'
import type { Conversation, Product } from './product.ts'

/** What Grove made of a story, in the form that the scorer of the stories reads. */
export type Prediction = InstructionPrediction | ClosingPrediction | SessionPrediction

export interface InstructionPrediction {
  id: string
  kind: 'instruction'
  probes: Record<string, 'forbidden' | 'ok'>
  question: boolean
  goal: string
  continues: boolean
}

export interface ClosingPrediction {
  id: string
  kind: 'closing'
  label: Closing
}

export interface ActionPrediction {
  event: number
  score: number | null
  level: CorrectionLevel | null
  denied: boolean
}

export interface SessionPrediction {
  id: string
  kind: 'session'
  actions: ActionPrediction[]
  finished: boolean
  memory: { goal: string; changed: string[] }
}

/** Says everything that was said, then tries to write each path, in a session of its own. */
export async function replayInstruction(product: Product, story: InstructionStory): Promise<InstructionPrediction> {
  const cwd = product.project(story.files)
  const said: InstructionPrediction['probes'] = {}
  for (const { path } of story.probes) {
    const { talk, task } = await spoken(product, cwd, story)
    said[path] = (await isForbidden(product, talk, task, path, story.files)) ? 'forbidden' : 'ok'
    await talk.end()
  }
  const { talk, task, continues } = await spoken(product, cwd, story)
  const session = await product.store.states.get(SLOTS.session, talk.id)
  const active = session && activeWork(session)
  await talk.end()
  const question = task?.constraints.some(onlyAnswers) ?? false
  const { goal: newest = '', partOf = '' } = active ? asked(active) : {}
  const goal = `${newest} ${partOf}`.trim()
  return { id: story.id, kind: 'instruction', probes: said, question, goal, continues }
}

async function spoken(product: Product, cwd: string, { earlier, instruction }: InstructionStory) {
  const talk = product.session(cwd)
  await talk.start()
  for (const text of earlier) {
    await talk.prompt(text)
    await talk.stop()
  }
  const before = await latestTask(product, talk)
  await talk.prompt(instruction)
  const task = await latestTask(product, talk)
  const continues = before !== undefined && (task?.id === before.id || task?.parentId === before.id)
  return { talk, task, continues }
}

async function latestTask({ store }: Product, { id }: Conversation): Promise<Task | undefined> {
  return (await store.tasks.current(id)) ?? (await store.tasks.ofSession(id)).at(-1)
}

/** A write is forbidden where Grove refuses or corrects it in the user's own words. */
async function isForbidden(
  product: Product,
  talk: Conversation,
  task: Task | undefined,
  path: string,
  files: string[],
): Promise<boolean> {
  product.published()
  const { refusal } = files.includes(path)
    ? await talk.use('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, 'ok')
    : await talk.use('Write', { file_path: path, content: 'b' }, 'ok')
  const reasons = product.published().flatMap((event) => (event.type === 'drift' ? [event.reason] : []))
  const words = [...reasons, ...(refusal === undefined ? [] : [refusal])].map(flat)
  return (task?.constraints ?? []).some((limit) => words.some((text) => text.includes(flat(wordsOf(limit)))))
}

function flat(text: string): string {
  return text.replace(/\\(["\\])/g, '$1').replace(/\s+/g, ' ')
}

export async function replayClosing(
  product: Product,
  cwd: string,
  { id, instruction, closing }: ClosingStory,
): Promise<ClosingPrediction> {
  const talk = product.session(cwd)
  await talk.start()
  await talk.prompt(instruction)
  await talk.stop(closing)
  const session = await product.store.states.get(SLOTS.session, talk.id)
  await talk.end()
  const turn = session?.transcript.turn
  return { id, kind: 'closing', label: turn?.status === 'closed' ? turn.reads : 'unfinished' }
}

export async function replaySession(product: Product, story: SessionStory): Promise<SessionPrediction> {
  const cwd = product.project(story.files)
  const talk = product.session(cwd)
  const actions: ActionPrediction[] = []
  await talk.start()
  product.published()
  for (const [index, event] of story.events.entries()) {
    if (event.type === 'answer') await talk.stop(event.text)
    else if (event.type === 'user' && event.midTurn) talk.typeMeanwhile(event.text)
    else if (event.type === 'user') await talk.prompt(event.text)
    else {
      const { id, refusal } = await talk.use(event.tool, event.input, event.result)
      const drifts = product.published().flatMap((one) => (one.type === 'drift' ? [one] : []))
      const [step] = await product.store.steps.recent(talk.id, 1)
      const score = drifts.at(-1)?.score ?? (step?.id === id ? (step.driftScore ?? null) : null)
      actions.push({ event: index, score, level: drifts.at(-1)?.level ?? null, denied: refusal !== undefined })
    }
  }
  const finished = (await latestTask(product, talk))?.status === 'completed'
  await talk.end()
  return { id: story.id, kind: 'session', actions, finished, memory: await remembered(product, talk.id, cwd) }
}

async function remembered({ store }: Product, sessionId: string, cwd: string) {
  const all = await store.memories.list(undefined, { limit: 50 })
  const own = all.filter((memory) => memory.sessionId === sessionId)
  const within = (file: string) => (file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file)
  return { goal: own[0]?.goal ?? '', changed: [...new Set(own.flatMap(({ files }) => files.map(within)))] }
}

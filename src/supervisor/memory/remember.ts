import type { WorkPlace } from '#core/memory/branch.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import { joined, kinship } from '#core/memory/merge.ts'
import { checkQuality } from '#core/memory/quality.ts'
import { actedOn, type Work } from '#core/memory/use.ts'
import type { Step } from '#core/step.ts'
import type { MemoryWorld } from './world.ts'

export type Kept = { kept: 'new' | 'joined'; memory: Memory; superseded: string[] } | { kept: 'no'; why: string }

/** A file that many tasks touch has many memories, and only their goals tell which is related. */
export const KIN = 100

/** Keeps a memory if it is worth it: told again it joins the one that is there, done again it takes its place. */
export async function rememberWork(world: MemoryWorld, raw: Memory): Promise<Kept> {
  const { store, clock } = world
  const verdict = checkQuality(raw)
  if (!verdict.keep) return { kept: 'no', why: verdict.why }
  const { memory } = verdict
  const kin = await kinOf(world, memory)
  const same = kin.find(({ kind }) => kind === 'same')
  if (same) {
    const grown = checkQuality(joined(same.memory, memory, clock.now(), memory.user))
    const whole = grown.keep ? grown.memory : same.memory
    await store.memories.put(whole)
    return { kept: 'joined', memory: whole, superseded: [] }
  }
  const old = kin.filter(({ kind }) => kind === 'successor').map((one) => one.memory)
  const marked = old.map((one) => changed(one, { supersededBy: memory.id }, clock.now()))
  await store.memories.put(memory, ...marked)
  return { kept: 'new', memory, superseded: old.map(({ id }) => id) }
}

async function kinOf({ store, find }: MemoryWorld, memory: Memory) {
  const found = await find(memory.projectId, { text: memory.goal, files: memory.files, limit: KIN, copies: true })
  const candidates = await store.memories.byIds(found.map(({ memoryId }) => memoryId))
  return candidates
    .map((older) => ({ memory: older, kind: kinship(memory, older) }))
    .filter(({ kind }) => kind !== 'other')
}

/** What an agent did in a task. */
export interface TaskWork {
  steps: Pick<Step, 'files' | 'excerpt' | 'at'>[]
  closingWords: string
  instruction: string
}

/**
 * Notes which of the memories the session was shown its agent has acted on. With the others it has had its chance, if it
 * did anything at all since: a task often ends at the very prompt that brought the next memory.
 */
export async function noteUse({ store, clock }: MemoryWorld, sessionId: string, work: TaskWork): Promise<void> {
  const waiting = (await store.memoryUses.ofSession(sessionId)).filter(({ usedAt }) => usedAt === undefined)
  const shownAt = new Map(waiting.map((use) => [use.memoryId, use.shownAt]))
  for (const memory of await store.memories.byIds([...shownAt.keys()])) {
    const how = actedOn(memory, workSince(shownAt.get(memory.id)!, work))
    if (how) await store.memoryUses.used(sessionId, memory.id, how, clock.now())
  }
  const lastAct = Math.max(...work.steps.map(({ at }) => at))
  const over = waiting.filter((use) => use.settledAt === undefined && use.shownAt <= lastAct)
  await store.memoryUses.settled(
    sessionId,
    over.map(({ memoryId }) => memoryId),
    clock.now(),
  )
}

/** Where the agent had been before it was shown a memory, the memory did not lead it. */
function workSince(shownAt: number, { steps, closingWords, instruction }: TaskWork): Work {
  const before = new Set(steps.filter(({ at }) => at < shownAt).flatMap(({ files }) => files))
  const after = steps.filter(({ at }) => at >= shownAt)
  return {
    files: after.flatMap(({ files }) => files).filter((file) => !before.has(file)),
    said: [...after.map(({ excerpt }) => excerpt ?? ''), closingWords].join('\n'),
    instruction,
  }
}

/** Whose work this is: the name that was set, else the one git knows. */
export function authorOf({ user }: Pick<MemoryWorld, 'user'>, place: WorkPlace): string | undefined {
  return user ?? place.user
}

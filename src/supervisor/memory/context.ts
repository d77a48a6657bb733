import { pathsIn } from '#core/goal.ts'
import { isSimplePrompt } from '#core/instruction.ts'
import { type Budget, type Finding, type MemoryContext, memoryContext } from '#core/memory/inject.ts'
import { standingOf } from './standing.ts'
import type { Found, MemoryWorld } from './world.ts'

export interface ContextQuestion {
  sessionId: string
  projectId: string
  /** Where the agent works. */
  cwd: string
  /** The user's own words. */
  instruction: string
  /** Files already in work. */
  files: string[]
}

/** The first prompt says most about the work, so it gets the most room. */
const FIRST: Budget = { memories: 3, tokens: 800 }
const LATER: Budget = { memories: 2, tokens: 450 }
const CANDIDATES = 8
/** Work on somebody's branch may never come; it has to fit better than what is in the default branch. */
const OPEN_BRANCH = 0.8

const PROMPTS = 'memory-prompt'

/**
 * What the team knows that bears on this prompt, or nothing. A prompt is answered once, through whichever door it comes
 * first, and no memory is shown twice in a session.
 */
export async function contextFor(world: MemoryWorld, question: ContextQuestion): Promise<MemoryContext | undefined> {
  const { store, clock, settings } = world
  const { sessionId, instruction } = question
  if (settings.perSession === 0 || isSimplePrompt(instruction) || !(await isNew(world, sessionId, instruction))) return
  const shown = await store.memoryUses.ofSession(sessionId)
  const left = settings.perSession - shown.length
  if (left <= 0) return
  const found = await worthShowing(world, question, new Set(shown.map(({ memoryId }) => memoryId)))
  const budget = shown.length === 0 ? FIRST : LATER
  const context = memoryContext(found, { ...budget, memories: Math.min(budget.memories, left) })
  if (context) await store.memoryUses.shown(sessionId, context.memoryIds, clock.now())
  return context
}

/** Proxy and hooks tell of the same prompt; the second is no news. */
async function isNew({ store, clock }: MemoryWorld, sessionId: string, instruction: string): Promise<boolean> {
  const key = instruction.trim().slice(0, 500)
  let isNews = false
  await store.states.update(PROMPTS, sessionId, clock.now(), (before) => {
    isNews = before !== key
    return key
  })
  return isNews
}

/** The session is over; nobody will tell of its prompts again. */
export async function forgetPrompts({ store }: Pick<MemoryWorld, 'store'>, sessionId: string): Promise<void> {
  await store.states.remove(PROMPTS, sessionId)
}

async function worthShowing(world: MemoryWorld, question: ContextQuestion, shown: Set<string>): Promise<Finding[]> {
  const { store, settings } = world
  const { sessionId, projectId, instruction, files, cwd } = question
  const found = await world.find(projectId, {
    text: instruction,
    files: [...new Set([...pathsIn(instruction), ...files])],
    sessionId,
    limit: CANDIDATES,
    sure: true,
  })
  const byId = new Map(found.filter(isTangible).map((one) => [one.memoryId, one]))
  const memories = (await store.memories.byIds([...byId.keys()])).filter(
    ({ id, projectId: owner, supersededBy }) => owner === projectId && !shown.has(id) && supersededBy === undefined,
  )
  if (memories.length === 0) return []
  const standing = await standingOf(world, memories, cwd)
  return memories
    .map((memory) => {
      const branch = standing.get(memory.id) ?? 'main'
      const hit = byId.get(memory.id)!
      const weight = hit.confidence * (branch === 'open' ? OPEN_BRANCH : 1)
      return { memory, branch, why: hit.why, weight }
    })
    .filter(({ weight }) => weight >= settings.confidence)
    .sort((a, b) => b.weight - a.weight)
}

/** A wrong memory is worse than none: one word in common, or the mere date, is no reason to show it. */
function isTangible({ shared }: Found): boolean {
  return shared.words >= 2 || shared.files > 0
}

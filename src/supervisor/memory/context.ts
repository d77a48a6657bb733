import { isSimplePrompt } from '#core/goal/instruction.ts'
import { type Budget, type FoundMemory, type MemoryContext, memoryContext } from '#core/memory/inject.ts'
import type { Found } from '#core/ports/memory.ts'
import { branchStateOf } from './branch-state.ts'
import { supersededAmong } from './successors.ts'
import type { MemoryWorld } from './world.ts'

export interface ContextQuestion {
  sessionId: string
  projectId: string
  /** Where the agent works. */
  cwd: string
  /** The user's own words. */
  instruction: string
  /** Files that are named or already in work, from the project's root. */
  files: string[]
}

const START: Budget = { memories: 2, tokens: 350 }
/** The first prompt says most about the work, so it gets the most room. */
const FIRST: Budget = { memories: 3, tokens: 800 }
const LATER: Budget = { memories: 2, tokens: 450 }
const CANDIDATES = 8
/** Work on another branch may never be merged; it has to fit better than what is in the default branch. */
const OPEN_BRANCH = 0.8

/** What the team knows that bears on this prompt, or nothing. No memory is shown twice in a session. */
export async function contextFor(world: MemoryWorld, question: ContextQuestion): Promise<MemoryContext | undefined> {
  const { store, clock } = world
  const { sessionId, instruction, cwd } = question
  const settings = world.settingsAt(cwd)
  if (settings.perSession === 0 || isSimplePrompt(instruction)) return
  const shown = await store.memoryUses.ofSession(sessionId)
  // Memories that the agent searched for itself do not count as imposed.
  const left = settings.perSession - shown.filter(({ shownAt, usedAt }) => shownAt !== usedAt).length
  if (left <= 0) return
  const found = await worthShowing(world, question, new Set(shown.map(({ memoryId }) => memoryId)))
  const budget = shown.length === 0 ? FIRST : LATER
  const context = memoryContext(found, { ...budget, memories: Math.min(budget.memories, left) })
  if (context) await store.memoryUses.shown(sessionId, context.memoryIds, clock.now())
  return context
}

const DAY = 86_400_000
const UNDER_WAY_DAYS = 30
const LOOKED_AT = 300
/** A branch with more memories is a shared one, and says nothing about the current work. */
const ONE_PIECE_OF_WORK = 8

/** What is under way on the branch that a session begins on, before anything was asked; nothing on the default branch. */
export async function contextAtStart(
  world: MemoryWorld,
  { sessionId, projectId, cwd }: Pick<ContextQuestion, 'sessionId' | 'projectId' | 'cwd'>,
): Promise<MemoryContext | undefined> {
  const { store, clock } = world
  const settings = world.settingsAt(cwd)
  if (settings.perSession === 0) return
  const { branch, defaultBranch } = await world.workPlace(cwd)
  if (!branch || !defaultBranch || branch === defaultBranch) return
  if ((await store.memoryUses.ofSession(sessionId)).length > 0) return
  const since = clock.now() - UNDER_WAY_DAYS * DAY
  const recent = await store.memories.list(projectId, { limit: LOOKED_AT })
  const onBranch = recent.filter(
    (memory) => memory.branch === branch && memory.createdAt > since && memory.supersededBy === undefined,
  )
  if (onBranch.length > ONE_PIECE_OF_WORK) return
  const standing = await branchStateOf(world, onBranch, cwd)
  const found = onBranch
    .filter(({ id, sessionId: owner }) => standing.get(id) === 'here' && owner !== sessionId)
    .map((memory) => ({ memory, branch: 'here' as const, why: `the newest work on branch ${branch}` }))
  const context = memoryContext(found, { ...START, memories: Math.min(START.memories, settings.perSession) })
  if (context) await store.memoryUses.shown(sessionId, context.memoryIds, clock.now())
  return context
}

async function worthShowing(world: MemoryWorld, question: ContextQuestion, shown: Set<string>): Promise<FoundMemory[]> {
  const { store } = world
  const { sessionId, projectId, instruction, files, cwd } = question
  const settings = world.settingsAt(cwd)
  const found = await world.find(projectId, {
    text: instruction,
    files: [...new Set(files)],
    sessionId,
    limit: CANDIDATES,
    sure: true,
  })
  const byId = new Map(found.filter(isTangible).map((one) => [one.memoryId, one]))
  const known = (await store.memories.byIds([...byId.keys()])).filter(
    ({ id, projectId: owner }) => owner === projectId && !shown.has(id),
  )
  // What is done anew on a branch may never be merged: until it is, the older one is how things are.
  const superseded = await supersededAmong(store.memories, known, async (successors) => {
    const standing = await branchStateOf(world, successors, cwd)
    return successors.filter(({ id }) => standing.get(id) !== 'open')
  })
  const memories = known.filter(({ id }) => !superseded.has(id))
  if (memories.length === 0) return []
  const standing = await branchStateOf(world, memories, cwd)
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

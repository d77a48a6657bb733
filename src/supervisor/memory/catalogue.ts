import { type BranchState, mayBeOpen } from '#core/memory/branch.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import { tidied } from '#core/memory/quality.ts'
import type { Usefulness } from '#core/memory/use.ts'
import type { MemoryPlace } from '#core/ports/store.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { mentionedPaths } from '#core/text/paths.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { branchStateOf } from './branch-state.ts'
import { authorOf } from './remember.ts'
import { supersededAmong } from './successors.ts'
import type { MemoryWorld } from './world.ts'

/** A memory as people look at it. */
export interface MemoryEntry extends Memory {
  /** `open` when its work lies on a branch that has not reached the default branch. */
  standing: BranchState
  usefulness: Usefulness
}

export interface MemoryHit {
  entry: MemoryEntry
  /** How likely it bears on the question, from 0 to 1. */
  confidence: number
  why: string
}

/** What a person may change about a memory. */
export type MemoryEdit = Partial<
  Pick<Memory, 'goal' | 'reasoningTrace' | 'decisions' | 'constraints' | 'files' | 'tags' | 'status'>
>

type Unfound = Refusal<'memory_not_found' | 'memory_ambiguous'>

export interface SearchWish {
  text: string
  files?: string[]
  /** Without it, every project is searched. */
  projectId?: string
  /** The agent session that asks; what it did itself it need not be told. */
  sessionId?: string
  limit: number
  /** Return no hit where the ranking doubts that any answers the question. */
  sure?: boolean
}

/** The best memories for a text, of one project or of all. */
export async function searchMemories(world: MemoryWorld, wish: SearchWish): Promise<MemoryHit[]> {
  const { store } = world
  const { text, projectId, sessionId, limit, sure } = wish
  const files = [...new Set([...(wish.files ?? []), ...mentionedPaths(text)])]
  const projects = projectId === undefined ? (await store.projects.list()).map(({ id }) => id) : [projectId]
  const found = (
    await Promise.all(
      projects.map((id) =>
        world.find(id, { text, files, limit, ...(sessionId && { sessionId }), ...(sure && { sure }) }),
      ),
    )
  ).flat()
  const memories = await store.memories.byIds(found.map(({ memoryId }) => memoryId))
  const entries = new Map((await entriesOf(world, memories)).map((entry) => [entry.id, entry]))
  return found
    .filter(({ why }) => why !== '')
    .flatMap(({ memoryId, confidence, why }) => {
      const entry = entries.get(memoryId)
      if (!entry) return []
      return [{ entry, confidence: Math.max(confidence, namedBy(text, entry.goal)), why }]
    })
    .sort((a, b) => b.confidence - a.confidence || b.entry.createdAt - a.entry.createdAt)
    .slice(0, limit)
}

/** The certainty of a hit whose goal is asked for in its very words, however common each of them is. */
function namedBy(question: string, goal: string): number {
  const words = plainWords(question)
  if (words.length === 0 || !` ${plainWords(goal).join(' ')} `.includes(` ${words.join(' ')} `)) return 0
  return words.length >= NAMING_WORDS ? NAMED : TOUCHED
}

const NAMED = 0.5
/** One or two words name a subject rather than a piece of work. */
const TOUCHED = 0.1
const NAMING_WORDS = 3

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export interface MemoryPage {
  memories: MemoryEntry[]
  /** Where the next page begins. */
  next?: MemoryPlace
}

/** Newest first, of one project or of all. */
export async function listMemories(
  world: MemoryWorld,
  { projectId, limit, before }: { projectId?: string; limit: number; before?: number | MemoryPlace },
): Promise<MemoryPage> {
  const found = await world.store.memories.list(projectId, {
    limit: limit + 1,
    ...(before !== undefined && { before }),
  })
  const memories = await entriesOf(world, found.slice(0, limit))
  const last = memories.at(-1)
  return found.length > limit && last ? { memories, next: { createdAt: last.createdAt, id: last.id } } : { memories }
}

/** One memory by its id, or by as much of it as tells it from the others. */
export async function showMemory(world: MemoryWorld, id: string): Promise<MemoryEntry | Unfound> {
  const memory = await resolve(world, id)
  return isRefusal(memory) ? memory : (await entriesOf(world, [memory]))[0]!
}

export async function editMemory(world: MemoryWorld, id: string, edit: MemoryEdit): Promise<MemoryEntry | Unfound> {
  const memory = await resolve(world, id)
  if (isRefusal(memory)) return memory
  // A person decides what is worth keeping; only secrets and lengths are still looked after.
  const edited = tidied(changed(memory, edit, world.clock.now(), await editorOf(world, memory)))
  await world.store.memories.put(edited)
  return (await entriesOf(world, [edited]))[0]!
}

/** Deletes it here and, with the next synchronisation, in the team's database. */
export async function removeMemory(world: MemoryWorld, id: string): Promise<Memory | Unfound> {
  const memory = await resolve(world, id)
  if (isRefusal(memory)) return memory
  const by = await editorOf(world, memory)
  await world.store.memories.remove(memory.id, { at: world.clock.now(), ...(by && { by }) })
  return memory
}

/** The user of this machine, also where a page or a tool asks for it. */
async function editorOf(world: MemoryWorld, { projectId }: Memory): Promise<string | undefined> {
  const root = (await world.store.projects.get(projectId))?.root
  return authorOf(world, root === undefined ? {} : await world.workPlace(root))
}

const SHORTEST_PREFIX = 4

async function resolve({ store }: MemoryWorld, id: string): Promise<Memory | Unfound> {
  const exact = await store.memories.get(id)
  if (exact) return exact
  const alike = id.length < SHORTEST_PREFIX ? [] : await store.memories.startingWith(id, 2)
  if (alike.length === 1) return alike[0]!
  const suggestion = '`grove memories list` shows all of them.'
  if (alike.length > 1) return refusal('memory_ambiguous', `Several memories start with ${id}.`, suggestion)
  return refusal('memory_not_found', `There is no memory ${id}.`, suggestion)
}

async function entriesOf(world: MemoryWorld, memories: Memory[]): Promise<MemoryEntry[]> {
  const totals = await world.store.memoryUses.totals(memories.map(({ id }) => id))
  const standing = new Map<string, BranchState>()
  for (const projectId of new Set(memories.map((memory) => memory.projectId))) {
    const own = memories.filter((memory) => memory.projectId === projectId)
    const root = (await world.store.projects.get(projectId))?.root
    // A project that is not on this machine has no repository to ask about its branches.
    const known = root === undefined ? new Map<string, BranchState>() : await branchStateOf(world, own, root)
    for (const memory of own) standing.set(memory.id, known.get(memory.id) ?? (mayBeOpen(memory) ? 'open' : 'main'))
  }
  const superseded = await supersededAmong(world.store.memories, memories)
  return memories.map(({ supersededBy, ...memory }) => ({
    ...memory,
    ...(supersededBy !== undefined && superseded.has(memory.id) && { supersededBy }),
    standing: standing.get(memory.id) ?? 'main',
    usefulness: totals.get(memory.id) ?? { shown: 0, used: 0 },
  }))
}

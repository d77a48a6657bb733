import { mentionedPaths } from '#core/text/paths.ts'
import { failOpen } from '../fail-open.ts'
import { beginsWork } from '../goal/tasks/note-instruction.ts'
import { type CallFacts, workingDirectory } from '../inject/read-call.ts'
import { withTimeout } from '../queue/with-timeout.ts'
import { queueContext, queueNotice } from '../session/deliveries.ts'
import { noteLookedUp } from '../session/lookups.ts'
import type { Place } from '../session/place.ts'
import type { SessionState } from '../session/session-state.ts'
import type { World } from '../world.ts'
import { contextAtStart, contextFor } from './context.ts'
import { inProject } from './project-paths.ts'

/** A request waits no longer than this for memories; what comes later goes with the next one. */
const TIMEOUT_MS = 200

/**
 * Queues what the team knows about a new prompt for the request that brings it. It goes to the end of the conversation,
 * never into `system`: a further block there would make the client's attribution part of the prompt and of the cache key.
 * What was not ready in time is handed to `late`, which queues it.
 */
export async function addMemories(
  world: World,
  session: SessionState,
  { layout }: CallFacts,
  instruction: string,
  late: (apply: () => Promise<void>) => void,
): Promise<void> {
  const cwd = session.place?.cwd ?? workingDirectory(layout)
  if (cwd === undefined) return
  const finding = failOpen(world.log, 'find memories', undefined, () => find(world, session, cwd, instruction))
  const context = await withTimeout(finding, TIMEOUT_MS, 'late')
  if (context === 'late') late(async () => deliver(world, session, await finding))
  else deliver(world, session, context)
}

/** At SessionStart: work that is under way on the session's branch goes into the hook's answer. */
export async function addMemoriesAtStart(world: World, session: SessionState): Promise<void> {
  const { sessionId, place } = session
  if (!place) return
  const { projectId, cwd } = place
  const finding = () => contextAtStart(world.memory, { sessionId, projectId, cwd })
  deliver(world, session, await failOpen(world.log, 'find memories', undefined, finding))
}

/** At UserPromptSubmit: memories that fit the prompt go into the hook's answer. */
export async function addMemoriesToPrompt(world: World, session: SessionState, instruction: string): Promise<void> {
  const { place } = session
  if (!place) return
  const finding = () => find(world, session, place.cwd, instruction)
  deliver(world, session, await failOpen(world.log, 'find memories', undefined, finding))
}

/** Looks up beforehand what the next prompt of this session will ask for; a daemon has the time. */
export async function expectPrompt({ memory }: World, { sessionId, place }: SessionState): Promise<void> {
  if (!memory.readAhead || !place || memory.settingsAt(place.cwd).perSession === 0) return
  const { projectId } = place
  await memory.readAhead(projectId)
  await memory.store.memoryUses.ofSession(sessionId)
  const used = await memory.store.memoryUses.ofProject(projectId)
  // What fitted once fits again, sooner than anything else.
  await memory.store.memories.byIds([...used.keys()].slice(0, MOST_EXPECTED))
}

const MOST_EXPECTED = 50

type Context = Awaited<ReturnType<typeof contextFor>>

/** Proxy and hooks report the same prompt: memories are looked up for the first of the two. */
async function find(world: World, session: SessionState, cwd: string, instruction: string): Promise<Context> {
  const about = instruction.trim().slice(0, 500)
  if (session.lookups.prompt === about) return undefined
  noteLookedUp(session, about)
  const { projectId, root } = session.place ?? (await placeAt(world, cwd))
  const named = inProject({ cwd, root })
  const inWork = beginsWork(session, instruction) ? [] : session.work.onGoalFiles
  const files = [...mentionedPaths(instruction), ...inWork].map(named)
  return contextFor(world.memory, { sessionId: session.sessionId, projectId, cwd, instruction, files })
}

async function placeAt(world: World, cwd: string): Promise<Place> {
  const { id, root } = await world.projectAt(cwd)
  return { cwd, projectId: id, root }
}

function deliver(world: World, session: SessionState, context: Context) {
  if (!context) return
  const key = `memory:${context.memoryIds.join()}`
  queueContext(session, { key, text: context.text, why: context.why })
  if (world.settings.tellsUser) queueNotice(session, context.line)
}

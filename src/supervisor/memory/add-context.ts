import { pathsIn } from '#core/goal/goal.ts'
import { failOpen } from '../fail-open.ts'
import type { Mind } from '../goal/mind.ts'
import { beginsWork } from '../goal/note-instruction.ts'
import { type CallFacts, workingDirectory } from '../inject/read-call.ts'
import { withTimeout } from '../queue/with-timeout.ts'
import type { World } from '../world.ts'
import { contextAtStart, contextFor } from './context.ts'
import { inProject } from './in-project.ts'

/** A request waits no longer than this for memories; what comes later goes with the next one. */
const TIMEOUT_MS = 200

/**
 * Puts what the team knows about a new prompt where the request will take it along: into `system` with the session's
 * first request, at the end of the conversation later. `late` gets what was not ready in time, to do it in turn.
 */
export async function addMemories(
  world: World,
  mind: Mind,
  facts: CallFacts,
  late: (apply: () => Promise<void>) => void,
): Promise<void> {
  if (facts.kind !== 'main') return
  const first = mind.system === undefined
  // Chosen now or never: `system` must not change in the middle of a conversation.
  mind.system ??= ''
  const { instruction } = facts
  if (!instruction || (mind.prompt?.index === instruction.index && mind.prompt.text === instruction.text)) return
  const cwd = mind.cwd ?? workingDirectory(facts.layout)
  if (cwd === undefined) return
  const finding = failOpen(world.log, 'find memories', undefined, () => find(world, mind, cwd, instruction.text))
  const context = await withTimeout(finding, TIMEOUT_MS, 'late')
  if (context === 'late') late(async () => deliver(mind, await finding))
  else if (context && first) Object.assign(mind, { system: context.text, systemWhy: context.why })
  else deliver(mind, context)
}

/** A session begins, and a hook tells of it: what is under way on its branch goes with the hook's answer. */
export async function addMemoriesAtStart(world: World, mind: Mind): Promise<void> {
  const { sessionId, projectId, cwd } = mind
  if (cwd === undefined || projectId === undefined) return
  const finding = () => contextAtStart(world.memory, { sessionId, projectId, cwd })
  deliver(mind, await failOpen(world.log, 'find memories', undefined, finding))
}

/** The same for a prompt that a hook tells of: what is found goes with the hook's answer. */
export async function addMemoriesToPrompt(world: World, mind: Mind, instruction: string): Promise<void> {
  const { cwd } = mind
  if (cwd === undefined) return
  deliver(mind, await failOpen(world.log, 'find memories', undefined, () => find(world, mind, cwd, instruction)))
}

/** Looks up beforehand what the next prompt of this session will ask for; a daemon has the time. */
export async function expectPrompt({ memory }: World, { sessionId, projectId }: Mind): Promise<void> {
  if (!memory.readAhead || projectId === undefined || memory.settings.perSession === 0) return
  await memory.readAhead(projectId)
  await memory.store.memoryUses.ofSession(sessionId)
  const used = await memory.store.memoryUses.ofProject(projectId)
  // What fitted once fits again, sooner than anything else.
  await memory.store.memories.byIds([...used.keys()].slice(0, MOST_EXPECTED))
}

const MOST_EXPECTED = 50

type Context = Awaited<ReturnType<typeof contextFor>>

/** A prompt is answered once, through whichever door it comes first: proxy and hooks tell of the same. */
async function find(world: World, mind: Mind, cwd: string, instruction: string): Promise<Context> {
  const about = instruction.trim().slice(0, 500)
  if (mind.remindedOf === about) return undefined
  mind.remindedOf = about
  const { id: projectId, root } =
    mind.projectId === undefined ? await world.projectAt(cwd) : { id: mind.projectId, root: mind.root }
  const named = inProject({ cwd, ...(root && { root }) })
  const inWork = beginsWork(mind, instruction) ? [] : mind.onGoalFiles
  const files = [...pathsIn(instruction), ...inWork].map(named)
  return contextFor(world.memory, { sessionId: mind.sessionId, projectId, cwd, instruction, files })
}

function deliver(mind: Mind, context: Context) {
  if (!context) return
  const key = `memory:${context.memoryIds.join()}`
  mind.pending = [...mind.pending, { key, kind: 'context', text: context.text, why: context.why }]
}

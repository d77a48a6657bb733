import type { GuardedProject } from '#core/ports/guard.ts'
import { SLOTS } from '../../state-slots.ts'
import type { ViolatedFile } from '../after-tool/violations.ts'
import type { Target } from '../before-tool/targets.ts'
import type { Agent } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'

/**
 * Calls that wait for a person. A client whose hook is ended goes on as if there were none, so what a call would write is
 * kept before the wait: a call that runs while it still waits has to be put back.
 */
export interface Waiting extends Agent {
  root: string
  files: ViolatedFile[]
}

const MOST_FILES = 100

/** Copies the files that the call would write; from here until `waitIsOver` it must not run. */
export async function noteWaiting(
  world: GuardWorld,
  project: GuardedProject,
  { sessionId, agentId, toolUseId }: Agent & { toolUseId?: string },
  targets: readonly Target[],
): Promise<void> {
  if (toolUseId === undefined) return
  const inside = targets.filter(({ extent, relative }) => extent === 'file' && relative).slice(0, MOST_FILES)
  const copies = world.tree.keep(
    project.root,
    inside.map(({ relative }) => relative!),
    `${toolUseId}-waiting`,
  )
  const files = await Promise.all(
    inside.map(async ({ absolute, relative }): Promise<ViolatedFile> => {
      const copy = copies[relative!]
      const before = (await world.files.read(absolute))?.hash ?? null
      return { path: relative!, absolute, before, ...(copy && { copy }), first: true }
    }),
  )
  const waiting = { sessionId, ...(agentId && { agentId }), root: project.root, files }
  await world.states.put(SLOTS.guardWaiting, toolUseId, waiting, world.clock.now())
}

/** A person has decided. */
export async function waitIsOver(world: GuardWorld, toolUseId: string | undefined): Promise<void> {
  // A call that ran all the same has left; its copies are the way back.
  if (toolUseId === undefined || !(await world.states.get(SLOTS.guardWaiting, toolUseId))) return
  await world.states.remove(SLOTS.guardWaiting, toolUseId)
  await world.tree.drop(`${toolUseId}-waiting`)
}

/** What a call has changed that ran although it was still waiting; undefined when it was not. */
export async function ranUndecided(
  world: GuardWorld,
  toolUseId: string | undefined,
): Promise<ViolatedFile[] | undefined> {
  const waiting = toolUseId === undefined ? undefined : await world.states.get(SLOTS.guardWaiting, toolUseId)
  if (!waiting) return undefined
  await world.states.remove(SLOTS.guardWaiting, toolUseId!)
  const changed = await Promise.all(
    waiting.files.map(async (file) => {
      const now = (await world.files.read(file.absolute))?.hash ?? null
      return now === file.before ? [] : [file]
    }),
  )
  return changed.flat()
}

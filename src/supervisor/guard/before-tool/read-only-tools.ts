import type { GuardedProject } from '#core/ports/guard.ts'
import { failOpen } from '../../fail-open.ts'
import { SLOTS } from '../../state-slots.ts'
import type { GuardWorld } from '../world.ts'

/** What other servers declare about their tools. The client does not tell its hooks, so the servers are asked. */

const KNOWN_MS = 24 * 3600_000
const TRY_AGAIN_MS = 10 * 60_000

export interface Declared {
  /** Absent when the server did not answer. */
  reading?: string[]
  at: number
}

/**
 * Whether a tool of another server declares that it only reads. The server is started once for this question, as the
 * client has started it for the agent; but never by a configuration that was changed after the session began, because
 * then an agent could have Grove start whatever it likes.
 */
export async function declaresReadOnly(
  world: GuardWorld,
  project: GuardedProject,
  tool: string,
  sessionSince: number,
): Promise<boolean> {
  const server = world.servers.ofTool(project, tool)
  if (!server) return false
  const { states, clock, files, log } = world
  const { changedAt = 0, ...identity } = server
  const key = files.digest(JSON.stringify([project.root, identity]))
  const known = await states.get(SLOTS.guardDeclared, key)
  const holds = known && clock.now() - known.at < (known.reading ? KNOWN_MS : TRY_AGAIN_MS)
  if (holds) return known.reading?.includes(tool) === true
  if (changedAt >= sessionSince) return false
  const reading = await failOpen(log, 'ask a server about its tools', undefined, () =>
    world.servers.reading(project, server),
  )
  await states.put(SLOTS.guardDeclared, key, { ...(reading && { reading }), at: clock.now() }, clock.now())
  return reading?.includes(tool) === true
}

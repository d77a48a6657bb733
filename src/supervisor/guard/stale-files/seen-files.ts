import { gistOf, isStale, type SeenFile } from '#core/intent/staleness.ts'
import type { FileContent } from '#core/ports/guard.ts'
import { SLOTS } from '../../state-slots.ts'
import { type Agent, agentKey } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'

/** What each agent has last seen of each file, and who wrote it last. */

const MOST_FILES = 2000

type Needs = Pick<GuardWorld, 'states' | 'clock' | 'files'>

export interface Wrote extends Agent {
  hash: string
  at: number
}

/** Grove itself, as the writer of a file. */
export const GROVE: Agent = { sessionId: 'grove' }

/** The content without what formatters change, as a digest. */
function gist({ files }: Needs, { hash, text }: FileContent): string {
  return text === undefined ? hash : files.digest(gistOf(text))
}

/** Notes what an agent has read, or knows because it wrote it; null: it is gone. */
export async function noteSeen(
  world: Needs,
  agent: Agent,
  files: readonly { path: string; content: FileContent | null; own: boolean }[],
): Promise<void> {
  if (files.length === 0) return
  const at = world.clock.now()
  await world.states.update(SLOTS.guardSeen, agentKey(agent), at, (before = {}) => {
    const seen = new Map<string, SeenFile>(Object.entries(before))
    for (const { path, content, own } of files) {
      seen.delete(path)
      if (content) seen.set(path, { hash: content.hash, ...(own && { gist: gist(world, content) }), at })
    }
    return Object.fromEntries([...seen].slice(-MOST_FILES))
  })
}

/** The files that another writer has changed since this agent saw them. */
export async function staleFiles(world: Needs, agent: Agent, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const seen = (await world.states.get(SLOTS.guardSeen, agentKey(agent))) ?? {}
  const known = paths.filter((path) => Object.hasOwn(seen, path))
  const stale = await Promise.all(
    known.map(async (path) => {
      const content = await world.files.read(path)
      const now = content && { hash: content.hash, gist: gist(world, content) }
      return isStale(seen[path], now) ? [path] : []
    }),
  )
  return stale.flat()
}

/** Notes who wrote a file last, so that one agent's work is not taken for another's. */
export async function noteWrote(world: Needs, agent: Agent, path: string, hash: string): Promise<void> {
  const at = world.clock.now()
  await world.states.put(SLOTS.guardWrote, path, { ...agent, hash, at }, at)
}

/** Whether it is known already who wrote what lies there now: another agent, or this one with a later call. */
export async function isAccountedFor(
  world: Needs,
  agent: Agent,
  path: string,
  hash: string | null,
  since: number,
): Promise<boolean> {
  const wrote = await world.states.get(SLOTS.guardWrote, path)
  if (wrote?.hash !== (hash ?? '')) return false
  return agentKey(wrote) !== agentKey(agent) || wrote.at >= since
}

/** A session or subagent is over. */
export async function forgetSeen({ states }: Needs, agent: Agent): Promise<void> {
  await states.remove(SLOTS.guardSeen, agentKey(agent))
}

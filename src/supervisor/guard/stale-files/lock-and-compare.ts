import { busyFile, type Denial, staleFile } from '#core/intent/denial.ts'
import type { Call } from '../before-tool/call.ts'
import type { Target } from '../before-tool/targets.ts'
import { type Agent, agentKey } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'
import { staleFiles } from './seen-files.ts'
import { giveLease, takeLease } from './write-leases.ts'

const LEASE_MS = 30_000

const LEASE_WAIT_MS = 6000

const MOST_LEASES = 40

/** Files that are really written one by one; for folders and whole trees there is nothing to compare. */
export function lockable(targets: readonly Target[]): string[] {
  const files = targets.filter(({ extent, replaces, outside }) => extent === 'file' && replaces && !outside)
  return [...new Set(files.map(({ absolute }) => absolute))].slice(0, MOST_LEASES).sort()
}

/** Two agents that both have read a file must not both pass the gate before either has written. */
export async function lockAndCompare(
  world: GuardWorld,
  call: Call,
  targets: readonly Target[],
): Promise<Denial | undefined> {
  const paths = lockable(targets)
  // Calls of one agent do not shut each other out: its client runs writes to one file in order.
  const holder = agentKey(call)
  for (const path of paths) {
    const other = await takeLease(world, path, holder, { forMs: LEASE_MS, waitMs: LEASE_WAIT_MS })
    if (other === undefined) continue
    await unlock(world, call, targets)
    return busyFile(shownOf(path, targets))
  }
  const stale = await staleFiles(world, call, paths)
  if (stale.length === 0) return undefined
  await unlock(world, call, targets)
  return staleFile(stale.map((path) => shownOf(path, targets)))
}

export function shownOf(path: string, targets: readonly Target[]): string {
  return targets.find(({ absolute }) => absolute === path)?.shown ?? path
}

async function unlock(world: GuardWorld, call: Agent, targets: readonly Target[]): Promise<void> {
  await releasePaths(world, call, lockable(targets))
}

/** Releases the leases on the files. */
export async function releasePaths(world: GuardWorld, agent: Agent, paths: readonly string[]): Promise<void> {
  for (const path of paths) await giveLease(world, path, agentKey(agent))
}

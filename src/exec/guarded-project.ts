import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isOwnPlace } from '#config/paths.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { gitPlace } from './git/head.ts'
import { ignoresCase } from './paths.ts'

const NAME = '.orchestration'

/**
 * The guarded project that a folder lies in: the nearest one upwards. A worktree without the folder, below the main
 * checkout or elsewhere, uses that of its main checkout, with paths counted from its own top.
 */
export function guardedProjectAt(folder: string, place = gitPlace(folder)): GuardedProject | undefined {
  const found = nearest(resolve(folder))
  const isWorktree = place !== undefined && place.common !== place.dir && basename(place.common) === '.git'
  if (found && !(isWorktree && place.top.startsWith(`${found.root}${sep}`))) return found
  if (!isWorktree) return undefined
  const shared = found?.orchestration ?? join(dirname(place.common), NAME)
  return isFolder(shared) ? { root: place.top, orchestration: shared } : undefined
}

/** The project whose changes are recorded: a guarded one, else any repository, with its ledger in Grove's home. */
export function tracedProjectAt(folder: string, home: string): GuardedProject | undefined {
  const place = gitPlace(folder)
  const guarded = guardedProjectAt(folder, place)
  if (guarded) return guarded
  const orchestration = homeLedgerAt(folder, home, place)
  return place && orchestration ? { root: place.top, orchestration, undeclared: true } : undefined
}

/** Where Grove's home keeps the ledger of a repository that has none of its own; its worktrees write one. */
export function homeLedgerAt(folder: string, home: string, place = gitPlace(folder)): string | undefined {
  if (!place || place.top === home) return undefined
  const name = createHash('sha256').update(place.common).digest('hex').slice(0, 20)
  return join(home, 'trace', name)
}

function nearest(folder: string): GuardedProject | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const rules = join(root, NAME)
    if (isFolder(rules) && isOwnPlace(rules)) return { root, orchestration: rules }
    if (dirname(root) === root) return undefined
  }
}

/** Whether a path is a folder now. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A file on the way, a loop of links, or no permission: not a folder that we could use.
    return false
  }
}

const cases = new Map<string, boolean>()

/** Whether the project's disk takes `A` and `a` for the same name; asked once per project. */
export function ignoresCaseAt(root: string): boolean {
  const known = cases.get(root) ?? ignoresCase(root)
  cases.set(root, known)
  return known
}

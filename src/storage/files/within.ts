import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/**
 * Makes sure that a file of ours is what it seems: a plain file, or none yet, whose folder lies in the project. A clone can
 * bring links and pipes under any name; what is written through them ends up elsewhere, and reading them may never end.
 */
export function assertWithin(path: string, root: string): void {
  const found = entryAt(path)
  const target = found?.isSymbolicLink() ? realOf(path) : undefined
  const kind = target === undefined ? found : entryAt(target)
  if (kind && !kind.isFile()) throw new Error(`${path} is not a plain file, so Grove leaves it alone`)
  if (found?.isSymbolicLink() && target === undefined)
    throw new Error(`${path} is a link into nowhere, so Grove leaves it alone`)
  const folder = dirname(target ?? join(realOf(dirname(path)) ?? nearestReal(dirname(path)), 'x'))
  const home = realOf(root) ?? resolve(root)
  if (folder !== home && !folder.startsWith(home + sep)) {
    throw new Error(`${path} leads out of the project, so Grove leaves it alone`)
  }
}

/** Nothing lies below a file, either. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // It is not there yet, or leads nowhere.
    return undefined
  }
}

/** A folder that is still to be made lies where the nearest one lies that is there. */
function nearestReal(path: string): string {
  for (let place = path, rest = ''; ; rest = join(place.slice(dirname(place).length), rest), place = dirname(place)) {
    const real = realOf(place)
    if (real !== undefined) return join(real, rest)
    if (dirname(place) === place) return path
  }
}

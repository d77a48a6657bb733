import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those it lies in, for their owner only. Not with Node's own `recursive`: where nothing can be
 * created, as in /proc, that never returns, and a hook must not hang.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const anotherWasFaster = code === 'EEXIST' && isFolder(path)
    if (anotherWasFaster) return
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error
    makeFolder(dirname(path))
    makeFolder(path)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

import { withoutKeys } from './redact.ts'

/**
 * Names of folders and files that hold a key of known shape. Only such keys: a folder may well be called something random, and
 * Grove must find it again.
 */

/** The folder, or the nearest above it that has no key in its path. Grove works there, as if the agent did. */
export function keylessFolder(path: string): string {
  let end = path.length
  while (end > 0 && withoutKeys(path.slice(0, end)) !== path.slice(0, end))
    end = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))
  return path.slice(0, Math.max(end, 0)) || (end === path.length ? path : '/')
}

/** A file's path as it may be written down. */
export function keylessPath(path: string): string {
  return withoutKeys(path)
}

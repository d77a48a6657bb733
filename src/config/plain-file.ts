import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { dirname, sep } from 'node:path'
import { tilde } from './paths.ts'
import { Trouble } from './trouble.ts'

/**
 * The one way to a file that came with a repository, or that an agent may have put there. What lies in its place can be a
 * link that leads out, a pipe that never opens, a device, a folder or far too much: all of them end in a plain message, at
 * once, and nothing outside is read or written.
 */

interface Limits {
  /** More bytes than this are not read. */
  most?: number
  /** The real path must lie in this folder. */
  inside?: string
}

const MOST_BYTES = 8 * 1024 * 1024
// Opening a pipe would wait for whoever holds its other end. Windows knows neither of the two.
const NO_WAIT = constants.O_NONBLOCK ?? 0
const NO_LINK = constants.O_NOFOLLOW ?? 0

/** Its bytes. Throws what the system says when there is none, and a `Trouble` for what is no plain file. */
export function readPlain(path: string, { most = MOST_BYTES, inside }: Limits = {}): Buffer {
  if (inside !== undefined) checkInside(path, inside)
  const file = openToRead(path)
  try {
    const stat = fstatSync(file)
    if (stat.size > most) throw notUsed(path, `it is larger than ${Math.round(most / 1024 / 1024) || 1} MB`)
    const bytes = Buffer.alloc(stat.size)
    let at = 0
    for (let read = -1; at < bytes.length && read !== 0; at += read)
      read = readSync(file, bytes, at, bytes.length - at, at)
    return bytes.subarray(0, at)
  } finally {
    closeSync(file)
  }
}

/** Opens a file to read it piece by piece. Throws as `readPlain` does. */
export function openToRead(path: string): number {
  const file = openSync(path, constants.O_RDONLY | NO_WAIT)
  try {
    checkPlain(path, fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Its text; undefined when it is not there, cannot be read or is no plain file of that size. */
export function plainText(path: string, limits?: Limits): string | undefined {
  try {
    return readPlain(path, limits).toString('utf8')
  } catch {
    // To a caller that only looks, all of these are the same: there is nothing to read.
    return undefined
  }
}

/** Opens a file to add to it, made when it is not there. Never through a link, and never somebody else's. */
export function openToAppend(path: string, mode = 0o644): number {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | NO_WAIT | NO_LINK
  let file: number
  try {
    file = openSync(path, flags, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw notUsed(path, 'it is a link, and what a link leads to is not written')
    if (code === 'ENXIO' || code === 'EISDIR') throw notUsed(path, 'it is no plain file')
    throw error
  }
  try {
    const { uid } = checkPlain(path, fstatSync(file))
    const own = process.getuid?.()
    if (own !== undefined && own !== 0 && uid !== own) throw notUsed(path, 'it belongs to another user')
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Where a file that people may have linked really lies, if that is in the folder it is linked from. */
export function realPlace(path: string): string {
  try {
    return checkInside(path, dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path
    throw error
  }
}

function checkInside(path: string, folder: string): string {
  const [real, root] = [realpathSync(path), realpathSync(folder)]
  if (!real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
    throw notUsed(path, `it leads out of ${tilde(folder)}`)
  return real
}

function checkPlain(path: string, stat: Stats): Stats {
  if (!stat.isFile()) throw notUsed(path, stat.isDirectory() ? 'it is a folder' : 'it is no plain file')
  return stat
}

function notUsed(path: string, why: string): Trouble {
  return new Trouble(`Grove does not use ${tilde(path)}: ${why}.`, 'Put a plain file in its place, or remove it.')
}

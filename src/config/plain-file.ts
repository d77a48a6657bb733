import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { tilde } from './paths.ts'
import { Trouble } from './trouble.ts'

/**
 * The only way to open a file that came with a repository, or that an agent may have put there. In its place can lie a
 * link that leads out, a pipe that never opens, a device, a folder or a huge file: each ends at once in a plain
 * message, and nothing outside is read or written.
 */

interface Limits {
  /** More bytes than this are not read. */
  most?: number
  /** The real path must lie in this folder. */
  inside?: string
  /** A link is not followed, wherever it leads. */
  noLink?: true
}

const MOST_BYTES = 8 * 1024 * 1024
// Opening a named pipe blocks until its other end is opened. Windows knows neither flag.
const NO_WAIT = constants.O_NONBLOCK ?? 0
const NO_LINK = constants.O_NOFOLLOW ?? 0

/** Its bytes. Throws what the system says when there is none, and a `Trouble` for what is no plain file. */
export function readPlain(path: string, { most = MOST_BYTES, inside, noLink }: Limits = {}): Buffer {
  if (inside !== undefined) checkInside(path, inside)
  const file = openToRead(path, noLink)
  try {
    const stat = fstatSync(file)
    if (stat.size > most) throw notUsed(path, `it is larger than ${Math.round(most / 1024 / 1024) || 1} MB`)
    return bytesAt(file, 0, stat.size)
  } finally {
    closeSync(file)
  }
}

/** Its bytes from one place to another, or to its end; throws as `readPlain` does. */
export function readPiece(path: string, from: number, to: number): Buffer {
  const file = openToRead(path)
  try {
    const end = Math.min(to, fstatSync(file).size)
    return bytesAt(file, from, Math.max(0, end - from))
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let at = 0
  for (let read = -1; at < length && read !== 0; at += read) read = readSync(file, bytes, at, length - at, from + at)
  return bytes.subarray(0, at)
}

/** Opens a file to read it piece by piece. Throws as `readPlain` does. */
export function openToRead(path: string, noLink?: true): number {
  const file = openSync(path, constants.O_RDONLY | NO_WAIT | (noLink ? NO_LINK : 0))
  try {
    checkPlain(path, fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The same in the background, for what may be much. The caller closes it. */
export async function openToReadLater(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | NO_WAIT)
  try {
    checkPlain(path, await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Copies a plain file to a place where nothing is yet; throws as `readPlain` does, and when something is there. */
export function copyPlain(from: string, to: string, limits?: Limits): void {
  const { mode } = lstatSync(from)
  writeFileSync(to, readPlain(from, limits), { flag: 'wx', mode: mode & 0o777 })
}

/** Its text; undefined when it is not there, cannot be read or is no plain file of that size. */
export function plainText(path: string, limits?: Limits): string | undefined {
  try {
    return readPlain(path, limits).toString('utf8')
  } catch {
    // A caller that only looks treats all of these alike: there is nothing to read.
    return undefined
  }
}

/**
 * Opens a file for appending, creating it if missing. Never through a link, soft or hard, and never a file that another user
 * owns. Its folder must really lie `inside`, if that is given, also when it is exchanged for a link at this very moment.
 */
export function openToAppend(path: string, { inside }: Pick<Limits, 'inside'> = {}): number {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | NO_WAIT | NO_LINK
  const folder = inside === undefined ? undefined : holdFolder(dirname(path), inside)
  let file: number
  try {
    file = openSync(folder ? join(folder.path, basename(path)) : path, flags, 0o644)
  } catch (error) {
    Object.assign(error as Error, { path })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw notUsed(path, 'it is a link, and Grove does not write through links')
    if (code === 'ENXIO' || code === 'EISDIR') throw notUsed(path, 'it is not a plain file')
    throw error
  } finally {
    if (folder?.handle !== undefined) closeSync(folder.handle)
  }
  try {
    const { uid, nlink } = checkPlain(path, fstatSync(file))
    const own = process.getuid?.()
    if (own !== undefined && own !== 0 && uid !== own) throw notUsed(path, 'it belongs to another user')
    if (nlink > 1) throw notUsed(path, 'the same file has another name elsewhere (a hard link)')
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** A folder by its handle, which stays the same whatever is put in its place; only Linux has a path for that. */
function holdFolder(folder: string, inside: string): { path: string; handle?: number } {
  if (process.platform !== 'linux') return { path: checkInside(folder, inside) }
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const path = `/proc/self/fd/${handle}`
    checkInside(path, inside, folder)
    return { path, handle }
  } catch (error) {
    closeSync(handle)
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

function checkInside(path: string, folder: string, shown = path): string {
  const [real, root] = [realpathSync(path), realpathSync(folder)]
  if (!real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
    throw notUsed(shown, `it leads out of ${tilde(folder)}`)
  return real
}

function checkPlain(path: string, stat: Stats): Stats {
  if (!stat.isFile()) throw notUsed(path, stat.isDirectory() ? 'it is a folder' : 'it is not a plain file')
  return stat
}

function notUsed(path: string, why: string): Trouble {
  return new Trouble(`Grove does not use ${tilde(path)}: ${why}.`, 'Put a plain file in its place, or remove it.')
}

/**
 * Throws unless a file of Grove's is a plain one, or absent, in a folder of the project. A clone can bring links and
 * pipes under any name: writing through them ends up elsewhere, and reading them may never end.
 */
export function assertWithin(path: string, root: string): void {
  const found = entryAt(path)
  const target = found?.isSymbolicLink() ? realOf(path) : undefined
  const kind = target === undefined ? found : entryAt(target)
  if (kind && !kind.isFile()) throw notUsed(path, 'it is not a plain file')
  if (found?.isSymbolicLink() && target === undefined) throw notUsed(path, 'it is a broken link')
  const folder = dirname(target ?? join(realOf(dirname(path)) ?? nearestReal(dirname(path)), 'x'))
  const home = realOf(root) ?? resolve(root)
  if (folder !== home && !folder.startsWith(home + sep)) throw notUsed(path, 'it leads out of the project')
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

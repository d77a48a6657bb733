import {
  accessSync,
  chmodSync,
  constants,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '#config/make-folder.ts'
import { tilde } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'

/** Makes sure that the home folder is there and can be written to; only its owner may look inside. */
export function ensureHome(home: string): void {
  try {
    makeFolder(home)
    accessSync(home, constants.W_OK | constants.X_OK)
    keepPrivate(home)
  } catch (error) {
    if (error instanceof Trouble) throw error
    const { code } = error as NodeJS.ErrnoException
    const wayOut = `Choose a folder you can write to: GROVE_HOME=/path/to/folder grove …`
    throw new Trouble(`Grove cannot write to its home folder ${tilde(home)}: ${reasonOf(code)}.`, wayOut, {
      cause: error,
    })
  }
}

/**
 * Closes a home that was made open, as by a `mkdir` of the user's. A folder at the root, or one that holds the user's own home, is
 * refused when it holds other things: closing it would lock others out of them.
 */
function keepPrivate(home: string): void {
  if (process.platform === 'win32') return
  const { mode, uid } = statSync(home)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  if (isOfOthersToo(home) && !isOwn(readdirSync(home)))
    throw new Trouble(
      `${tilde(home)} is no home for Grove: it holds other things, and others may look into it.`,
      'Give Grove a folder of its own: GROVE_HOME=/path/to/folder grove …',
    )
  try {
    chmodSync(home, 0o700)
  } catch {
    // On a disk that takes no writes it stays as it is.
  }
}

/** `/`, `/tmp`, `/home`; the user's own home is the user's to close. */
function isOfOthersToo(home: string): boolean {
  const [real, own] = [realpathSync(home), homedir()]
  return real !== own && (dirname(real) === '/' || own.startsWith(`${real}/`))
}

/** Empty, or with something that only Grove puts there. */
function isOwn(names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => OWN.has(name) || name.startsWith('.writable-'))
}

const OWN = new Set(['grove.db', 'config.toml', 'token', 'attached', 'personal-learnings.md'])

/** Writes a little: on a full disk a file can still be made, but nothing put into it. */
export function tryToWrite(home: string): void {
  const file = join(home, `.writable-${process.pid}`)
  try {
    writeFileSync(file, SOMETHING, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Half a file takes space that others need.
    rmSync(file, { force: true })
    const wayOut = 'Free some space, or choose another folder: GROVE_HOME=/path/to/folder grove …'
    throw new Trouble(`Grove cannot write to its home folder ${tilde(home)}: ${reasonOf(code)}.`, wayOut, {
      cause: error,
    })
  }
  unlinkSync(file)
}

/** Made once: every session begins with this. */
const SOMETHING = Buffer.alloc(64 * 1024, 'x')

/** A path where no folder can ever be is a wrong setting; waiting does not put it right. */
const NEVER_A_FOLDER: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
])

/** Why nothing can be written to the home now, as on a full or read-only disk; throws where it never can. */
export function noRoomIn(home: string): Trouble | undefined {
  try {
    ensureHome(home)
    tryToWrite(home)
    return undefined
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    if (error instanceof Trouble && cause && !NEVER_A_FOLDER.has(cause.code)) return error
    throw error
  }
}

/** Makes sure that the home is a folder, if there is one: looking creates nothing. */
export function checkHome(home: string): void {
  try {
    if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== false) return
  } catch {
    // A part of its path is a file; making the folder says so in words.
  }
  ensureHome(home)
}

/** An error of the file system in words. */
export function reasonOf(code: string | undefined): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'there is a file in its place'
  if (code === 'EACCES' || code === 'EPERM') return 'no write permission'
  if (code === 'EISDIR') return 'there is a folder in place of one of its files'
  if (code === 'ENOENT') return 'no folder can be made there'
  if (code === 'EROFS') return 'the disk is read-only'
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EDQUOT') return 'your disk quota is used up'
  if (code === 'EFBIG') return 'files may not become that large (ulimit -f)'
  if (code === 'EIO') return 'the disk failed'
  if (code === 'ELOOP') return 'a link leads back to itself'
  return code ?? 'unknown error'
}

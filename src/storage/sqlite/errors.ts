import { dirname } from 'node:path'
import { StorageError } from '../storage-error.ts'

/** SQLite's primary result codes: the low byte of what a driver reports in `errcode`. */
const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const PROTOCOL = 15
const NOTADB = 26

/** `@photostructure/sqlite` leaves the code out of some errors; SQLite's own texts are then all there is to go by. */
const TEXTS: [text: string, code: number][] = [
  ['database is locked', BUSY],
  ['locking protocol', PROTOCOL],
  ['database disk image is malformed', CORRUPT],
  ['malformed database schema', CORRUPT],
  ['file is not a database', NOTADB],
  ['database or disk is full', FULL],
  ['attempt to write a readonly database', READONLY],
  ['unable to open database file', CANTOPEN],
  ['disk I/O error', IOERR],
]

/** The shared-memory file could not grow: how a full disk shows itself to a reader. */
const IOERR_SHMSIZE = 4874

/** Another process is in the way for a moment; the same call will work a little later. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === BUSY || code === PROTOCOL
}

/** The file's content is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error)
  return code === CORRUPT || code === NOTADB
}

/** SQLite says "logic error" when told to end a transaction that it has already ended by itself. */
export function isAlreadyRolledBack(error: unknown): boolean {
  return primaryCode(error) === 1
}

/** Turns what SQLite or the file system says into a sentence with a way out; what is our own mistake stays as it is. */
export function explainSqlite(error: unknown, file: string): unknown {
  if (error instanceof StorageError) return error
  const cause = { cause: error }
  const folder = dirname(file)

  switch (troubleOf(error)) {
    case 'busy':
      return new StorageError(
        'busy',
        `Another process kept ${file} locked.`,
        'Look for a stuck grove process (grove doctor names it), end it, and try again.',
        cause,
      )
    case 'full':
      return new StorageError('full', `The disk that holds ${folder} is full.`, 'Free some space and try again.', cause)
    case 'not-writable':
      return new StorageError(
        'not-writable',
        `Grove cannot write to ${file}.`,
        `Make ${folder} a folder you may write to, or set GROVE_HOME to another one.`,
        cause,
      )
    case 'damaged':
      return new StorageError(
        'damaged',
        `The database ${file} is damaged.`,
        'Grove sets it aside the next time it is used. If this happens again, stop Grove, move the file away and start it again.',
        cause,
      )
    case 'broken-disk':
      return new StorageError(
        'broken-disk',
        `The disk failed while reading or writing ${file}.`,
        'Check the disk, or set GROVE_HOME to a folder on another one.',
        cause,
      )
    default:
      return error
  }
}

function troubleOf(error: unknown) {
  if (extendedCode(error) === IOERR_SHMSIZE) return 'full'
  switch (primaryCode(error)) {
    case BUSY:
    case PROTOCOL:
      return 'busy'
    case FULL:
      return 'full'
    case READONLY:
    case CANTOPEN:
      return 'not-writable'
    case CORRUPT:
    case NOTADB:
      return 'damaged'
    case IOERR:
      return 'broken-disk'
  }
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOENT':
      return 'not-writable'
    case 'EIO':
      return 'broken-disk'
  }
  return undefined
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode
  return TEXTS.find(([text]) => error.message.includes(text))?.[1]
}

function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

import { existsSync, renameSync, statSync } from 'node:fs'
import { loadSqlite, type SqliteLibrary } from './driver.ts'
import { isDamage } from './errors.ts'
import type { SqliteFileOptions } from './file.ts'
import { noteUnread } from './recover-damaged.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Moves a damaged database out of the way, so that the next open starts a fresh one. Several processes may notice
 * the damage at once: they come here one after the other, and a process that finds the file sound or gone leaves it alone.
 */
export async function setAsideIfDamaged({ file, log, now }: SqliteFileOptions): Promise<void> {
  const library = await loadSqlite()
  // An SQLite lock ends with its process, even a killed one. The lock file stays: were it removed, two processes
  // could hold "the" lock on two files of that name.
  const lock = new library.DatabaseSync(`${file}.repair-lock`)
  try {
    await whileBusy(() => lock.exec('BEGIN EXCLUSIVE'))
    if (!existsSync(file) || (!isEmptied(file) && (await isSound(library, file)))) return

    const aside = freeName(`${file}.damaged-${stamp(now())}`)
    noteUnread(aside)
    // The database last: as long as it lies there, no process starts a fresh one whose own log we would then take away.
    for (const part of ['-wal', '-shm', '']) {
      if (existsSync(file + part)) renameSync(file + part, aside + part)
    }
    log.warn(
      { file, aside },
      `The database was damaged. It was set aside as ${aside} and Grove started a new one. ` +
        'What can still be read is taken over.',
    )
  } finally {
    lock.close()
  }
}

/**
 * Whether a database was cut to nothing behind the back of those who have it open: it is empty and has a log. SQLite calls it
 * locked for as long as one of them has it, and its log could never be put into it.
 */
export function isEmptied(file: string): boolean {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
  return size(file) === 0 && (size(`${file}-wal`) ?? 0) > 0
}

/** Looking through more than this would make a start slow; damage in it shows itself at the query that meets it. */
const QUICKLY_READ = 64 * 1024 * 1024

/** Looks through the whole file at the start of a process that goes on for long, before anything is lost to damage. */
export async function setAsideAtStart(options: SqliteFileOptions): Promise<void> {
  const stat = statSync(options.file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size === 0 || stat.size > QUICKLY_READ) return
  if (!(await isSound(await loadSqlite(), options.file))) await setAsideIfDamaged(options)
}

async function isSound({ DatabaseSync }: SqliteLibrary, file: string): Promise<boolean> {
  const database = new DatabaseSync(file)
  try {
    const [finding] = await whileBusy(() => database.prepare('PRAGMA integrity_check(1)').all())
    return JSON.stringify(finding) === JSON.stringify({ integrity_check: 'ok' })
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    database.close()
  }
}

function stamp(now: number): string {
  return new Date(now).toISOString().replace(/[-:.]/g, '')
}

function freeName(wanted: string): string {
  let name = wanted
  for (let count = 2; existsSync(name); count++) name = `${wanted}-${count}`
  return name
}

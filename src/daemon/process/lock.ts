import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { Trouble } from '#config/trouble.ts'
import { birthInProc, ownView } from '#exec/process/table.ts'

/** What the holder of a lock says about itself. */
export interface Holder {
  pid: number
  host: string
  /** Tells a process from a later one that got the same number; known on Linux only. */
  bornAt?: string
  /** Which processes it sees; known on Linux only. */
  view?: string
  version: string
  /** Absent: a Grove that did not note it yet. */
  startedBy?: StartedBy
  startedAt: number
  /** Where it listens, once it does. */
  url?: string
}

/** A person in a terminal, `grove claude` or a hook on behalf of Claude Code, or the service manager of the system. */
export type StartedBy = 'person' | 'claude' | 'service'

export interface Lock {
  /** Tells other processes where this one listens. */
  announce(url: string): void
  release(): void
}

const HEARTBEAT = 15_000
const SILENT_AFTER = 60_000

/** Takes the lock, or says who has it. A lock whose holder is gone is taken over. */
export function acquireLock(
  file: string,
  { serves, version, startedBy }: { serves: string; version: string; startedBy?: StartedBy },
): Lock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let me: Holder = {
    pid: process.pid,
    host: hostname(),
    ...born(process.pid),
    ...viewed(),
    version,
    ...(startedBy && { startedBy }),
    startedAt: Date.now(),
  }
  if (!place(file, me)) takeOver(file, me, serves)
  // Only for homes shared between machines or containers, where a process number says nothing.
  const heartbeat = setInterval(() => touch(file, me), HEARTBEAT).unref()
  return {
    announce(url) {
      me = { ...me, url }
      replace(file, me)
    },
    release() {
      clearInterval(heartbeat)
      if (isMine(readHolder(file), me)) rmSync(file, { force: true })
    },
  }
}

/** Who holds a lock and is alive. */
export function holderOf(file: string): Holder | undefined {
  const holder = readHolder(file)
  return holder && isAlive(holder, file) ? holder : undefined
}

/** Whether this process sees other processes than the holder of a lock that was alive a moment ago. */
export function seesOthersThan(file: string): boolean {
  const view = readHolder(file)?.view
  return view !== undefined && view !== ownView() && age(file) < SILENT_AFTER
}

/** A hard link appears at once and complete, so half a lock is never read. */
function place(file: string, me: Holder): boolean {
  const draft = write(file, me)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (!exists(error)) throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

function exists(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}

/** One process at a time may clear away a stale lock, so that two starting at once do not both win. */
function takeOver(file: string, me: Holder, serves: string): void {
  const turn = `${file}.turn`
  try {
    mkdirSync(turn)
  } catch (error) {
    if (!exists(error)) throw error
    // Another process is clearing the stale lock right now and will hold it in a moment, or died while doing so.
    if (age(turn) > SILENT_AFTER) rmSync(turn, { recursive: true, force: true })
    throw alreadyRunning(serves, readHolder(file), file)
  }
  try {
    const holder = readHolder(file)
    if (holder && isAlive(holder, file)) throw alreadyRunning(serves, holder, file)
    rmSync(file, { force: true })
    if (!place(file, me)) throw alreadyRunning(serves, readHolder(file), file)
  } finally {
    rmdirSync(turn)
  }
}

function alreadyRunning(serves: string, holder: Holder | undefined, file: string): Trouble {
  const who = holder ? ` (pid ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`})` : ''
  const at = holder?.url ? ` at ${holder.url}` : ''
  const stop =
    holder && holder.host === hostname() ? `Stop it with \`grove stop\` (pid ${holder.pid})` : `Stop it there`
  return new Trouble(
    `grove is already running${who}: it serves the ${serves} of this home${at}.`,
    `Use that one (\`grove status\` shows it). ${stop}, or give this one another home: GROVE_HOME=… grove up\nLock file: ${file}`,
  )
}

function isAlive(holder: Holder, file: string): boolean {
  if (holder.host !== hostname()) return age(file) < SILENT_AFTER
  if (holder.pid === process.pid && holder.bornAt !== born(process.pid).bornAt) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = born(holder.pid).bornAt
  return holder.bornAt === undefined || now === undefined || now === holder.bornAt
}

/** Where the system tells it only in a table, the process number alone must do. */
function born(pid: number): { bornAt?: string } {
  const bornAt = birthInProc(pid)
  return bornAt === undefined ? {} : { bornAt: String(bornAt) }
}

function viewed(): { view?: string } {
  const view = ownView()
  return view === undefined ? {} : { view }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    // Missing, or not a lock of Grove: either way no live holder can be asked.
    return undefined
  }
}

function isMine(holder: Holder | undefined, me: Holder): boolean {
  return holder?.pid === me.pid && holder.host === me.host && holder.startedAt === me.startedAt
}

function replace(file: string, holder: Holder): void {
  renameSync(write(file, holder), file)
}

function write(file: string, holder: Holder): string {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  return draft
}

/** A lock that is gone, with the whole home or by hand, is put back: other processes are to find this one. */
function touch(file: string, me: Holder): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    try {
      if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
      place(file, me)
    } catch {
      // The home cannot be written. This daemon goes on; only the next one will not notice it.
    }
  }
}

function age(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs
  } catch {
    // Gone in the meantime.
    return Number.POSITIVE_INFINITY
  }
}

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { MARKER } from './environment.ts'

/** One running process, as far as it can be told from a later one with the same number. */
export interface RunningProcess {
  pid: number
  parent: number
  bornAt: string
  /** The run it belongs to, by its environment. */
  spawn?: string
}

/** Every process of this machine: from /proc where there is one, else from `ps`. */
export async function processTable(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') return fromProc()
  if (process.platform === 'win32') return []
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-E', '-o', 'pid=,ppid=,lstart=,command='], {
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  })
  return readPs(stdout)
}

/** When a process was started, in whatever unit the system has; undefined when there is none. */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return fromStat(pid)?.bornAt
  return (await processTable()).find((running) => running.pid === pid)?.bornAt
}

/** The processes that carry the run's marker, the client itself among them, and everything that descends from them. */
export function belongingTo(spawnId: string, table: RunningProcess[]): RunningProcess[] {
  const found = new Map(table.filter(({ spawn }) => spawn === spawnId).map((running) => [running.pid, running]))
  // Each pass finds one generation more.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const running of table) if (found.has(running.parent)) found.set(running.pid, running)
  }
  found.delete(process.pid)
  return [...found.values()]
}

function fromProc(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? fromStat(pid) : undefined
    if (!stat) return []
    const spawn = markerIn(pid)
    return [{ pid, parent: stat.parent, bornAt: stat.bornAt, ...(spawn && { spawn }) }]
  })
}

/** Fields 3, 4 and 22 of the stat line, counted after the name in brackets. What has ended and was not fetched yet is gone. */
function fromStat(pid: number): { parent: number; bornAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : { parent: Number(fields[1]), bornAt: fields[19]! }
  } catch {
    return undefined // It has ended in the meantime.
  }
}

function markerIn(pid: number): string | undefined {
  try {
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
    return new RegExp(`\\0${MARKER}=([^\\0]+)`).exec(environment)?.[1]
  } catch {
    return undefined // Another user's process, or one that has ended.
  }
}

/** Lines of `ps -E -o pid=,ppid=,lstart=,command=`; the environment follows the command. */
export function readPs(output: string): RunningProcess[] {
  const line = /^ *(\d+) +(\d+) +(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4}) (.*)$/gm
  return [...output.matchAll(line)].map(([, pid, parent, born, command]) => {
    const spawn = new RegExp(`(?:^|\\s)${MARKER}=(\\S+)`).exec(command!)?.[1]
    return { pid: Number(pid), parent: Number(parent), bornAt: born!, ...(spawn && { spawn }) }
  })
}

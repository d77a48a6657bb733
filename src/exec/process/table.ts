import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { run } from '../spawn.ts'

/** The one place that looks at the processes of this machine: in /proc on Linux, elsewhere by asking `ps`. */

/** One running process. Its number and its birth together tell it from a later one with the same number. */
interface RunningProcess {
  pid: number
  parent: number
  /** When it was started, in a unit that only compares. */
  bornAt: number
  /** Whether it hangs on a terminal. */
  hasTerminal: boolean
}

/** What is known of a process. */
export interface ProcessFacts extends RunningProcess {
  uid?: number
  args: string[]
  /** The file it runs, where the system says. */
  program?: string
}

/** All processes that this user may look at, as of one moment. */
export type ProcessTable = ReadonlyMap<number, ProcessFacts>

/** A process, and the value of the variable that was looked for in its environment. */
export interface MarkedProcess extends RunningProcess {
  mark?: string
}

/** Reads the table. Empty where neither /proc nor `ps` is there. */
export async function processTable(): Promise<ProcessTable> {
  if (process.platform === 'linux')
    return new Map(running().flatMap((one) => detailed(one).map((facts) => [facts.pid, facts])))
  return process.platform === 'win32' ? new Map() : fromPs(await ps())
}

/** All processes, with the value that each has for a variable. */
export async function markedProcesses(variable: string): Promise<MarkedProcess[]> {
  if (process.platform === 'linux') {
    return running().map((one) => {
      const mark = environmentOf(one.pid)?.find((entry) => entry.startsWith(`${variable}=`))
      return { ...one, ...(mark && { mark: mark.slice(variable.length + 1) }) }
    })
  }
  return process.platform === 'win32' ? [] : markedInPs(await ps('-E'), variable)
}

/** When a process was started; undefined when there is none, or the system tells only in a table. */
export function birthInProc(pid: number): number | undefined {
  return fromStat(pid)?.bornAt
}

/** Whether a process computes, or would if it got a processor; also where the system does not tell. */
export function isComputing(pid: number): boolean {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  return stat === undefined || stat.slice(stat.lastIndexOf(')') + 2).startsWith('R')
}

/** When a process was started; undefined when there is none. */
export async function birthOf(pid: number): Promise<number | undefined> {
  return process.platform === 'linux' ? birthInProc(pid) : (await processTable()).get(pid)?.bornAt
}

/** The variables a process was started with; undefined where they are not shown to us. */
export function environmentOf(pid: number): string[] | undefined {
  return orNothing(() => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'))
}

/** The processes that hold one of some sockets; `hidden` are those whose open files we may not see. */
export function holdersOf(inodes: readonly number[], pids: Iterable<number>): { holders: number[]; hidden: number[] } {
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`))
  const [holders, hidden]: [number[], number[]] = [[], []]
  for (const pid of pids) {
    const files = orNothing(() => readdirSync(`/proc/${pid}/fd`))
    if (files === undefined) hidden.push(pid)
    else if (files.some((file) => sockets.has(orNothing(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? '')))
      holders.push(pid)
  }
  return { holders, hidden }
}

/** Which processes this one can see: the same for all that see the same; undefined where the system does not tell. */
export function ownView(): string | undefined {
  return orNothing(() => readlinkSync('/proc/self/ns/pid'))
}

function running(): RunningProcess[] {
  const names = (orNothing(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name))
  return names.flatMap((name) => fromStat(Number(name)) ?? [])
}

/**
 * The name in brackets may hold anything; the fields are counted behind it. What has ended and was not fetched is gone; one
 * whose first thread alone has ended looks like that, but for the number of its threads.
 */
function fromStat(pid: number): RunningProcess | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields || (fields[0] === 'Z' && Number(fields[17]) < 2)) return undefined
  return { pid, parent: Number(fields[1]), hasTerminal: fields[4] !== '0', bornAt: Number(fields[19]) }
}

/** Undefined when the process has ended meanwhile. */
function detailed(one: RunningProcess): ProcessFacts[] {
  const at = `/proc/${one.pid}`
  const args = orNothing(() => readFileSync(`${at}/cmdline`, 'utf8').split('\0').slice(0, -1))
  if (!args) return []
  const uid = orNothing(() => /^Uid:\t(\d+)/m.exec(readFileSync(`${at}/status`, 'latin1'))?.[1])
  const program = orNothing(() => readlinkSync(`${at}/exe`))
  return [{ ...one, args, ...(uid !== undefined && { uid: Number(uid) }), ...(program !== undefined && { program }) }]
}

async function ps(...more: string[]): Promise<string> {
  const { stdout } = await run('ps', ['-axww', ...more, '-o', 'pid=,ppid=,uid=,lstart=,tty=,command='], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    timeoutMs: 5000,
  })
  return stdout
}

/** What `ps` prints, a line for each; its columns cannot hold a space, but the start and the command line. */
export function fromPs(text: string): ProcessTable {
  return new Map(linesOfPs(text).map(({ command, ...one }) => [one.pid, { ...one, args: command.split(' ') }]))
}

/** With `-E` the environment follows the command. */
export function markedInPs(text: string, variable: string): MarkedProcess[] {
  return linesOfPs(text).map(({ command, uid, ...one }) => {
    const mark = new RegExp(`(?:^|\\s)${variable}=(\\S+)`).exec(command)?.[1]
    return { ...one, ...(mark && { mark }) }
  })
}

function linesOfPs(text: string) {
  const line = /^ *(\d+) +(\d+) +(\d+) +(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4}) +(\S+) (.*)$/gm
  return [...text.matchAll(line)].map(([, pid, parent, uid, start, tty, command]) => ({
    pid: Number(pid),
    parent: Number(parent),
    uid: Number(uid),
    bornAt: Date.parse(start!),
    hasTerminal: tty !== '?' && tty !== '??',
    command: command!.trimStart(),
  }))
}

/** Processes end at any moment, and others are not ours to look at. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { run } from '../spawn.ts'

/** What is known of a process. */
export interface ProcessFacts {
  pid: number
  parent: number
  uid?: number
  /** When it was started, in a unit that only compares. */
  bornAt: number
  /** Whether it hangs on a terminal. */
  hasTerminal: boolean
  args: string[]
  /** The file it runs, where the system says. */
  program?: string
}

/** All processes that this user may look at, as of one moment. */
export type ProcessTable = ReadonlyMap<number, ProcessFacts>

/** Reads the table: from /proc on Linux, elsewhere by asking `ps`. Empty where neither is there. */
export async function processTable(): Promise<ProcessTable> {
  if (process.platform === 'linux') return fromProc()
  if (process.platform === 'win32') return new Map()
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,uid=,lstart=,tty=,command='], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    timeoutMs: 5000,
  })
  return fromPs(stdout)
}

function fromProc(): ProcessTable {
  const table = new Map<number, ProcessFacts>()
  for (const name of readdirSync('/proc')) {
    const facts = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined
    if (facts) table.set(facts.pid, facts)
  }
  return table
}

/** One process from /proc; undefined when it is gone. */
function readProcess(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const uid = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    const program = orNothing(() => readlinkSync(`/proc/${pid}/exe`))
    return {
      pid,
      parent: Number(fields[1]),
      ...(uid !== undefined && { uid: Number(uid) }),
      bornAt: Number(fields[19]),
      hasTerminal: fields[4] !== '0',
      args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1),
      ...(program !== undefined && { program }),
    }
  } catch {
    // It ended while we looked.
    return undefined
  }
}

const PS_LINE = /^ *(\d+) +(\d+) +(\d+) +(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4}) +(\S+) (.*)$/

/** What `ps` prints, a line for each; its columns cannot hold a space, but the start and the command line. */
export function fromPs(text: string): ProcessTable {
  const table = new Map<number, ProcessFacts>()
  for (const line of text.split('\n')) {
    const [, pid, parent, uid, start, tty, command = ''] = PS_LINE.exec(line) ?? []
    if (pid === undefined) continue
    table.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      uid: Number(uid),
      bornAt: Date.parse(start!),
      hasTerminal: tty !== '?' && tty !== '??',
      args: command.trimStart().split(' '),
    })
  }
  return table
}

/** The variables a process was started with; undefined where they are not shown to us. */
export function environmentOf(pid: number): string[] | undefined {
  return orNothing(() => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'))
}

/** The processes that hold a socket; `hidden` are those whose open files we may not see. */
export function holdersOf(inode: number, table: ProcessTable): { holders: number[]; hidden: number[] } {
  const socket = `socket:[${inode}]`
  const [holders, hidden]: [number[], number[]] = [[], []]
  for (const pid of table.keys()) {
    const files = orNothing(() => readdirSync(`/proc/${pid}/fd`))
    if (files === undefined) hidden.push(pid)
    else if (files.some((file) => orNothing(() => readlinkSync(`/proc/${pid}/fd/${file}`)) === socket))
      holders.push(pid)
  }
  return { holders, hidden }
}

/** Processes end at any moment, and others are not ours to look at. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

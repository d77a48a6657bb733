import type { Connection, Descent, PeerOwner, Peers } from '#core/ports/peers.ts'
import { environmentOf, holdersOf, type ProcessTable, processTable } from '../process/table.ts'
import { descentOf } from './descent.ts'
import { lsofPeer } from './lsof.ts'
import { farEnd } from './tcp-table.ts'

/** What this system tells about the far end of connections. */
export function systemPeers(): Peers {
  const onLinux = process.platform === 'linux'
  return {
    async ownerOf(connection) {
      if (process.platform === 'win32') return 'unknown'
      const found = onLinux ? await farEnd(connection) : await lsofPeer(connection)
      if (found) return ownerBy(found.uid)
      return onLinux && isLoopback(connection.remoteAddress) ? 'another' : 'unknown'
    },
    async descentOf(connection) {
      if (process.platform === 'win32') return undefined
      const table = await processTable()
      const pids = onLinux ? await holders(connection, table) : [(await lsofPeer(connection))?.pid ?? 0]
      const found = worst(pids.filter((pid) => table.has(pid)).map((pid) => descentOf(pid, table, environmentOf)))
      return found ?? (onLinux && isLoopback(connection.remoteAddress) ? GONE : undefined)
    },
  }
}

/** A program of this machine that has closed its end, or handed it on, before it could be looked up. */
const GONE: Descent = { of: 'unclear', how: 'no process holds its end of the connection', isBrowser: false }

/** Who started this process, by its parents and its variables. */
export async function descentOfThis(env: Record<string, string | undefined>): Promise<Descent> {
  const own = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const table = await processTable()
  if (process.platform === 'linux' && !table.has(process.pid))
    return { of: 'unclear', how: 'the processes of this machine are hidden from it', isBrowser: false }
  // Without a process table the variables alone decide.
  const self = table.get(process.pid) ?? { pid: process.pid, parent: 0, bornAt: 0, hasTerminal: true, args: [] }
  const all = new Map([...table, [process.pid, self]])
  return descentOf(process.pid, all, (pid) => [...(pid === process.pid ? own : []), ...(environmentOf(pid) ?? [])])
}

function ownerBy(uid: number): PeerOwner {
  if (uid === process.getuid?.()) return 'ours'
  return uid === 0 ? 'system' : 'another'
}

/** The processes that hold the far end; when none is found, this user's processes whose open files are hidden. */
async function holders(connection: Connection, table: ProcessTable): Promise<number[]> {
  const entry = await farEnd(connection)
  if (!entry) return []
  const { holders, hidden } = holdersOf([entry.inode], table.keys())
  return holders.length > 0 ? holders : hidden.filter((pid) => table.get(pid)?.uid === entry.uid)
}

/** A connection may be held by several: one that is an agent's is enough. */
function worst(all: Descent[]): Descent | undefined {
  return all.find(({ of }) => of === 'agent') ?? all.find(({ of }) => of === 'unclear') ?? all[0]
}

/** Whether an address of a socket can only be this machine's. */
function isLoopback(address = ''): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { endianness } from 'node:os'
import type { Connection } from '#core/ports/peers.ts'

/** One end of a TCP connection, as the kernel's table has it. */
export interface TableEntry {
  uid: number
  /** Of its socket: the number by which the process that holds it is found. */
  inode: number
}

/**
 * Looks up the far end of a connection from this machine in the kernel's table of TCP sockets (Linux). Undefined when
 * it is not listed, or when its process has closed it: the kernel then names root as the owner.
 */
export async function farEnd(connection: Connection): Promise<TableEntry | undefined> {
  const { localAddress, localPort, remoteAddress, remotePort } = connection
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return undefined
  const ends = [endpoints(remoteAddress, remotePort), endpoints(localAddress, localPort)] as const
  // A client may have opened an IPv6 socket for an IPv4 address; then the other table has it.
  const tables = isIPv6(plain(remoteAddress)) ? (['tcp6'] as const) : (['tcp', 'tcp6'] as const)
  for (const table of tables) {
    const found = entryOf(await readTable(`/proc/net/${table}`), ` ${ends[0][table]} ${ends[1][table]} `)
    if (found) return found.inode === 0 ? undefined : found
  }
  return undefined
}

/** `sl local rem st tx:rx tr:when retrnsmt uid timeout inode …` */
function entryOf(table: string, ends: string): TableEntry | undefined {
  const at = table.indexOf(ends)
  if (at < 0) return undefined
  const end = table.indexOf('\n', at)
  const [_state, _queues, _timer, _retries, uid, _timeout, inode] = table
    .slice(at + ends.length, end < 0 ? undefined : end)
    .split(/ +/)
  return uid === undefined || inode === undefined ? undefined : { uid: Number(uid), inode: Number(inode) }
}

interface Reading {
  now: Promise<string>
  /** The one that begins when this one has ended. */
  next?: Promise<string>
}

const readings = new Map<string, Reading>()

/**
 * The kernel walks its whole table for this, some milliseconds on a large machine. So one reading runs at a time, and
 * callers that arrive meanwhile share the next one, because this one began too early for them.
 */
function readTable(file: string): Promise<string> {
  const running = readings.get(file)
  if (!running) return read(file)
  running.next ??= running.now.then(() => read(file))
  return running.next
}

function read(file: string): Promise<string> {
  // No such table: nothing is known of its sockets.
  const now = readFile(file, 'latin1').catch(() => '')
  const reading: Reading = { now }
  readings.set(file, reading)
  void now.then(() => {
    if (readings.get(file) === reading && !reading.next) readings.delete(file)
  })
  return now
}

/** How both tables write an address and a port: every word of the address in the machine's own byte order. */
function endpoints(address: string, port: number): { tcp: string; tcp6: string } {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const bytes = bytesOf(plain(address))
  const tail = words(bytes.slice(-4))
  const mapped = `0000000000000000${words([0, 0, 0xff, 0xff])}`
  return {
    tcp: `${tail}:${hexPort}`,
    tcp6: `${bytes.length === 4 ? mapped + tail : words(bytes)}:${hexPort}`,
  }
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0]!
}

function words(bytes: number[]): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 4) {
    const word = bytes.slice(i, i + 4)
    if (endianness() === 'LE') word.reverse()
    text += word.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('')
  }
  return text
}

function bytesOf(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number)
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const all = tail === undefined ? left : [...left, ...new Array(8 - left.length - right.length).fill(0), ...right]
  return all.flatMap((group) => [group >> 8, group & 0xff])
}

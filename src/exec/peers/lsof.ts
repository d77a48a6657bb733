import { isIPv6 } from 'node:net'
import type { Connection } from '#core/ports/peers.ts'
import { run } from '../spawn.ts'

interface Peer {
  pid: number
  uid: number
}

const PATIENCE = 3000

/** Asks `lsof` whose the far end of a connection is, where there is no /proc. It shows this user's processes only. */
export async function lsofPeer({ remoteAddress, remotePort, localPort }: Connection): Promise<Peer | undefined> {
  if (!remoteAddress || !remotePort || !localPort) return undefined
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '')
  const host = isIPv6(address) ? `[${address}]` : address
  try {
    const args = ['-nP', '-a', `-iTCP@${host}:${remotePort}`, '-sTCP:ESTABLISHED', '-Fpun']
    const { stdout } = await run('lsof', args, { timeoutMs: PATIENCE })
    return peerIn(stdout, remotePort, localPort)
  } catch {
    // There is no lsof; then the system does not tell.
    return undefined
  }
}

/** `p<pid>`, `u<uid>`, then `n<near>-><far>` for each connection; ours and theirs are both listed. */
export function peerIn(output: string, near: number, far: number): Peer | undefined {
  let [pid, uid] = ['', '']
  for (const line of output.split('\n')) {
    if (line[0] === 'p') pid = line.slice(1)
    else if (line[0] === 'u') uid = line.slice(1)
    else if (line[0] === 'n' && line.includes(`:${near}->`) && line.endsWith(`:${far}`)) {
      return { pid: Number(pid), uid: Number(uid) }
    }
  }
  return undefined
}

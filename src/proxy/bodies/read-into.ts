import { Socket, type SocketConstructorOpts } from 'node:net'

/** Where the next bytes are to be put, and who is told how many have come; once `callback` has returned, others may lie there. */
export interface Reading {
  buffer(): Uint8Array
  callback(length: number, memory: Uint8Array): boolean
}

/** What Node keeps in a socket. The option `onread` belongs to `net.connect`: a server makes its sockets without it. */
interface Inside {
  _handle: { useUserBuffer?: unknown } | null
  _server: unknown
}

/**
 * The connection that a server has just accepted, as a socket that is read into memory of our own: by itself Node sets 64 KB
 * aside for each piece that arrives. Undefined where Node keeps connections in another way; then it is to be read as it is.
 */
export function readInto(accepted: Socket, reading: Reading): Socket | undefined {
  const { _handle: handle, _server: server } = accepted as unknown as Inside
  if (typeof handle?.useUserBuffer !== 'function') return undefined
  const options = { handle, onread: reading, allowHalfOpen: accepted.allowHalfOpen, readable: true, writable: true }
  ;(accepted as unknown as Inside)._handle = null
  // The server counts its connections, and from now on this one stands for the accepted one.
  return Object.assign(new Socket(options as unknown as SocketConstructorOpts), { server, _server: server })
}

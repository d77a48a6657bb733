import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { UpstreamError } from './upstream-error.ts'

/** How long a connection may take, and how the addresses of a name are tried. */
export interface Connecting {
  timeout: number
  autoSelectFamily: boolean
  autoSelectFamilyAttemptTimeout: number
}

const KEEP_ALIVE_PROBE_MS = 60_000
const READ_BYTES = 64 * 1024

/**
 * Connects to one origin. All its connections read into the same memory: by itself Node sets 64 KB aside for each piece
 * that arrives, most of which are a few hundred bytes long, and spends more on that than on the piece.
 */
export class Connector {
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES)
  #session: Buffer | undefined

  constructor(
    private readonly target: URL,
    private readonly connecting: Connecting,
  ) {}

  /** `onBytes` gets what arrives; once it has returned, other bytes may lie there. */
  connect(onBytes: (bytes: Buffer) => void, done: (error: Error | undefined, socket: Socket) => void): void {
    const { hostname, protocol, port } = this.target
    const { timeout, ...families } = this.connecting
    const isSecure = protocol === 'https:'
    // A literal IPv6 address stands in brackets in a URL.
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    const callback = (length: number, memory: Uint8Array) => {
      onBytes((memory as Buffer).subarray(0, length))
      return true
    }
    const place = { ...families, host, port: Number(port) || (isSecure ? 443 : 80) }
    const options = { ...place, onread: { buffer: this.#memory, callback } }
    const socket = isSecure ? this.#connectTls(options) : connectPlain(options)
    const timer = setTimeout(() => socket.destroy(new UpstreamError('UND_ERR_CONNECT_TIMEOUT')), timeout)
    let isSettled = false
    const settle = (error?: Error) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      done(error, socket)
    }
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS)
    socket.on('error', settle).once(isSecure ? 'secureConnect' : 'connect', () => settle())
  }

  #connectTls(options: { host: string; port: number }): Socket {
    const socket = connectTls({
      ...options,
      servername: isIP(options.host) ? '' : options.host,
      session: this.#session,
      ALPNProtocols: ['http/1.1'],
    })
    return socket.on('session', (session) => {
      this.#session = session
    })
  }
}

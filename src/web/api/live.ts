import type { LiveEvent, LiveMessage } from '#protocol/live.ts'
import { serverNow } from '../ui/clock.ts'
import { LOST_AFTER, waitBefore } from './backoff.ts'

/** How it stands with the socket. `attempt` counts tries since the last good connection. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'open'; since: number }
  | { state: 'waiting'; attempt: number; retryAt: number }
  | { state: 'lost'; attempt: number; retryAt: number }

export interface LiveListener {
  onEvent(event: LiveEvent, seq: number): void
  /** Something may have been missed: read the state anew. */
  onGap(): void
  onConnection(connection: Connection): void
}

/**
 * The live socket: after each break it asks for what came after the last number it has seen, and has the state read anew as
 * well, since a server that was started afresh counts from one again.
 */
export class LiveSocket {
  #socket: WebSocket | undefined
  #last: number | undefined
  #attempt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(
    private readonly url: string,
    private readonly listener: LiveListener,
    /** The number of the last event that the page was made after; what happened since is told first. */
    madeAfter: number | undefined,
  ) {
    this.#last = madeAfter
  }

  start(): void {
    for (const change of ['online', 'offline']) window.addEventListener(change, this.#anew)
    document.addEventListener('visibilitychange', this.#whenSeen)
    this.#connect()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const change of ['online', 'offline']) window.removeEventListener(change, this.#anew)
    document.removeEventListener('visibilitychange', this.#whenSeen)
    this.#socket?.close()
  }

  /** Tries at once instead of waiting for the next time. */
  retry(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) return
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#connect()
  }

  /** Another network, or none: a socket of the one before may look open for minutes, and bring nothing any more. */
  readonly #anew = () => {
    clearTimeout(this.#timer)
    const before = this.#socket
    this.#attempt = Math.max(1, this.#attempt)
    this.#connect()
    before?.close()
  }
  readonly #whenSeen = () => {
    if (document.visibilityState === 'visible') this.retry()
  }

  #connect(): void {
    const after = this.#last === undefined ? '' : `?after=${this.#last}`
    const socket = new WebSocket(`${this.url}${after}`)
    this.#socket = socket
    if (this.#attempt === 0) this.listener.onConnection({ state: 'connecting' })
    socket.onopen = () => {
      const wasAway = this.#attempt > 0
      this.#attempt = 0
      this.listener.onConnection({ state: 'open', since: serverNow() })
      if (wasAway) this.listener.onGap()
    }
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as LiveMessage)
    socket.onclose = () => {
      if (this.#isStopped || this.#socket !== socket) return
      this.#attempt++
      const wait = waitBefore(this.#attempt) * 1000
      const state = this.#attempt >= LOST_AFTER ? 'lost' : 'waiting'
      this.listener.onConnection({ state, attempt: this.#attempt, retryAt: serverNow() + wait })
      this.#timer = setTimeout(() => this.#connect(), wait)
    }
  }

  #take(message: LiveMessage): void {
    if ('seq' in message) {
      this.#last = message.seq
      this.listener.onEvent(message.event, message.seq)
    } else this.listener.onGap()
  }
}

import type { Socket } from 'node:net'

/**
 * Limits the memory for bodies of requests that are not known to be this user's: any user of the machine can send some, and
 * each is held until it is through. Counted by connection, with the largest body that came by it.
 */
export class UntrustedBodies {
  readonly #held = new WeakMap<Socket, number>()
  #total = 0

  constructor(private readonly most: number) {}

  fits(socket: Socket, bytes: number): boolean {
    return this.#total + Math.max(0, bytes - this.#of(socket)) <= this.most
  }

  take(socket: Socket, bytes: number): void {
    const before = this.#of(socket)
    if (bytes <= before) return
    if (!this.#held.has(socket)) socket.once('close', () => this.give(socket))
    this.#held.set(socket, bytes)
    this.#total += bytes - before
  }

  /** The connection has ended, or was found to be this user's. */
  give(socket: Socket): void {
    this.#total -= this.#of(socket)
    this.#held.set(socket, 0)
  }

  #of(socket: Socket): number {
    return this.#held.get(socket) ?? 0
  }
}

// Smaller buffers come cheap from the allocator.
const SMALLEST = 32 * 1024
// What is kept for reuse when nothing is in flight; anything beyond goes back to the system.
const MAX_IDLE_BYTES = 48 * 1024 * 1024

/**
 * Large buffers that are used again. Request bodies live as long as their answers, which is long enough for the garbage
 * collector to take them for old and clear them away only in its costly full runs.
 */
export class BufferPool {
  /** Idle memory by size. */
  readonly #idle = new Map<number, ArrayBufferLike[]>()
  #idleBytes = 0
  readonly #lent = new WeakSet<ArrayBufferLike>()

  /** A buffer of this length with any content. One that is never given back is simply collected. */
  lend(length: number): Buffer {
    if (length < SMALLEST) return Buffer.allocUnsafe(length)
    const size = sizeFor(length)
    const memory = this.#idle.get(size)?.pop()
    if (memory) this.#idleBytes -= size
    const bytes = memory ?? Buffer.allocUnsafeSlow(size).buffer
    this.#lent.add(bytes)
    return Buffer.from(bytes, 0, length)
  }

  /** Takes a buffer back; nobody may touch it from now on. A buffer that was not lent here is left alone. */
  giveBack({ buffer: memory }: Buffer): void {
    if (!this.#lent.delete(memory)) return
    const size = memory.byteLength
    if (this.#idleBytes + size > MAX_IDLE_BYTES) return
    this.#idleBytes += size
    const same = this.#idle.get(size)
    if (same) same.push(memory)
    else this.#idle.set(size, [memory])
  }
}

/** Four sizes between each power of two and the next: alike enough to be used again, and little of it wasted. */
function sizeFor(length: number): number {
  const step = 2 ** (29 - Math.clz32(length))
  return Math.ceil(length / step) * step
}

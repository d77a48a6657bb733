/** A block of memory, and whether it is lent. */
type Block = ArrayBuffer & { isLent?: boolean }

const SMALLEST = 4 * 1024
const LARGEST = 1024 * 1024
/** The most memory, in bytes, that is kept for the next requests while none has borrowed it. */
const MOST_FREE = 24 * 1024 * 1024

/**
 * Memory for the bodies of requests, lent again and again. A body lives until its answer is through, and for the next request
 * of its conversation to be compared with: long enough to grow old, and then only a collection of the whole heap frees it.
 * What is not given back is left to the garbage collector, so a caller in doubt gives nothing back.
 */
export class BodyMemory {
  readonly #free = new Map<number, Block[]>()
  #freeBytes = 0

  take(length: number): Buffer {
    if (length > LARGEST) return Buffer.allocUnsafeSlow(length)
    const size = sizeFor(length)
    const block = this.#free.get(size)?.pop()
    if (block) this.#freeBytes -= size
    const lent = block ?? (Buffer.allocUnsafeSlow(size).buffer as Block)
    lent.isLent = true
    return Buffer.from(lent, 0, length)
  }

  /** Takes back bytes that are read no more. Ignores what is not from here, or was given back before. */
  give({ buffer }: Buffer): void {
    const block = buffer as Block
    if (!block.isLent) return
    block.isLent = false
    const size = block.byteLength
    if (this.#freeBytes + size > MOST_FREE) return
    this.#freeBytes += size
    const alike = this.#free.get(size)
    if (alike) alike.push(block)
    else this.#free.set(size, [block])
  }
}

/** Four sizes from each power of two to the next, so that bodies of about the same length take each other's place. */
function sizeFor(length: number): number {
  const step = 2 ** Math.floor(Math.log2(Math.max(SMALLEST, length))) / 4
  return Math.ceil(length / step) * step
}

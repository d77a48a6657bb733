/** Keeps the beginning and the end of a long output: the first error stands in one, the summary in the other. */
export class HeadAndTail {
  readonly #most: { head: number; tail: number }
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer[] = []
  #tailSize = 0
  #size = 0

  constructor(most: { head: number; tail: number }) {
    this.#most = most
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length
    const room = this.#most.head - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    const rest = chunk.subarray(Math.max(0, room))
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailSize += rest.length
    while (this.#tailSize - this.#tail[0]!.length >= this.#most.tail) this.#tailSize -= this.#tail.shift()!.length
  }

  /** Where something was left out, both pieces are cut at whole lines: the redactor would not recognise half a key. */
  text(): string {
    const tail = Buffer.concat(this.#tail)
    const kept = tail.subarray(Math.max(0, tail.length - this.#most.tail))
    const missing = this.#size - this.#head.length - kept.length
    if (missing === 0) return Buffer.concat([this.#head, kept]).toString('utf8')
    const head = this.#head.subarray(0, this.#head.lastIndexOf(10) + 1)
    const end = kept.subarray(kept.indexOf(10) + 1)
    const left = this.#size - head.length - end.length
    return `${head.toString('utf8')}… ${left} bytes left out …\n${end.toString('utf8')}`
  }
}

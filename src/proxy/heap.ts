import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Checked by the build: it fails when the Node that builds does not know this flag. */
export const HEAP_FLAG = '--heap-growing-percent'

/** Node 20 to 24. V8 prints an error line for a flag it does not know, and offers no way to ask beforehand. */
const V8_WITH_THE_FLAG = [11, 12, 13]

/**
 * Raises V8's limit for a full garbage collection. The bodies of requests lie outside the heap, but V8 counts them in
 * when it decides whether to collect all of it, and comparing them with a heap this small it does so several times a
 * second. They are short-lived, and the quick collections free them just as well; so the heap may grow to four times of
 * what lives before all of it is collected. With another V8 nothing is changed.
 */
export function spareFullCollections(v8: string = process.versions.v8): void {
  if (V8_WITH_THE_FLAG.includes(Number.parseInt(v8, 10))) setFlagsFromString(`${HEAP_FLAG}=300`)
}

/** What a daemon with few open streams takes; below it nothing is worth a pause. */
const FROM_BYTES = 160_000_000
/** How much more than it was must be resident, as a share. */
const GROWN = 1 / 16
/** A collection takes some 40 ms of the main thread. */
const LEAST_MS = 2000

/**
 * Ends what the spared collections cost where it adds up: with hundreds of open streams, most of what the heap grows by are
 * objects of answers that are long through. Once resident memory has grown by a sixteenth, all of the heap is collected.
 */
export class GrownMemory {
  readonly #resident: () => number
  readonly #collect: () => void
  #lowest = Number.POSITIVE_INFINITY
  #collectedAt = Number.NEGATIVE_INFINITY

  constructor(resident: () => number = process.memoryUsage.rss, collect: () => void = fullCollection()) {
    this.#resident = resident
    this.#collect = collect
  }

  look(now: number): void {
    const resident = this.#resident()
    this.#lowest = Math.min(this.#lowest, resident)
    const hasGrown = resident >= FROM_BYTES && resident - this.#lowest >= this.#lowest * GROWN
    if (!hasGrown || now - this.#collectedAt < LEAST_MS) return
    this.#collectedAt = now
    this.#collect()
    // The system takes pages back a little later, and a lower reading then counts.
    this.#lowest = resident
  }
}

/** V8 offers it to scripts that are compiled while the flag stands. */
function fullCollection(v8: string = process.versions.v8): () => void {
  if (!V8_WITH_THE_FLAG.includes(Number.parseInt(v8, 10))) return () => {}
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Log } from '#core/ports/runtime.ts'
import type { Answer } from '#core/turn.ts'
import type { ObservedTurn } from '#supervisor/call.ts'
import type { Call } from './call.ts'
import type { ProxyObserver } from './observer.ts'
import type { Tap } from './tap.ts'

/** A turn whose answer is still to be read, and perhaps its request to be decoded. */
export interface RawTurn {
  turn: Omit<ObservedTurn, 'answer' | 'call'>
  call: Call
  tap: Tap | undefined
}

// A store that hangs must not make Grove hold every body it ever saw.
const MAX_WAITING_BYTES = 64 * 1024 * 1024
const MAX_WAITING_TURNS = 1000
const MAX_DECODED_BYTES = 64 * 1024 * 1024
// A client's next request comes right behind an answer; what waits this long is read while no request waits behind it.
const MOMENT_MS = 10

/** Hands turns to the observer in the order they ended, one at a time, a moment after they did. */
export class ObservationQueue {
  readonly #turns: RawTurn[] = []
  #bytes = 0
  #running: Promise<void> | undefined
  /** Ends the moment that turns wait for. */
  #begin = () => {}

  constructor(
    private readonly observer: ProxyObserver,
    private readonly log: Log,
  ) {}

  add(raw: RawTurn): void {
    if (this.#turns.length >= MAX_WAITING_TURNS || this.#bytes + raw.call.body.length > MAX_WAITING_BYTES) {
      this.log.warn({ waiting: this.#turns.length }, 'recording cannot keep up; a turn was not recorded')
      return
    }
    this.#turns.push(raw)
    this.#bytes += raw.call.body.length
    this.#running ??= this.#run()
    if (this.#bytes > MAX_WAITING_BYTES / 2) this.#begin()
  }

  /** Resolves when everything added so far is through. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Everything that waits is taken in one go: taking less per turn of the loop than arrives would never catch up. */
  async #run(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#begin = resolve
      setTimeout(resolve, MOMENT_MS)
    })
    for (let raw = this.#turns.shift(); raw; raw = this.#turns.shift()) {
      this.#bytes -= raw.call.body.length
      try {
        // Most turns need no waiting, and a promise each would be most of their cost.
        const work = this.#observe(raw)
        if (work) await work
      } catch (err) {
        this.log.warn({ err }, 'a turn was not recorded')
      }
    }
    this.#running = undefined
  }

  #observe({ turn, call, tap }: RawTurn): void | Promise<void> {
    const answer = this.#answer(tap)
    if (call.contentEncoding !== undefined || answer instanceof Promise) return this.#observeLater(turn, call, answer)
    return this.observer.observe?.(answer ? { ...turn, call, answer } : { ...turn, call })
  }

  async #observeLater(
    turn: RawTurn['turn'],
    call: Call,
    reading: Promise<Answer | undefined> | Answer | undefined,
  ): Promise<void> {
    const answer = await reading
    await this.observer.observe?.({ ...turn, call: await decoded(call), ...(answer ? { answer } : {}) })
  }

  /** An answer that cannot be read is still a turn. */
  #answer(tap: Tap | undefined): Promise<Answer | undefined> | Answer | undefined {
    const unread = (err: unknown): undefined => this.log.warn({ err }, 'an answer could not be read') as undefined
    try {
      const answer = tap?.end()
      return answer instanceof Promise ? answer.catch(unread) : answer
    } catch (err) {
      return unread(err)
    }
  }
}

const DECODE: Record<string, typeof gunzip.__promisify__> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

async function decoded(call: Call): Promise<Call> {
  const decode = DECODE[call.contentEncoding?.toLowerCase() ?? '']
  return decode ? call.withBody(await decode(call.body, { maxOutputLength: MAX_DECODED_BYTES })) : call
}

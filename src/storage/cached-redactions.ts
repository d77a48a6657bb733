import { redact } from '#core/redact/redact.ts'
import { storable } from './sqlite/rows.ts'

/** A full cache is simply emptied: it fills again with the few texts that are in use. */
const MOST_CHARS = 2_000_000

/**
 * The redactor with a cache of its results. A session's state is written with every hook, and nearly all of its texts were
 * written before: redacting 20 KB takes half a millisecond, and fifty times that in a process that has just begun.
 */
export class CachedRedactions {
  readonly #known = new Map<string, string>()
  #chars = 0

  redacted(text: string): string {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const result = storable(redact(text))
    this.#keep(text, result)
    return result
  }

  /** The text has been through the redactor before: it comes from the store. */
  noteClean(text: string): void {
    if (!this.#known.has(text)) this.#keep(text, text)
  }

  #keep(text: string, result: string) {
    if (this.#chars > MOST_CHARS) {
      this.#known.clear()
      this.#chars = 0
    }
    this.#known.set(text, result)
    this.#chars += text.length
  }
}

import { setFlagsFromString } from 'node:v8'

/** Checked by the build: it fails when the Node that builds does not know this flag. */
export const HEAP_FLAG = '--heap-growing-percent'

/** Node 20 to 24. V8 prints an error line for a flag it does not know, and offers no way to ask beforehand. */
const V8_WITH_THE_FLAG = [11, 12, 13]

/**
 * Raises V8's limit for a full garbage collection. The bodies of requests lie outside the heap, but V8 counts them in
 * when it decides whether to collect all of it, and comparing them with a heap this small it does so several times a
 * second. They are short-lived, and the quick collections free them just as well; so the heap may grow to three times of
 * what lives before all of it is collected. With another V8 nothing is changed.
 */
export function spareFullCollections(v8: string = process.versions.v8): void {
  if (V8_WITH_THE_FLAG.includes(Number.parseInt(v8, 10))) setFlagsFromString(`${HEAP_FLAG}=200`)
}

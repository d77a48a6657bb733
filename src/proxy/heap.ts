import { setFlagsFromString } from 'node:v8'

/**
 * The bodies of requests lie outside the heap, but V8 counts them in when it decides whether to look through all of it,
 * and comparing them with a heap this small it does so several times a second. They are short-lived, and the quick
 * collections free them just as well; so the heap may grow to four times of what lives before all of it is looked through.
 */
export function spareFullCollections(): void {
  setFlagsFromString('--heap-growing-percent=300')
}

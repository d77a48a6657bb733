import picomatch from 'picomatch'
import type { CompileGlob } from '#core/intent/scope.ts'
import { boundedGlob, LONGEST_PATH } from '#core/text/glob.ts'

/** What an expression may try on a path of the usual length before it counts as slow. */
const MOST_TRIES = 1e6

/**
 * Globs as the shell and editors know them, dotfiles included. They come from files of other people, and each wildcard
 * multiplies the steps of an expression made of them: past a bound the linear matcher is used instead.
 */
export const compileGlob: CompileGlob = (pattern) => {
  const wildcards = 1 + (pattern.match(/\*+|[?+@!]\(|\[|\{/g)?.length ?? 0)
  let quick: ((path: string) => boolean) | undefined
  let bounded: ((path: string) => boolean) | undefined
  return (path) => {
    if (path.length > LONGEST_PATH) return false
    if (pattern.length < 1000 && path.length ** wildcards <= MOST_TRIES) {
      quick ??= picomatch(pattern, { dot: true })
      return quick(path)
    }
    bounded ??= boundedGlob(pattern)
    return bounded(path)
  }
}

import picomatch from 'picomatch'
import type { CompileGlob } from '#core/intent/scope.ts'

/** Globs as the shell and editors know them, dotfiles included. */
export const compileGlob: CompileGlob = (pattern) => picomatch(pattern, { dot: true })

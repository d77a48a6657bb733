import type { Value } from './values.ts'

/** One program that a command line runs, with its words as the shell would expand them. */
export interface SimpleCommand {
  /** As written, maybe with folders before it. Empty where only redirections are: those of a loop, or `> file` alone. */
  name: string
  args: Value[]
  /** The files that its redirections read and write. */
  redirects: Value[]
  /** The folder it runs in; undefined after a `cd` that only the running shell can follow. */
  cwd: string | undefined
  /** What it is given to read, as far as that is known: `echo … | psql`; `UNKNOWN` stands for the rest. */
  input?: string
  /** The machine that `DOCKER_HOST` sends it to. */
  host?: string
  /** It need not run: it stands in a branch, behind `||` or in a loop. */
  maybe?: true
  /** It runs only if a command before it succeeds, whose failure the exit code of the line does not show: `a && b; c`. */
  isBehind?: true
}

/** What is known of the way on which a command is reached. */
export interface Flow {
  maybe: boolean
  /** The whole line fails when this fails: nothing comes after it that could succeed. */
  isHeard: boolean
  isBehind: boolean
}

export const STRAIGHT: Flow = { maybe: false, isHeard: true, isBehind: false }

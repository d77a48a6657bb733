import type { ShellReading } from '../shell/reading.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName, known } from '../shell/values.ts'
import { startedElsewhere, startedHere, startsByName } from './launchers.ts'

/**
 * One program that a command line runs, in words to decide by: `echo "dropdb shop"` is an `echo` and no `dropdb`. A piece
 * that only the running shell knows is `UNKNOWN`.
 */
export interface Invocation {
  /** Without folders before it; a script by its own name, in place of its interpreter's. */
  program: string
  args: readonly string[]
  /** What it is given to read, as far as that is known: `echo … | psql`. */
  input?: string
  /** What has started it, where that is a program of its own: `ssh`, `docker exec`, `python`. */
  startedBy?: Invocation
  /** Its arguments are for another program, which is an invocation of its own. */
  handsOn?: true
}

const MOST = 500
/** So many lines are followed that run somewhere else; each takes as long to read as a whole command. */
const MOST_LINES = 50
/** `ssh host "docker exec db bash -c '…'"` is three deep. */
const DEEPEST = 4
/** No statement that matters is longer. */
const LONGEST_CODE = 20_000

/**
 * What a command line runs, in order and each once, also in pipes, in scripts that the reading follows, in containers and on
 * other machines. Programs that only change how the next one runs (`sudo`, `xargs`, `bash -c`) are left out; variables that
 * the line sets are those of an `env` at its beginning. `read` follows a line that is run somewhere else.
 */
export function invocationsOf(script: ShellReading, read: (line: string) => ShellReading): Invocation[] {
  const found: Invocation[] = []
  const seen = new Set<string>()
  let lines = 0

  function note(command: SimpleCommand, depth: number, startedBy: Invocation | undefined) {
    const program = baseName(command.name).replace(/\.exe$/i, '')
    const invocation = invocationOf(program, command, startedBy)
    const { args, input = '' } = invocation
    const key = [program, ...args, input.length, input.slice(0, LONGEST_CODE)].join('\0')
    if (program === '' || found.length >= MOST || seen.has(key)) return
    seen.add(key)
    const here = startedHere(command)
    const elsewhere = startedElsewhere(command)
    if ((here && !startsByName(program)) || elsewhere) invocation.handsOn = true
    if (!PASSES_ON.has(program)) found.push(invocation)
    if (depth === DEEPEST) return
    if (here) note(here, depth + 1, invocation)
    if (!elsewhere || lines++ >= MOST_LINES) return
    follow(withInput(read(elsewhere.line.slice(0, LONGEST_CODE)), elsewhere.input), depth + 1, invocation)
  }

  function follow({ assigned, commands }: ShellReading, depth: number, startedBy?: Invocation) {
    if (assigned.length > 0) note({ name: 'env', args: assigned.map(known), redirects: [], cwd: '' }, depth, startedBy)
    for (const command of commands) note(command, depth, startedBy)
  }

  follow(script, 0)
  return found
}

function invocationOf(program: string, { args, input }: SimpleCommand, startedBy: Invocation | undefined): Invocation {
  const texts = args.map(({ text }) => text)
  return {
    program,
    args: program === 'env' ? texts.filter((text) => /^\w+=/.test(text)) : texts,
    ...(input && { input }),
    ...(startedBy && { startedBy }),
  }
}

/** What the program that starts another one is given to read is for that: `docker exec -i db psql < carts.sql`. */
function withInput(script: ShellReading, input: string | undefined): ShellReading {
  const [first, ...others] = script.commands
  return input === undefined || first === undefined ? script : { ...script, commands: [{ input, ...first }, ...others] }
}

/** The reading follows what they run. */
const PASSES_ON = new Set(
  (
    'sudo doas nohup command builtin exec time nice ionice setsid stdbuf caffeinate watch chronic unbuffer timeout gtimeout flock ' +
    'strace ltrace script busybox su eval bash sh zsh dash ksh source . xargs parallel trap'
  ).split(' '),
)

/** They print, look for, compare or keep the texts that they are given, and run none of them. */
const ONLY_TEXT = new Set(
  (
    'echo printf cat tee head tail less more man grep egrep fgrep zgrep rg ag ack sed gsed awk gawk find fd jq yq diff sort uniq wc cut ' +
    'tr ls test [ [[ cd pushd mkdir touch cp mv rm ln export read git gh glab bd beads say'
  ).split(' '),
)

/** Whether the arguments of a program may be commands or code for it. */
export function takesOrders({ program, handsOn }: Invocation): boolean {
  return !handsOn && !ONLY_TEXT.has(program)
}

/** The texts that a program may take for code, each by itself: `psql -c '…'`, a here-document for `python`. */
export function codeGivenTo(invocation: Invocation): string[] {
  if (!takesOrders(invocation)) return []
  const { args, input = '' } = invocation
  return [...args, input].filter((text) => text !== '').map((text) => text.slice(0, LONGEST_CODE))
}

/** What a program was told, and what has started it: names of machines and databases are among it. */
export function wordsOf({ program, args, input = '', startedBy }: Invocation): string {
  const own = [program, ...args, input.slice(0, LONGEST_CODE)].join(' ').slice(0, LONGEST_CODE)
  return startedBy ? `${wordsOf(startedBy)} ${own}` : own
}

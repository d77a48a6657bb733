import { redact } from '../redact/redact.ts'
import { UNKNOWN } from '../shell/values.ts'
import { type Invocation, takesOrders } from './invocations.ts'

/**
 * Commands as a table lists them: `kubectl rollout restart|undo`, `git push -f|--force`, `gcloud ** delete`.
 *
 * The first word is the program, those behind it are its verbs in order. Options may stand between them, each with a value.
 * `|` separates alternatives, `*` in a word is any text, `**` any words (six at most). A word that begins with a dash is an
 * option, or several to choose from, and stands anywhere behind the verbs. A pattern whose program is `*` is about what any
 * program is told to do, those aside that are only given texts.
 */
export type CommandPattern = string

export interface CommandFound {
  /** The command as far as it was looked for: `git push origin -f`. Without secrets. */
  phrase: string
  /** The option that was looked for, without its value. */
  option?: string
  /** What stands behind the verbs, options aside. */
  operands: string[]
  invocation: Invocation
}

export type FindCommand = (invocation: Invocation) => CommandFound | undefined

interface Pattern {
  /** Undefined for any. */
  programs: string[] | undefined
  verbs: (IsWord | 'some')[]
  options: string[] | undefined
}

type IsWord = (word: string) => boolean

/** Finds the first of the patterns that an invocation is of. */
export function commandFinder(patterns: readonly CommandPattern[]): FindCommand {
  const all = patterns.map(patternOf)
  const ofAny = all.filter(({ programs }) => !programs)
  const named = new Set(all.flatMap(({ programs = [] }) => programs))
  const of = new Map([...named].map((one) => [one, all.filter(({ programs }) => programs?.includes(one) ?? true)]))
  return (invocation) => {
    const isTold = takesOrders(invocation)
    for (const pattern of of.get(invocation.program) ?? ofAny) {
      const found = pattern.programs || isTold ? foundBy(pattern, invocation) : undefined
      if (found) return found
    }
    return undefined
  }
}

function patternOf(pattern: CommandPattern): Pattern {
  const [program = '', ...words] = pattern.split(' ')
  const verbs = words.filter((word) => !word.startsWith('-'))
  return {
    programs: program === '*' ? undefined : program.split('|'),
    verbs: verbs.map((word) => (word === '**' ? 'some' : isOneOf(word))),
    options: words.find((word) => word.startsWith('-'))?.split('|'),
  }
}

function isOneOf(alternatives: string): IsWord {
  const all = alternatives.split('|').map((one) => {
    if (!one.includes('*')) return (word: string) => word === one
    const parts = one.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}]/g, '\\$&'))
    const whole = new RegExp(`^${parts.join('[^]*')}$`)
    return (word: string) => whole.test(word.slice(0, LONGEST_WORD))
  })
  return (word) => all.some((is) => is(word))
}

const LONGEST_WORD = 200
const MOST_BETWEEN = 6
/** A verb stands near the beginning. */
const MOST_ARGS = 60

function foundBy({ programs, verbs, options }: Pattern, invocation: Invocation): CommandFound | undefined {
  const { program, args } = invocation
  const end = behindVerbs(verbs, args.slice(0, MOST_ARGS), program)
  if (end === undefined) return undefined
  const rest = args.slice(end)
  // `npm run lint -- --fix` hands on what stands there, to any program.
  const dashes = programs ? rest.indexOf('--') : -1
  const own = dashes < 0 ? rest : rest.slice(0, dashes)
  const at = options === undefined ? -1 : own.findIndex((arg) => options.some((one) => isGiven(one, arg, program)))
  if (options !== undefined && at < 0) return undefined
  const told = args.slice(0, end + at + 1)
  return {
    phrase: shown(programs ? [program, ...told] : told),
    ...(at >= 0 && { option: shown([rest[at]!.replace(/=.*/s, '')]) }),
    operands: [...own.filter((arg) => !arg.startsWith('-')), ...rest.slice(own.length + 1)],
    invocation,
  }
}

/** Where the arguments behind the verbs begin; undefined where the verbs are others. */
function behindVerbs(verbs: Pattern['verbs'], args: readonly string[], program: string, from = 0): number | undefined {
  const [verb, ...others] = verbs
  if (verb === undefined) return from
  if (verb === 'some') {
    for (let skipped = 0; skipped <= MOST_BETWEEN && from + skipped < args.length; skipped++) {
      const end = behindVerbs(others, args, program, from + skipped)
      if (end !== undefined) return end
    }
    return undefined
  }
  const ofProgram = Object.hasOwn(TAKE_VALUES, program) ? TAKE_VALUES[program]! : undefined
  for (let at = from; at < args.length; at++) {
    const arg = args[at]!
    if (!arg.startsWith('-')) return verb(arg) ? behindVerbs(others, args, program, at + 1) : undefined
    const next = args[at + 1]
    if (next === undefined || next.startsWith('-') || arg.includes('=')) continue
    // Whether an option of any program takes a value is not known: what stands behind it may be the verb.
    const end = !ofProgram && verb(next) ? behindVerbs(others, args, program, at + 2) : undefined
    if (end !== undefined) return end
    if (!ofProgram || ofProgram.test(arg)) at++
  }
  return undefined
}

/** The options before a verb that take a value, of programs that have many others. */
const TAKE_VALUES: Record<string, RegExp> = {
  git: /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|exec-path))$/,
  npm: /^(?:-[Cw]|--(?:prefix|workspace|loglevel|registry|cache|userconfig))$/,
  pnpm: /^(?:-[CF]|--(?:dir|filter))$/,
  yarn: /^--cwd$/,
  cargo: /^(?:-[CZ]|--(?:config|color|manifest-path))$/,
}

/** `-f` is given in `-uf` as well, `--force` in `--force=true`; in `-mfix` stands a text. */
function isGiven(option: string, arg: string, program: string): boolean {
  if (!/^-\w$/.test(option)) return arg === option || arg.startsWith(`${option}=`)
  const letters = /^-(\w+)/.exec(arg)?.[1] ?? ''
  const withText = Object.hasOwn(TAKE_THE_REST, program) ? TAKE_THE_REST[program]! : ''
  const text = [...letters].findIndex((letter) => withText.includes(letter))
  return (text < 0 ? letters : letters.slice(0, text + 1)).includes(option[1]!)
}

/** Letters behind which stands a value and no other letter. */
const TAKE_THE_REST: Record<string, string> = {
  git: 'mFCctSo',
  sed: 'efl',
  gsed: 'efl',
  perl: 'eEIMm',
  ruby: 'eIrC',
}

/** Words as people may read them: on one line and without secrets. */
export function shown(words: readonly string[]): string {
  return redact(words.join(' ').replaceAll(UNKNOWN, '…').replace(/\s+/g, ' '))
}

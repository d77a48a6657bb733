import { known, type Value } from './values.ts'

/** A command's arguments, sorted into options and operands the way `getopt` does. */
export interface Options {
  has(...names: string[]): boolean
  /** The last value given. */
  get(...names: string[]): Value | undefined
  all(...names: string[]): Value[]
  operands: Value[]
}

/** Names without dashes, with spaces between; one letter is a short option. */
export interface OptionNames {
  /** Options that take the next argument. */
  values?: string
  /** Options that take only what sticks to them, as `sed -i.bak`. */
  attached?: string
  /** `-out file` in the style of openssl and Go: one dash, one whole name. */
  singleDash?: boolean
  /** Everything after the first operand is an operand, as in `env` or `ssh`. */
  stopAtOperand?: boolean
}

interface Given {
  name: string
  value?: Value
}

/** Sorts arguments into options and operands: `--`, `-rf`, `-ofile`, `--output=file`, `--output file`. */
export function readOptions(args: Value[], names: OptionNames = {}): Options {
  const given: Given[] = []
  const operands: Value[] = []
  // Taken from the end, which costs nothing however many there are.
  const rest = args.toReversed()
  while (rest.length > 0) {
    const arg = rest.pop()!
    if (arg.text === '--') {
      operands.push(...rest.toReversed())
      break
    }
    if (arg.text !== '-' && arg.text.startsWith('-')) {
      const isLong = names.singleDash || arg.text.startsWith('--')
      given.push(...(isLong ? readLong(arg, rest, names) : readShort(arg, rest, names)))
      continue
    }
    operands.push(arg)
    if (!names.stopAtOperand) continue
    operands.push(...rest.toReversed())
    break
  }
  const matching = (wanted: string[]) => given.filter(({ name }) => wanted.includes(name))
  return {
    operands,
    has: (...wanted) => matching(wanted).length > 0,
    all: (...wanted) => matching(wanted).flatMap(({ value }) => value ?? []),
    get: (...wanted) => matching(wanted).findLast(({ value }) => value)?.value,
  }
}

/** Takes its value off the rest when it needs one. */
function readLong(arg: Value, rest: Value[], { values }: OptionNames): Given[] {
  const [, name, text] = /^--?([^=]*)(?:=(.*))?$/s.exec(arg.text)!
  if (text !== undefined) return [{ name: name!, value: { ...arg, text } }]
  return [optional(name!, isAmong(name!, values) ? rest.pop() : undefined)]
}

function readShort(arg: Value, rest: Value[], { values, attached }: OptionNames): Given[] {
  const given: Given[] = []
  for (let at = 1; at < arg.text.length; at++) {
    const name = arg.text[at]!
    const tail = arg.text.slice(at + 1)
    if (isAmong(name, attached)) return [...given, { name, value: known(tail) }]
    if (isAmong(name, values)) return [...given, optional(name, tail === '' ? rest.pop() : { ...arg, text: tail })]
    given.push({ name })
  }
  return given
}

function optional(name: string, value: Value | undefined): Given {
  return value ? { name, value } : { name }
}

function isAmong(name: string, names: string | undefined): boolean {
  return names !== undefined && ` ${names} `.includes(` ${name} `)
}

import type { ShellNode, ShellOperation, ShellPart, ShellWord } from './ast.ts'
import type { Effort } from './effort.ts'
import { isKnown, known, type Output, patternSource, UNKNOWN, unknown, type Value } from './values.ts'

/** Where a command stands: its folder and what its variables hold. Each subshell works on a copy. */
export interface Place {
  /** Undefined after a `cd` that only the running shell can follow. */
  cwd: string | undefined
  previous: string | undefined
  /** Where `popd` leads. */
  pushed: PushedFolder | undefined
  variables: Map<string, Value[]>
  functions: Map<string, ShellNode[]>
  /** `$1`, `$2` …; undefined when not known. */
  args: Value[] | undefined
  /** One for the whole command: copies share it. */
  effort: Effort
}

/** What `pushd` has left, and what lay on the stack then. */
interface PushedFolder {
  cwd: string | undefined
  below: PushedFolder | undefined
}

/** What expansion asks of the walker: run a substitution for its effects and tell what it prints. */
export type Substitute = (script: ShellNode[]) => Output

/** Names whose value differs from run to run but never holds a slash. */
const NUMBERS = new Set([
  '?',
  '#',
  '!',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'UID',
  'EUID',
  'PPID',
  'BASHPID',
  'USER',
  'LOGNAME',
])

/** One word as the shell would expand it: usually one value, several after splitting or from an array. */
export function expandWord(word: ShellWord, place: Place, substitute: Substitute): Value[] {
  const first = word[0]
  if (first?.type === 'words') return expandWords(first.words, place, substitute)
  let grown: Value[] = [{ text: '', glob: false }]
  for (const [index, part] of word.entries()) {
    const pieces = expandPart(part, index === 0, place, substitute)
    grown = append(grown, pieces)
    if (isTooMuch(grown) || !place.effort.spend(lettersOf(pieces))) return [unknown()]
  }
  const isSplitToNothing = word.length > 0 && grown.length === 1 && grown[0]!.text === '' && word.every(canVanish)
  return isSplitToNothing ? [] : grown
}

/** Several words, one after the other. */
export function expandWords(words: readonly ShellWord[], place: Place, substitute: Substitute): Value[] {
  const all: Value[] = []
  let letters = 0
  for (const word of words) {
    const values = expandWord(word, place, substitute)
    for (const value of values) all.push(value)
    letters += lettersOf(values)
    if (all.length > MOST_VALUES || letters > MOST_LETTERS) return [...all.slice(0, MOST_VALUES), unknown()]
  }
  return all
}

/** `A=$A$A` doubles a text and `A=("${A[@]}" "${A[@]}")` a list, so a short command could fill the memory. */
const MOST_LETTERS = 1024 * 1024
const MOST_VALUES = 20_000

export function isTooMuch(values: readonly Value[]): boolean {
  return values.length > MOST_VALUES || lettersOf(values) > MOST_LETTERS
}

function lettersOf(values: readonly Value[]): number {
  return values.reduce((sum, { text }) => sum + text.length, 0)
}

/** A word that is one value whatever it holds: an assignment, a redirection target, a here-string. */
export function expandOne(word: ShellWord, place: Place, substitute: Substitute): Value {
  const values = expandWord(word, place, substitute)
  if (values.length === 1) return values[0]!
  return { text: values.map((value) => value.text).join(' '), glob: values.some((value) => value.glob) }
}

/** Text pieces that touch grow together: `a$x` with x="b c" is `ab` and `c`. */
function append(grown: Value[], pieces: Value[]): Value[] {
  if (pieces.length === 0) return grown
  const last = grown.at(-1)!
  if (last.text === '') return [...grown.slice(0, -1), ...pieces]
  const joined = { text: last.text + pieces[0]!.text, glob: last.glob || pieces[0]!.glob }
  return [...grown.slice(0, -1), joined, ...pieces.slice(1)]
}

function canVanish(part: ShellPart): boolean {
  return (part.type === 'variable' || part.type === 'output') && !part.quoted
}

function expandPart(part: ShellPart, atStart: boolean, place: Place, substitute: Substitute): Value[] {
  switch (part.type) {
    case 'text':
      return [atStart && !part.quoted ? expandTilde(part.text, place) : known(part.text)]
    case 'glob':
      return [{ text: part.text, glob: true }]
    case 'number':
      for (const script of part.scripts) substitute(script)
      return [{ text: '*', glob: true }]
    case 'variable':
      return split(
        variableValues(part.name, part.operation, place, substitute),
        part.quoted,
        part.name === '@' || part.name.endsWith('[@]'),
        place,
      )
    case 'output':
      return split(substitute(part.script) ?? [unknown()], part.quoted, false, place)
    case 'process':
      return [{ ...known('/dev/fd/63'), origin: { output: substitute(part.script) } }]
    case 'words':
      return [expandOne([part], place, substitute)]
  }
}

function expandTilde(text: string, place: Place): Value {
  const named = /^~([^/]*)/.exec(text)
  if (!named) return known(text)
  const rest = text.slice(named[0].length)
  if (named[1] === '+' || named[1] === '-') {
    const folder = named[1] === '+' ? place.cwd : place.previous
    return folder === undefined ? unknown() : known(folder + rest)
  }
  // On the stack of folders.
  if (/^[-+]?\d+$/.test(named[1]!)) return unknown()
  const home = named[1] === '' ? place.variables.get('HOME')?.[0] : undefined
  // Another person's home is outside every project of ours, wherever exactly it lies.
  if (!home) return named[1] === '' ? known(text) : known(`/home/${named[1]}${rest}`)
  return { ...home, text: home.text + text.slice(1) }
}

function split(values: Value[], quoted: boolean, separate: boolean, { variables }: Place): Value[] {
  if (quoted) {
    if (separate || values.length <= 1) return values
    return [{ text: values.map((value) => value.text).join('\n'), glob: values.some((value) => value.glob) }]
  }
  // With separators of its own, where one word ends is left to the shell.
  const separators = variables.get('IFS')?.[0]?.text
  if (separators !== undefined && values.some(({ text }) => mayPart(text, separators))) return [unknown()]
  return values.flatMap((value) => {
    const words = value.text.split(/\s+/).filter(Boolean)
    return words.map((text) => ({ text, glob: value.glob || /[*?[]/.test(text) }))
  })
}

function mayPart(text: string, separators: string): boolean {
  return separators.includes(UNKNOWN) || /\s/.test(text) || Array.from(separators).some((one) => text.includes(one))
}

function variableValues(
  name: string,
  operation: ShellOperation | undefined,
  place: Place,
  substitute: Substitute,
): Value[] {
  const values = plainVariable(name, place)
  if (!operation || values.length === 0) return values
  const { operator, operand, replacement } = operation
  // Once, however many values and uses: operands hold operands, and each further expansion would multiply the work.
  const by = {
    operand: expandOne(operand, place, substitute),
    replacement: replacement ? expandOne(replacement, place, substitute) : known(''),
  }
  return values.flatMap((value) => operate(value, operator, by))
}

function plainVariable(name: string, place: Place): Value[] {
  if (name === '@' || name === '*') return place.args ?? [unknown()]
  if (/^[1-9]\d*$/.test(name)) return place.args ? [place.args[Number(name) - 1] ?? known('')] : [unknown()]
  if (name === 'PWD') return [place.cwd === undefined ? unknown() : known(place.cwd)]
  if (name === 'OLDPWD') return [place.previous === undefined ? unknown() : known(place.previous)]
  // The number of the shell is the same everywhere in the command, so files named with it are the same files.
  if (name === '$') return [known('$$')]
  if (NUMBERS.has(name)) return [{ text: '*', glob: true }]
  const element = /^(\w+)\[(.+)\]$/.exec(name)
  if (!element) return place.variables.get(name)?.slice(0, 1) ?? [unknown()]
  const all = place.variables.get(element[1]!)
  if (!all) return [unknown()]
  if (element[2] === '@' || element[2] === '*') return all
  return [all[Number(element[2])] ?? unknown()]
}

function operate(
  value: Value,
  operator: ShellOperation['operator'],
  { operand, replacement }: { operand: Value; replacement: Value },
): Value[] {
  const pattern = literalOf(operand)
  switch (operator) {
    case '-':
    case ':-':
    case '=':
    case ':=':
      // Not set in the command itself: the environment may hold it, but the fallback is the likely value.
      return [value.text === '' || value.text === UNKNOWN ? operand : value]
    case '%':
    case '%%':
    case '#':
    case '##': {
      if (pattern === undefined || !isQuick(value.text, pattern)) return [unknown()]
      return [{ ...value, text: cut(value.text, operator, pattern) }]
    }
    case '/':
    case '//': {
      const by = literalOf(replacement)
      if (pattern === undefined || by === undefined || !isQuick(value.text, pattern)) return [unknown()]
      const found = new RegExp(patternSource(pattern, true), operator === '//' ? 'g' : '')
      return [{ ...value, text: value.text.replace(found, () => by) }]
    }
    case '/#':
    case '/%': {
      const by = literalOf(replacement)
      if (pattern === undefined || by === undefined || !isQuick(value.text, pattern)) return [unknown()]
      const source = patternSource(pattern, true)
      const found = new RegExp(operator === '/#' ? `^(?:${source})` : `(?:${source})$`)
      return [{ ...value, text: value.text.replace(found, () => by) }]
    }
    case ',,':
      return [{ ...value, text: value.text.toLowerCase() }]
    case '^^':
      return [{ ...value, text: value.text.toUpperCase() }]
    default:
      return [isKnown(value) ? { text: '*', glob: true } : unknown()]
  }
}

/** The pattern of an operation; its wildcards are ordinary here. */
function literalOf(value: Value): string | undefined {
  const isWhole = isKnown(value) && value.text.lastIndexOf('[') <= value.text.lastIndexOf(']')
  return isWhole ? value.text : undefined
}

/** Each wildcard multiplies the work of matching; patterns and values beyond this limit are not written by hand. */
export function isQuick(text: string, pattern: string): boolean {
  return text.length ** pattern.split('*').length < 1e7
}

function cut(text: string, operator: string, pattern: string): string {
  const greedy = operator.length === 2
  const source = patternSource(pattern, greedy)
  if (operator.startsWith('#')) return text.replace(new RegExp(`^${source}`), '')
  // A lazy pattern still starts as far left as it can, so the shortest tail is found by starting late.
  const found = new RegExp(greedy ? `${source}$` : `^(.*)${source}$`, greedy ? '' : 's').exec(text)
  if (!found) return text
  return greedy ? text.slice(0, found.index) : found[1]!
}

/** What copying or comparing one variable costs, next to one letter of a text. */
const ENTRY = 5

/** A copy in which `cd`, variables and functions can change without touching the original. */
export function copyPlace(place: Place): Place {
  // Nothing is followed any more that could change it.
  if (!place.effort.spend(ENTRY * (place.variables.size + place.functions.size))) return { ...place }
  return { ...place, variables: new Map(place.variables), functions: new Map(place.functions) }
}

/** What still holds when one of several ways was taken: everything they agree on. */
export function mergePlaces(before: Place, ways: Place[]): Place {
  const merged = copyPlace(before)
  if (!before.effort.spend(ENTRY * ways.reduce((sum, { variables }) => sum + variables.size * ways.length, 0)))
    return merged
  const cwds = new Set(ways.map((way) => way.cwd))
  merged.cwd = cwds.size === 1 ? ways[0]!.cwd : undefined
  if (ways.some(({ pushed }) => pushed !== before.pushed)) merged.pushed = unknownStack()
  for (const way of ways) {
    for (const [name, values] of way.variables) {
      const same = ways.every((other) => sameValues(other.variables.get(name), values))
      merged.variables.set(name, same ? values : [unknown()])
    }
    for (const [name, body] of way.functions) merged.functions.set(name, body)
  }
  return merged
}

/** A stack of folders of which only the running shell knows. */
export function unknownStack(): PushedFolder {
  const stack: PushedFolder = { cwd: undefined, below: undefined }
  stack.below = stack
  return stack
}

function sameValues(left: Value[] | undefined, right: Value[]): boolean {
  return left?.length === right.length && left.every((value, index) => value.text === right[index]!.text)
}

/** Lines a command prints when they are all there to read. */
export function asText(output: Output): string | undefined {
  if (!output || output.some((value) => value.glob || value.text.includes(UNKNOWN))) return undefined
  return output.map((value) => value.text).join('\n')
}

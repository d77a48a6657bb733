import { patternEnd } from './pattern-end.ts'

/** Whether an awk program, given as text, runs commands, loads code or opens a pipe. */
export function runsCommands(program: string): boolean {
  // `"date" | getline` runs a literal command, which the caller reads as a command line of its own.
  const code = withoutLiterals(program).replace(/(?<=[({;&!=]\s{0,3})" *"\s{0,3}\|&?\s{0,3}getline\b/g, '')
  return /(?:^|[^|])\|(?!\|)|\bsystem\s*\(|@(?:load|include|\w+\s*\()/.test(code)
}

/**
 * What its `print` statements are sent to, as the program spells it. Outside of such a statement, and in brackets, `>` compares.
 */
export function printTargets(program: string): string[] {
  const code = withoutLiterals(program)
  return Array.from(code.matchAll(/\bprintf?\b[^;}\n]*/g)).flatMap(({ 0: statement, index }) => {
    const at = topLevel(statement, '>')
    if (at < 0) return []
    const target = program.slice(index + at, index + statement.length).replace(/^>>?/, '')
    return [target.trim()]
  })
}

/** Where a letter stands that no bracket holds. */
function topLevel(statement: string, letter: string): number {
  let depth = 0
  for (let at = 0; at < statement.length; at++) {
    if ('(['.includes(statement[at]!)) depth++
    else if (')]'.includes(statement[at]!)) depth--
    else if (depth === 0 && statement[at] === letter) return at
  }
  return -1
}

/**
 * The names that such a target may stand for, with `*` for what only running it tells; undefined when that is where it begins.
 * `valuesOf`: what a variable may hold.
 */
export function targetNames(target: string, valuesOf: (name: string) => string[]): string[] | undefined {
  let names = ['']
  const plain = target.replace(/^\((.*)\)$/s, '$1')
  if (!/^(?:"(?:[^"\\]|\\.)*"|[\w$.\s]|\[[^\]]*\]|\([^()]*\))+$/.test(plain)) return undefined
  for (const [piece, text] of plain.matchAll(/"((?:[^"\\]|\\.)*)"|[$\w.]+(?:\[[^\]]*\]|\([^()]*\))?/g)) {
    const known = text !== undefined ? [text] : valuesOf(piece)
    const values = known.length > 0 ? known : ['*']
    names = names.flatMap((name) => values.map((value) => name + value)).slice(0, 50)
  }
  return names.some((name) => name === '' || name.startsWith('*')) ? undefined : names
}

/** A regular expression can only begin where a value is wanted; elsewhere the slash divides. */
const WANTS_VALUE = /(?:[({,;!~&|?:=<>+*%}-]|\b(?:return|print|in|case|else|do))$/

function wantsValue(before: string): boolean {
  const text = before.trimEnd()
  return text === '' || before.slice(text.length).includes('\n') || WANTS_VALUE.test(text)
}

/** The program letter for letter with its strings, regular expressions and comments blanked. */
function withoutLiterals(program: string): string {
  let code = ''
  for (let at = 0; at < program.length; ) {
    const end = literalEnd(program, at, code)
    const isString = program[at] === '"' && end !== undefined
    code += end === undefined ? program[at] : isString ? `"${' '.repeat(end - at - 2)}"` : ' '.repeat(end - at)
    at = end ?? at + 1
  }
  return code
}

function literalEnd(program: string, at: number, before: string): number | undefined {
  if (program[at] === '#') return lineEnd(program, at)
  if (program[at] === '"') return stringEnd(program, at + 1)
  return program[at] === '/' && wantsValue(before.slice(-200)) ? patternEnd(program, at + 1, '/') : undefined
}

function lineEnd(program: string, from: number): number {
  const end = program.indexOf('\n', from)
  return end < 0 ? program.length : end
}

function stringEnd(program: string, from: number): number | undefined {
  for (let at = from; at < program.length; at++) {
    if (program[at] === '"') return at + 1
    if (program[at] === '\\') at++
  }
  return undefined
}

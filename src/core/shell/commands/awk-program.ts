import { patternEnd } from './pattern-end.ts'

/** Whether an awk program, given as text, runs commands, loads code or opens a pipe. */
export function runsCommands(program: string): boolean {
  const code = withoutLiterals(program)
  return /(?:^|[^|])\|(?!\|)|\bsystem\s*\(|@(?:load|include|\w+\s*\()/.test(code)
}

/** A regular expression can only begin where a value is wanted; elsewhere the slash divides. */
const WANTS_VALUE = /(?:[({,;!~&|?:=<>+*%}-]|\b(?:return|print|in|case|else|do))$/

function wantsValue(before: string): boolean {
  const text = before.trimEnd()
  return text === '' || before.slice(text.length).includes('\n') || WANTS_VALUE.test(text)
}

/** The program with its strings and regular expressions emptied and its comments gone. */
function withoutLiterals(program: string): string {
  let code = ''
  for (let at = 0; at < program.length; ) {
    const end = literalEnd(program, at, code)
    code += end === undefined ? program[at] : program[at] === '"' ? '""' : ' '
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

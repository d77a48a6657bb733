import { tilde } from './paths.ts'
import { Trouble } from './trouble.ts'

/** Where a value came from. */
export type Source =
  | { kind: 'default' }
  | { kind: 'environment'; name: string }
  | { kind: 'option'; name: string }
  | { kind: 'file'; file: string; line?: number }

/** One thing that is wrong with the configuration. */
export interface Problem {
  source: Source
  key?: string
  what: string
}

/** Thrown with everything that is wrong on the command line at once. */
export class ConfigError extends Trouble {
  readonly problems: Problem[]

  constructor(problems: Problem[]) {
    const head = problems.length === 1 ? 'An option is wrong:' : `${problems.length} options are wrong:`
    super(
      [
        head,
        ...problems.map((problem) => `\n  ${headline(problem)}\n    ${problem.what.replaceAll('\n', '\n    ')}`),
      ].join('\n'),
      'Correct the command line; `grove doctor --settings --verbose` shows every setting, its value and what it is for.',
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** A file that cannot be read as settings at all, so that none of them is used. */
export function isWholeFile({ source, key }: Problem): boolean {
  return source.kind === 'file' && key === undefined
}

/** The first problem on one line, and a pointer to the others. */
export function describeUnused([first, ...others]: [Problem, ...Problem[]]): string {
  const what = isWholeFile(first) ? 'the settings of a file are not used' : 'a setting is not used'
  return `${what}: ${describeProblem(first)}${andMore(others)}`
}

/** How many problems are left out of a line, and what lists them. */
export function andMore(others: Problem[]): string {
  return others.length > 0 ? ` (and ${others.length} more: \`grove doctor\`)` : ''
}

/** A problem on one line. */
export function describeProblem(problem: Problem): string {
  return `${headline(problem)}: ${problem.what.split('\n')[0]}`
}

function headline({ source, key }: Problem): string {
  const where = describeSource(source)
  return key ? `${where}: ${key}` : where
}

/** A source as people read it: `environment PORT`, `~/.grove/config.toml:3`, `default`. */
export function describeSource(source: Source): string {
  switch (source.kind) {
    case 'default':
      return 'default'
    case 'environment':
      return `environment ${source.name}`
    case 'option':
      return `option ${source.name}`
    case 'file':
      return source.line ? `${tilde(source.file)}:${source.line}` : tilde(source.file)
  }
}

/** A wrong value as it is quoted back. */
export function describeFound(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(short(value))
  if (value instanceof Date) return 'a date'
  if (typeof value !== 'object' || value === null) return String(value)
  // Numbers beyond what JSON has are large integers.
  return short(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)))
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

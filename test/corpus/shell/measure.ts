import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readShell } from '#core/shell/reading.ts'
import { foldPath, joinPath } from '#core/shell/values.ts'
import { parseShell } from '#exec/syntax/shell.ts'

/** One command of the corpus, with the paths it writes when run in `/repo`. */
export interface ShellCase {
  command: string
  writes: string[]
  /** Running it may write more than can be read from it. */
  undecided?: true
}

/** How well the paths were found, and where not. */
export interface ShellScore {
  commands: number
  precision: number
  recall: number
  /** Commands whose "undecided" is as the corpus says. */
  agreement: number
  undecidedRate: number
  misses: string[]
}

/** Cases that are looked at while the rules are written. */
export const DEVELOPMENT = 'commands.jsonl'
/** Cases written afterwards, to see how the rules do on commands they were not made for. */
export const HOLDOUT = 'holdout.jsonl'
/** Cases of kinds that the others leave out, written without looking at the rules; then the rules were mended by them. */
export const BREADTH = 'breadth.jsonl'

/** Reads a corpus file of this folder. */
export function shellCases(folder: string, file: string): ShellCase[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ShellCase)
}

/** The writes found in one command, as absolute paths. */
export function found(command: string) {
  const { writes, undecided } = readShell(command, {
    parse: parseShell,
    cwd: '/repo',
    home: '/home/dev',
    root: '/repo',
  })
  return {
    paths: new Set(writes.map(({ path }) => foldPath(path))),
    undecided: undecided.length > 0,
    reasons: undecided,
  }
}

/** Counts every path once per command, over all commands together. */
export function scoreShell(cases: ShellCase[]): ShellScore {
  let right = 0
  let wrong = 0
  let missing = 0
  let agreed = 0
  let undecided = 0
  const misses: string[] = []
  for (const { command, writes, undecided: expected = false } of cases) {
    const got = found(command)
    const wanted = new Set(writes.map((path) => foldPath(joinPath('/repo', path))))
    const extra = [...got.paths].filter((path) => !wanted.has(path))
    const lost = [...wanted].filter((path) => !got.paths.has(path))
    right += wanted.size - lost.length
    wrong += extra.length
    missing += lost.length
    if (got.undecided === expected) agreed++
    if (got.undecided) undecided++
    if (extra.length + lost.length > 0 || got.undecided !== expected) {
      misses.push(
        `${command}\n    extra: ${extra.join(' ')}  lost: ${lost.join(' ')}  undecided: ${got.reasons.join('; ') || 'no'} (expected ${expected})`,
      )
    }
  }
  return {
    commands: cases.length,
    precision: right / (right + wrong),
    recall: right / (right + missing),
    agreement: agreed / cases.length,
    undecidedRate: undecided / cases.length,
    misses,
  }
}

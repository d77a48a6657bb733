import type { ShellNode } from './ast.ts'
import { expandOne, isQuick, type Place } from './expand.ts'
import { isKnown, literal, patternSource, type Value } from './values.ts'

/** What lies at a path; undefined where that cannot be known before the command runs. */
export type LookAt = (path: string) => 'file' | 'folder' | 'nothing' | undefined

/** Whether a command surely succeeds, or surely fails; undefined where only running it tells. */
export function outcomeOf(name: string, args: readonly Value[], lookAt: LookAt): boolean | undefined {
  switch (name) {
    case ':':
    case 'true':
      return true
    case 'false':
      return false
    case '[[':
      return answerToPattern(args) ?? answerTo(args.map(literal), lookAt)
    case 'test':
      return answerTo(args.map(literal), lookAt)
    case '[':
      return answerTo(args.slice(0, -1).map(literal), lookAt)
    default:
      return undefined
  }
}

/** `[[ x == y* ]]`: in there a pattern is one. */
function answerToPattern([left, operator, right, ...more]: readonly Value[]): boolean | undefined {
  const text = literal(left)
  if (text === undefined || !right?.glob || more.length > 0 || !/^[!=]?=$/.test(operator?.text ?? '')) return undefined
  const isFitting = fits(text, right)
  return operator!.text === '!=' ? negated(isFitting) : isFitting
}

type Word = string | undefined

/** What `test` says of words that are known. */
function answerTo(words: readonly Word[], lookAt: LookAt): boolean | undefined {
  const [first, second, third] = words
  if (first === '!' && words.length > 1) return negated(answerTo(words.slice(1), lookAt))
  if (words.some((word) => word === undefined)) return undefined
  if (words.length === 0) return false
  if (words.length === 1) return first !== ''
  if (words.length === 2)
    return first === '-z' ? second === '' : first === '-n' ? second !== '' : isThere(first!, lookAt(second!))
  return words.length === 3 ? COMPARED[second!]?.(first!, third!) : undefined
}

export function negated(outcome: boolean | undefined): boolean | undefined {
  return outcome === undefined ? undefined : !outcome
}

const COMPARED: Record<string, (left: string, right: string) => boolean | undefined> = {
  '=': (left, right) => left === right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '-eq': numbers((left, right) => left === right),
  '-ne': numbers((left, right) => left !== right),
  '-lt': numbers((left, right) => left < right),
  '-le': numbers((left, right) => left <= right),
  '-gt': numbers((left, right) => left > right),
  '-ge': numbers((left, right) => left >= right),
}

function numbers(compare: (left: number, right: number) => boolean) {
  return (left: string, right: string) =>
    [left, right].every((text) => /^-?\d{1,9}$/.test(text)) ? compare(Number(left), Number(right)) : undefined
}

/** `-f x`, `-d x`: of a file that is there the finer questions (`-s`, `-x`) stay open. */
function isThere(question: string, found: ReturnType<LookAt>): boolean | undefined {
  if (found === undefined || !/^-[efdrwxsLh]$/.test(question)) return undefined
  if (found === 'nothing') return false
  return question === '-e'
    ? true
    : question === '-d' || question === '-f'
      ? (found === 'folder') === (question === '-d')
      : undefined
}

type Branch = (ShellNode & { type: 'case' })['branches'][number]

/** The branch of a `case` that surely runs; one without commands when none does. Undefined where only running it tells. */
export function fittingBranch(
  value: Value,
  branches: readonly Branch[],
  place: Place,
): Pick<Branch, 'body'> | undefined {
  const text = literal(value)
  if (text === undefined) return undefined
  for (const branch of branches) {
    const answers = branch.patterns.map((word) =>
      fits(
        text,
        expandOne(word, place, () => undefined),
      ),
    )
    const isFitting = answers.includes(true)
    if (isFitting ? branch.goesOn : answers.includes(undefined)) return undefined
    if (isFitting) return branch
  }
  return { body: [] }
}

function fits(text: string, pattern: Value): boolean | undefined {
  if (!isKnown(pattern) || /[[(]/.test(pattern.text) || !isQuick(text, pattern.text)) return undefined
  return new RegExp(`^(?:${patternSource(pattern.text, true)})$`, 's').test(text)
}

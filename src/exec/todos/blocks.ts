import type { TodoBlock } from '#core/ports/repository.ts'
import type { Comment } from '../syntax/comments.ts'

/** Comment blocks that begin with a mark: the lines that belong together, without their signs. */

type Found = Omit<TodoBlock, 'path'>

const MARK = /^(?:[-*]\s+)?(TODO|FIXME|DEPENDENCY)(?:\s?\([^)\n]{0,60}\))?\s*:/
/** These go on after an empty line; a tag of the documentation ends the block. */
const GOES_ON = /^(?:Impact|Options?|Priority)\s*:/i
const TAG = /^@\w/
const LIMIT = { lines: 40, letters: 4000 }

/** Whether it is worth looking for comments at all. */
export function mayHaveTodos(text: string): boolean {
  return /\b(?:TODO|FIXME|DEPENDENCY)\b/.test(text)
}

export function todoBlocks(comments: readonly Comment[]): Found[] {
  return groups(comments).flatMap(blocksIn)
}

interface Line {
  number: number
  text: string
}

/** Comments of one line each, under each other at the same column, are one. */
function groups(comments: readonly Comment[]): Line[][] {
  const found: Line[][] = []
  let last: Comment | undefined
  for (const comment of comments) {
    const lines = plainLines(comment)
    const isNext =
      last !== undefined && comment.line === last.line + 1 && comment.column === last.column && comment.alone
    if (isNext && isOneLine(comment) && isOneLine(last!)) found.at(-1)!.push(...lines)
    else found.push(lines)
    last = comment
  }
  return found
}

function isOneLine({ text }: Comment): boolean {
  // A line comment of some grammars ends with its line end.
  return !text.trimEnd().includes('\n')
}

const OPENING = /^\s*(?:\/\*+!?|\/\/+!?|<!--+|--\[\[|--+|#+!?|;+|=begin\b|%+)/
const CLOSING = /(?:(?<!\*)\*+\/|(?<!-)--+>|\]\]|^\s*=end)\s*$/

function plainLines({ line, text }: Comment): Line[] {
  const isBlock = /^\s*(?:\/\*|<!--|--\[\[|=begin)/.test(text)
  const lines = text.trimEnd().split(/\r?\n/)
  return lines.map((each, at) => {
    const opened = at === 0 ? each.replace(OPENING, '') : each.replace(/^\s*\*+(?!\/)/, '')
    const closed = isBlock && at === lines.length - 1 ? opened.replace(CLOSING, '').replace(/^\s*\*+\s*$/, '') : opened
    return { number: line + at, text: closed.trim() }
  })
}

function blocksIn(lines: readonly Line[]): Found[] {
  const blocks: { found: Found; ended: boolean }[] = []
  for (const { number, text } of lines) {
    const type = MARK.exec(text)?.[1] as TodoBlock['type'] | undefined
    if (type) {
      blocks.push({ found: { line: number, type, text }, ended: false })
      continue
    }
    const block = blocks.at(-1)
    if (!block) continue
    if (text === '' || TAG.test(text)) block.ended = true
    else if (!block.ended || GOES_ON.test(text)) {
      block.ended = false
      block.found.text += `\n${text}`
    }
  }
  return blocks.map(({ found }) => ({ ...found, text: capped(found.text) }))
}

function capped(text: string): string {
  return text.split('\n').slice(0, LIMIT.lines).join('\n').slice(0, LIMIT.letters)
}

/** The same block before and after other lines have moved it: its first line, and which of several alike it is. */
export function newBlocks(before: readonly Found[], now: readonly Found[]): Found[] {
  const known = new Map<string, number>()
  for (const block of before) known.set(keyOf(block), (known.get(keyOf(block)) ?? 0) + 1)
  return now.filter((block) => {
    const left = known.get(keyOf(block)) ?? 0
    known.set(keyOf(block), left - 1)
    return left <= 0
  })
}

function keyOf({ text }: Found): string {
  return text.split('\n')[0]!.toLowerCase().replace(/\s+/g, ' ').trim()
}

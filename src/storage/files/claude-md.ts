import { join } from 'node:path'
import { changeText } from './change-text.ts'

/** Lessons in CLAUDE.md: one marked section that is Grove's, in a file that is the user's. */

const BEGIN = '<!-- grove:lessons -->'
const END = '<!-- /grove:lessons -->'
const HEADING = '## Lessons Learned'
/** More would not be read; the oldest goes first. */
const MOST_LESSONS = 50

/** Adds a lesson to the section, unless it says what one there already says. Resolves to whether it was added. */
export function addLesson(root: string, lesson: string, date: string): Promise<boolean> {
  return changeText(join(root, 'CLAUDE.md'), (text) => withLesson(text, lesson, date))
}

/** The text with the lesson in it; undefined when it is there already. */
export function withLesson(text: string, lesson: string, date: string): string | undefined {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const plain = text.replaceAll('\r\n', '\n')
  const start = plain.indexOf(BEGIN)
  const end = start < 0 ? -1 : plain.indexOf(END, start)
  const inside = start < 0 ? '' : plain.slice(start + BEGIN.length, end < 0 ? undefined : end)
  // A section whose end mark was lost runs to its last lesson; what follows is the user's.
  const section = start < 0 || end >= 0 ? inside : upToLastLesson(inside)
  const lines = section.trim() === '' ? [HEADING, ''] : section.replace(/^\s*\n|(?<!\s)\s+$/g, '').split('\n')
  const tidy = lesson.replace(/\s+/g, ' ').trim()
  if (tidy === '' || lines.some((line) => isItem(line) && gist(line) === gist(`- ${tidy}`))) return undefined
  const block = `${BEGIN}\n${withoutOldest(added(lines, `- ${tidy} (${date})`)).join('\n')}\n${END}`
  const after =
    start < 0
      ? `${plain.trimEnd()}${plain.trim() === '' ? '' : '\n\n'}${block}\n`
      : plain.slice(0, start) + block + (end < 0 ? inside.slice(section.length) : plain.slice(end + END.length))
  return after.replaceAll('\n', newline)
}

/** Below the last lesson and what belongs to it; whatever else a person wrote between the marks stays where it is. */
function added(lines: string[], item: string): string[] {
  const last = lines.findLastIndex(isItem)
  if (last < 0) return [...lines, ...(lines.at(-1) === '' ? [] : ['']), item]
  const next = last + lengthOfItem(lines, last)
  return [...lines.slice(0, next), item, ...lines.slice(next)]
}

function withoutOldest(lines: string[]): string[] {
  const ours = lines.flatMap((line, at) => (DATED.test(line) ? [at] : []))
  const oldest = ours[0]
  if (oldest === undefined || ours.length <= MOST_LESSONS) return lines
  return lines.toSpliced(oldest, lengthOfItem(lines, oldest))
}

/** A lesson that Grove wrote ends with its date. */
const DATED = /^- .*\(\d{4}-\d{2}-\d{2}\)\s*$/

function isItem(line: string): boolean {
  return line.startsWith('- ')
}

/** An item and the indented lines that go on with it. */
function lengthOfItem(lines: string[], at: number): number {
  const next = lines.findIndex((line, index) => index > at && !/^\s+\S/.test(line))
  return (next < 0 ? lines.length : next) - at
}

function upToLastLesson(inside: string): string {
  const lines = inside.split('\n')
  const last = lines.findLastIndex((line) => isItem(line) || line === HEADING)
  return lines.slice(0, last + 1).join('\n')
}

/** What a lesson says, without date, case and punctuation. */
function gist(line: string): string {
  return line
    .replace(/(?<!\s)\s*\(\d{4}-\d{2}-\d{2}\)\s*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

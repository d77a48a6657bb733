import { join } from 'node:path'
import { changeText } from './change-text.ts'

/** Lessons in CLAUDE.md: one marked section that is Grove's, in a file that is the user's. */

const BEGIN = '<!-- grove:lessons -->'
const END = '<!-- /grove:lessons -->'
const HEADING = '## Lessons Learned'
/** More would be read by nobody; the oldest goes first. */
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
  const section = start < 0 ? '' : plain.slice(start + BEGIN.length, end < 0 ? undefined : end)
  const lessons = section.split('\n').filter((line) => line.startsWith('- '))
  const tidy = lesson.replace(/\s+/g, ' ').trim()
  if (tidy === '' || lessons.some((line) => gist(line) === gist(`- ${tidy}`))) return undefined
  const kept = [...lessons, `- ${tidy} (${date})`].slice(-MOST_LESSONS)
  const block = `${BEGIN}\n${HEADING}\n\n${kept.join('\n')}\n${END}`
  const after =
    start < 0
      ? `${plain.trimEnd()}${plain.trim() === '' ? '' : '\n\n'}${block}\n`
      : // A section whose end mark was lost runs to its last lesson; what follows is the user's.
        plain.slice(0, start) + block + (end < 0 ? afterLessons(section) : plain.slice(end + END.length))
  return after.replaceAll('\n', newline)
}

function afterLessons(section: string): string {
  const lines = section.split('\n')
  const last = lines.findLastIndex((line) => line.startsWith('- ') || line === HEADING)
  return `\n${lines.slice(last + 1).join('\n')}`
}

/** What a lesson says, without date, case and punctuation. */
function gist(line: string): string {
  return line
    .replace(/\s*\(\d{4}-\d{2}-\d{2}\)\s*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

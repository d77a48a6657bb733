import { isToldValue } from '../values.ts'

/** Secrets in a part of a file whose heading names them: below `secrets:`, `[credentials]` or `"tokens": {`, whatever their own names are. */

const HEADING =
  /^[ \t]{0,40}(?:\[{1,2}|["']?)[\w.-]{0,30}(?:secrets|credentials|passwords|tokens|api_?keys)(?:\]{1,2}|["']?[ \t]{0,8}[:=][ \t]{0,8}\{?)[ \t]{0,8}$/gim
const ENTRY = /^([ \t]*["']?[\w.-]{1,40}["']?[ \t]*[:=][ \t]*["']?)([^\s"']{16,200})(?=["']?,?[ \t]*$)/
const MOST_LINES = 40

export function sectionSecrets(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: heading, index } of text.matchAll(HEADING)) {
    let at = index + heading.length + 1
    if (at < done || at >= text.length) continue
    const isFlat = heading.trim().startsWith('[')
    for (let lines = 0; lines < MOST_LINES && at < text.length; lines++) {
      const end = text.indexOf('\n', at)
      const line = text.slice(at, Math.min(end < 0 ? text.length : end, at + 300))
      if (isFlat ? /^[ \t]*(?:\[|$)/.test(line) : depth(line) <= depth(heading)) break
      const entry = ENTRY.exec(line)
      if (entry && isToldValue(entry[2]!, 'weak') && !/\bid|name|url|path|ref/i.test(entry[1]!)) {
        const start = at + entry[1]!.length
        result += text.slice(done, start) + mask
        done = start + entry[2]!.length
      }
      if (end < 0) break
      at = end + 1
    }
  }
  return result + text.slice(done)
}

function depth(line: string): number {
  return line.length - line.trimStart().length
}

import { UNKNOWN } from '../values.ts'
import { patternEnd } from './pattern-end.ts'

/** What a sed script does beside printing. */
export interface SedScript {
  /** Files it writes: `w`, `W` and the `w` of a substitution. */
  writes: string[]
  /** What a substitution puts there and then runs, as far as it stands there in letters. */
  commands: string[]
  /** It runs commands: `e`, or the `e` of a substitution. */
  runs: boolean
  /** It was understood to its end; otherwise it may do more than is listed. */
  isRead: boolean
}

/** A line, the last one, a step or a count; a number may be known only when it runs. */
const NUMBER = new RegExp(`[\\d$~+${UNKNOWN}]+`, 'y')
const PLAIN = /[=dDgGhHnNpPxzF]/y
const LABEL = /[:btTv][^\n;}]*/y
const NUMBERED = /[qQlL]\s*\d*/y
/** Text to print, up to the first line that does not end with a backslash. */
const TEXT = /[aic](?:\\\n|[^\n\\]|\\.)*/sy
const FILE = /\s*([^\n]*)/y
const FLAGS = /[gpiImM\d]*/y

/** Reads a script command by command, as sed does; several `-e` are one script with a line each. */
export function readSedScript(script: string): SedScript {
  const found: SedScript = { writes: [], commands: [], runs: false, isRead: true }
  let at = 0
  let put = ''
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(script)
    if (match) at = pattern.lastIndex
    return match
  }
  /** Whatever letter stands here begins a pattern, and ends it. */
  const pattern = (mark = script[at]): boolean => {
    const end = mark === undefined || /[\\\n]/.test(mark) ? undefined : patternEnd(script, at + 1, mark)
    at = end ?? at
    return end !== undefined
  }
  const address = (): boolean => {
    if (take(NUMBER)) return true
    if (script[at] === '\\') at++
    else if (script[at] !== '/') return false
    return pattern() && take(/[IM]*/y) !== null
  }
  /** The two parts of `s/a/b/` or `y/a/b/`; the second may hold any letter, and line ends after a backslash. */
  const sections = (): boolean => {
    const mark = script[at]
    if (!pattern(mark)) return false
    const from = at
    while (at < script.length && script[at] !== mark) at += script[at] === '\\' ? 2 : 1
    put = script.slice(from, at)
    return at++ < script.length
  }
  const writeTo = () => found.writes.push(take(FILE)![1]!.trim())

  const command = (): boolean => {
    if (take(PLAIN) || take(LABEL) || take(NUMBERED) || take(TEXT)) return true
    const letter = script[at++]
    switch (letter) {
      case '{':
        return true
      case 'r':
      case 'R':
        return take(FILE) !== null
      case 'w':
      case 'W':
        return writeTo() > 0
      case 'e':
        found.runs = true
        return take(FILE) !== null
      case 'y':
        return sections()
      case 's':
        return sections() && flags()
      default:
        return false
    }
  }
  const flags = () => {
    take(FLAGS)
    if (script[at] === 'e') {
      found.runs = true
      found.commands.push(put.replaceAll('\\n', '\n'))
      at++
      return flags()
    }
    if (script[at] !== 'w') return true
    at++
    return writeTo() > 0
  }

  for (;;) {
    take(/[\s;}]*/y)
    if (at >= script.length) return found
    if (take(/#[^\n]*/y)) continue
    if (address() && take(/\s*,\s*/y)) address()
    take(/[\s!]*/y)
    if (at < script.length && command() && /^(?:[ \t]*(?:[;\n}#]|$)|$)/.test(script.slice(at, at + 40))) continue
    if (script[at - 1] === '{') continue
    return { ...found, isRead: false }
  }
}

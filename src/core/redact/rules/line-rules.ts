import { isSecretValue } from '../values.ts'

/**
 * Rules that look at few lines: each names words of which one stands in every line it may fit. A text is read once for the words of
 * all of them, and an expression is tried on the lines that hold one of its own.
 */

export interface LineRule {
  /** In small letters. */
  words: readonly string[]
  /** What leads to the secret, and the secret. */
  taken: RegExp
  /** What the value must be, from its look and from what stands before all of it; else what a variable with a telling name would hold. */
  must?: (value: string, before: string) => boolean
  /** What it fits may go on behind the end of a line, so that it is tried on the whole text. */
  isFar?: true
}

/** What masks the secrets that some rules find. */
export function byLines(rules: readonly LineRule[]): (text: string, mask: string) => string {
  const near = rules.filter(({ isFar }) => !isFar)
  const far = rules.filter(({ isFar }) => isFar)
  const find = finder([...near, ...far].map(({ words }) => words))
  return (text, mask) => {
    const { lines, rulesFound } = find(text)
    const onLines = lines.length === 0 ? text : inLines(text, lines, near, mask)
    return far.reduce((rest, rule, at) => (rulesFound[near.length + at] ? masked(rest, rule, mask) : rest), onLines)
  }
}

function isTaken(value: string): boolean {
  return isSecretValue(value, 'strong', 'variable')
}

function masked(part: string, { taken, must = isTaken }: LineRule, mask: string): string {
  return part.replace(taken, (match: string, head: string, value: string, at: number) =>
    !value.includes(mask) && must(value, part.slice(0, at))
      ? head + mask + match.slice(head.length + value.length)
      : match,
  )
}

/** A line comes with the line ends on both its sides, so that an expression sees what it would see in the whole text. */
function inLines(text: string, lines: readonly FoundLine[], rules: readonly LineRule[], mask: string): string {
  let result = ''
  let done = 0
  for (const { start, end, rules: few } of lines) {
    const line = text.slice(Math.max(0, start - 1), end + 1)
    let became = line
    for (const at of few.toSorted((a, b) => a - b)) if (rules[at]) became = masked(became, rules[at], mask)
    if (became === line) continue
    // The line end before it may have been written already.
    const from = start > 0 ? 1 : 0
    result += text.slice(done, start) + became.slice(from, end < text.length ? -1 : undefined)
    done = end
  }
  return done === 0 ? text : result + text.slice(done)
}

interface FoundLine {
  start: number
  end: number
  rules: number[]
}

interface Found {
  lines: FoundLine[]
  /** For each rule, whether one of its words is there. */
  rulesFound: Uint8Array
}

const ASCII = 128
const ANY = Array.from({ length: ASCII }, (_, code) => code)

interface Sought {
  word: string
  rules: readonly number[]
}

/** Reads a text once: at each place only the words are tried that begin with the two characters there. */
function finder(words: readonly (readonly string[])[]): (text: string) => Found {
  const groups: Sought[][] = [[]]
  const groupOf = new Uint16Array(ASCII * ASCII)
  for (const word of new Set(words.flat())) {
    const sought = { word, rules: words.flatMap((own, at) => (own.includes(word) ? [at] : [])) }
    for (const second of word.length > 1 ? [word.charCodeAt(1)] : ANY) {
      const pair = word.charCodeAt(0) * ASCII + second
      if (groupOf[pair] === 0) groupOf[pair] = groups.push([]) - 1
      groups[groupOf[pair]!]!.push(sought)
    }
  }
  return (text) => {
    const lower = lowered(text)
    const lines: FoundLine[] = []
    const rulesFound = new Uint8Array(words.length)
    let before = ASCII
    let line: FoundLine | undefined
    for (let at = 0; at < lower.length; at++) {
      const code = lower.charCodeAt(at)
      const group = before < ASCII && code < ASCII ? groupOf[before * ASCII + code]! : 0
      before = code
      if (group === 0) continue
      for (const { word, rules } of groups[group]!) {
        if (!lower.startsWith(word, at - 1)) continue
        if (line === undefined || line.end < at) {
          line = lineAt(text, at)
          lines.push(line)
        }
        for (const rule of rules) {
          rulesFound[rule] = 1
          if (!line.rules.includes(rule)) line.rules.push(rule)
        }
      }
    }
    return { lines, rulesFound }
  }
}

function lineAt(text: string, at: number): FoundLine {
  const end = text.indexOf('\n', at)
  return { start: text.lastIndexOf('\n', at - 1) + 1, end: end < 0 ? text.length : end, rules: [] }
}

/** In small letters, each at its place: a few letters become two. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (each) => each.toLowerCase())
}

/**
 * Every part of a line that could be a secret, generously: what stands between quotes, behind a sign that assigns or hands over,
 * between strokes, or by itself between spaces. Which of them are secrets is decided elsewhere, by what they look like and by what
 * stands around them.
 */

export interface Candidate {
  start: number
  end: number
}

const SHORTEST = 4
const LONGEST = 800
/** More pieces than this in one run of signs are minified code or data. */
const MOST_PIECES = 24

/** The candidates of one line, by their places in it, from left to right; only such as are within a part that is `worth` a look. */
export function candidatesIn(line: string, worth: (part: string, start: number) => boolean = () => true): Candidate[] {
  const found: Candidate[] = []
  const add = (start: number, end: number) => {
    if (end - start >= SHORTEST && end - start <= LONGEST) found.push({ start, end })
  }
  for (const { 0: run, index } of line.matchAll(RUN)) if (worth(run, index)) inRun(run, index, add)
  if (line.length < 400)
    for (const { 0: groups, index } of line.matchAll(GROUPS))
      if (IN_GROUPS.test(groups)) add(index, index + groups.length)
  if (line.length < 400 && CODES.test(line))
    for (const { 0: code, index } of line.matchAll(CODE)) add(index, index + code.length)
  for (const { 1: braced, index } of line.length < 2000 ? line.matchAll(BRACED) : [])
    if (worth(braced!, index)) add(index + 2, index + 2 + braced!.length)
  quotedParts(line, (start, end) => {
    if (worth(line.slice(start, end), start)) add(start, end)
  })
  return found
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end }, at) => at === 0 || found[at - 1]!.start !== start || found[at - 1]!.end !== end)
}

/** Without spaces and quotes; scripts without spaces end it too. */
const RUN = /[^\s"'`“”„«»「」『』\u3000-\u9fff\uac00-\uffef]{4,}/g

/** Four at a time, as keys are shown to people who type them: `EQJI QEA6 BERX 2GDN`; words of four letters are none. */
const GROUPS = /(?<![\w-])(?:[A-Z2-7]{4}|[a-z2-7]{4})(?: (?:[A-Z2-7]{4}|[a-z2-7]{4})){2,8}(?![\w-])/g
export const IN_GROUPS =
  /^(?=[^ ]* .*)(?:(?=.*\d)|(?=.*(?:[bcdfghjklmnpqrstvwxz]{4}|[aeiou]{4}|q[^u ]|[jvx][bcdfghjklmnpqrstvwxz]|[bcdfghjklmnpqrstvwxz][jqvx])))(?:[A-Z2-7]{4}(?: [A-Z2-7]{4}){2,8}|[a-z2-7]{4}(?: [a-z2-7]{4}){2,8})$/
/** "Your code is 417 093." */
const CODE = /(?<![\w.,:/+-])\d{3}[ -]\d{3}(?![\w,:/-]|\.\d)/g
const CODES = /code|kod|código|codice|\bpin|otp|2fa|verif/i
/** `Pwd={…}` in connection strings. */
const BRACED = /=\{([^{}\s]{4,60})\}(?=[;"']|$)/g

/** What stands between two quotes of the same kind and has quotes of another kind, or signs, inside. */
function quotedParts(line: string, add: (start: number, end: number) => void): void {
  for (const quote of ['"', "'", '`']) {
    let open = line.indexOf(quote)
    while (open >= 0) {
      const close = line.indexOf(quote, open + 1)
      if (close < 0) break
      const end = line[close - 1] === '\\' ? close - 1 : close
      if (close - open <= LONGEST && !/\s/.test(line.slice(open + 1, close))) {
        add(open + 1, end)
        open = line.indexOf(quote, close + 1)
      } else open = close
    }
  }
}

const PIECE_END = /[,;()[\]{}<>|&]/
const OPENS_VALUE = /[=:%>,@\\]/

/** The name of an option: "Pass --runInBand". */
const OPTION_NAME = /^--[A-Za-z]+(?:-[A-Za-z]+)*[.,;:!?)]*$/

function inRun(run: string, at: number, add: (start: number, end: number) => void): void {
  if (OPTION_NAME.test(run)) return
  const both = (from: number, to: number) => {
    const [long, short] = trimmedEnds(run, from, to)
    add(at + from, at + long)
    add(at + from, at + short)
  }
  // `-pSECRET`, `(SECRET`, `>SECRET`
  const opening = /^(?:-[A-Za-z](?=[^-=\s]{4})|[-(<>[{*_,;&|:#$@!/]+)/.exec(run)?.[0].length ?? 0
  both(0, run.length)
  if (opening > 0) both(opening, run.length)
  const opensValue = isOfParts(run) ? OPENS_PART : OPENS_VALUE
  let pieces = 0
  for (let from = 0; from < run.length; from++) {
    const before = run[from - 1]!
    if (from > 0 && !(PIECE_END.test(before) || opensValue.test(before))) continue
    if (pieces++ > MOST_PIECES) return
    if (from > 0 && (before === '=' || before === ':')) both(from, run.length)
    let end = from
    while (end < run.length && !PIECE_END.test(run[end]!)) end++
    both(from, end)
    for (const sign of ['@', '/', ':', '\\']) {
      const stop = run.indexOf(sign, from)
      if (stop > from && stop < end) both(from, stop)
    }
  }
}

const OPENS_PART = /[=:%>,@\\/]/

/** In addresses, paths and `name/password` a stroke parts values; elsewhere it may be one of the signs of a value. */
function isOfParts(run: string): boolean {
  return /^[/~.]|:\/\/|@/.test(run) || run.indexOf('/') === run.lastIndexOf('/')
}

/** Whether a bracket ends what one of the same value has begun: `Haus(tier)`. */
function closes(run: string, from: number, at: number): boolean {
  const open = run[at] === ')' ? '(' : run[at] === ']' ? '[' : ''
  return open !== '' && run.lastIndexOf(open, at) > from
}

/** Without what a sentence or a list puts behind a word, and without what a password may end with. */
function trimmedEnds(run: string, from: number, to: number): [number, number] {
  let long = to
  while (long > from && '.,;:?)]}>|'.includes(run[long - 1]!) && !closes(run, from, long - 1)) long--
  let short = long
  while (short > from && '!*_.?'.includes(run[short - 1]!)) short--
  return long - short > 1 ? [short, short] : [long, short]
}

import { refusalsApart } from './refusals-apart.ts'

/** The sentences that a person wrote, without what they pasted: code, logs, quotations and addresses. */

const FENCE = /```[\s\S]*?(?:```|$)/g
/** "**Do not touch a.css.**": the stars are no part of the sentence, those of a glob are. */
const EMPHASIS = /(?<![/\w*])\*\*(?=[^\s*/])|(?<=[^\s/*])\*\*(?![/\w*])/g
const ADDRESS = /\b(?:https?|ftp|wss?|file|ssh):\/\/\S+/g
/** A quotation of several words: an error, a label, somebody else's sentence. */
const QUOTED =
  /"[^"\n]{1,300}?\s[^"\n]{1,300}?"|“[^”\n]{12,600}”|(?<=^|[\s(:])'[^'\n]{1,80} [^'\n]{1,200}'(?=[\s.,;:!?)]|$)|«[^»\n]{12,600}»|„[^“”\n]{12,600}[“”]|「[^」\n]{6,300}」(?=と)/g
const ABBREVIATED =
  /(?:\b(?:e\.g|i\.e|etc|vs|nr|no|approx|resp|incl|excl|bzw|z\.b|d\.h|p\.ex)|(?<![\w.])[a-z])\.$|(?:т\.е|т\.к|т\.д)\.$/i
/** Lines that a program wrote or that hold data. */
const MACHINE = new RegExp(
  [
    String.raw`^\s*[│╷╵┃]\s|^\s*(?:at |File "|Traceback |Caused by|#\d+ |goroutine |panic:|thread '|\$ |> |\+ |- \[[ x]\] )`,
    String.raw`^\[?\d{4}-\d\d-\d\d[T ]|^\[?\d\d:\d\d:\d\d|^\s*\d+ \| |^\s*\^+|^\s*-->`,
    String.raw`^\s*\S+[(:]\d+(?:[,:]\d+)?\)?:? |^(?:TASK|PLAY|fatal|FAIL|FAILED|ERROR|WARN|INFO|DEBUG)\b`,
    String.raw`^(?:npm|yarn|pnpm|error TS|error\[|warning\b.*:\d)|^\s*(?:[A-Z]\w{1,20} )?\w*(?:Error|Exception)(?:\(|:)|^ssh-\w+ `,
    String.raw`^\s*[[{\]}]|[{;]\s*$|^\s*(?:def|class|import|from|const|let|var|public|private|return|if \()\b.*[:;{(]\s*$`,
  ].join('|'),
)

const MOST_READ = 8000

/** Without code and lines of programs. */
export function ownLines(text: string): string {
  const read = text.slice(0, MOST_READ)
  const bare = read.includes('```') ? read.replace(FENCE, '\n') : read
  if (!bare.includes('\n')) return bare
  return withoutIndented(bare.split('\n'))
    .filter((line) => !MACHINE.test(line.slice(0, 300)))
    .join('\n')
}

const INDENTED = /^(?: {4}|\t)\s{0,40}(?![-*•]\s|\d{1,2}[.)]\s)\S/
const OF_LIST = /^\s{0,8}(?:[-*•]|\d{1,2}[.)])\s/

/** A block of lines that stands apart and further in, outside of a list, is quoted: what a tool has printed. */
function withoutIndented(lines: readonly string[]): string[] {
  const kept: string[] = []
  let last = ''
  let isQuoted = false
  for (const [at, line] of lines.entries()) {
    const isApart = at > 0 && lines[at - 1]!.trim() === ''
    isQuoted = INDENTED.test(line)
      ? isQuoted || (isApart && last !== '' && !OF_LIST.test(last))
      : line.trim() === '' && isQuoted
    if (isQuoted && line.trim() !== '') continue
    if (line.trim() !== '') last = line
    kept.push(line)
  }
  return kept
}

/** Without quotations and addresses too: what they say, the user did not say. */
export function withoutPasted(text: string): string {
  const own = ownLines(text).replace(EMPHASIS, '').replace(ADDRESS, ' it ').replace(QUOTED, ' ').replace(UNCHANGED, ' ')
  return refusalsApart(own)
}

/** "There is no change, the button is still grey": what somebody sees, and not what they ask for. */
const UNCHANGED =
  /\b(?:there(?:['’]s| is| are| was| were| (?:has|have) been) (?:still |currently |absolutely |really )?no (?:visible |real )?(?:changes?|difference)(?! (?:needed|necessary|required|to be))|(?:i|we) (?:(?:can|do|still|could) )?(?:see|saw|notice|noticed|get|got) no (?:visible )?changes?|(?:shows?|says?|said|reports?|has|had|made|sees?|brought|brings) no changes?|still no (?:visible )?changes?|nothing (?:has |had |seems to have |really )?changed|no (?:visible |noticeable )changes?|no changes? (?:visible|(?:was|were) \w+ed)|no change(?=, (?:the|it|still|same|i|we)\b))\b/gi

const MOST_SENTENCES = 80

/** Where a long line goes on in small letters, an editor has wrapped it: the sentence is not over. */
const WRAPPED = /(?<=[^\n]{40}[\p{L}\d,)`"'\]/-] {0,2})\n {0,4}(?=[\p{Ll}`(][^\n]*\s)(?!(?:[a-z]|\d{1,2})[.)]\s)/gu

/** Sentences in order; a line that nobody has wrapped is never part of two. */
export function sentencesOf(text: string): string[] {
  const found: string[] = []
  for (const line of text.replace(WRAPPED, ' ').split(/\n+/)) {
    let open = ''
    for (const piece of line.split(/(?<=[.!?]["')\]]?)\s+|(?<=[。！？；])/)) {
      open = open === '' ? piece : `${open} ${piece}`
      if (ABBREVIATED.test(piece.slice(-12)) && piece.length < line.length) continue
      found.push(open)
      open = ''
    }
    if (open !== '') found.push(open)
  }
  return found
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
    .slice(0, MOST_SENTENCES)
}

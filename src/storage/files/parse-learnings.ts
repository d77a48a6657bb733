import { createHash } from 'node:crypto'
import { CATEGORIES, CONFIDENCES, CRITERIA, type Learning, SCOPES, STATUSES } from '#core/learning/learning.ts'
import { EMPTY, SEPARATOR, unescaped, unplain } from './learnings-text.ts'

/** A learning and the lines it stands on, the end excluded. What a person wrote below its facts is not part of it. */
export interface Block {
  learning: Learning
  start: number
  end: number
}

const HEADING = /^#{2,4}\s(.*)$/
const CLOSING_HASHES = /(?<!#)#+$/
const MARK = /(?:(?<!\s)\s+)?<!--\s*(?:grove[:\s]\s*)?([\w.:-]{3,100})\s*-->\s*$/
const ANY_HEADING = /^#{1,6}\s/
const BULLET = /^[-*+]\s+/
const FENCE = /^\s{0,3}(```+|~~~+)/
/** What git leaves in a file that it could not merge. */
const CONFLICT = /^(<{7}|\|{7}|={7}|>{7})( |$)/

/** Every learning in the text. A heading with a text under it is one too when a person wrote it without our mark. */
export function parseLearnings(text: string): Block[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const starts = headings(lines)
  const marked = new Set(starts.flatMap((start) => MARK.exec(lines[start]!)?.[1] ?? []))
  const blocks = starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? lines.length
    const block = readBlock(lines, start, end, marked)
    return block ? [block] : []
  })
  return withoutRepeats(blocks)
}

/** Lines that begin a section; headings inside a fence are none, and quoted ones do not start with a hash. */
function headings(lines: readonly string[]): number[] {
  const found: number[] = []
  let fence: string | undefined
  for (const [at, line] of lines.entries()) {
    const opening = FENCE.exec(line)?.[1]
    // An unclosed fence must not swallow the learnings after it.
    const isOurs = HEADING.test(line) && MARK.test(line)
    if (isOurs) fence = undefined
    else if (fence === undefined && opening) fence = opening[0]!.repeat(3)
    else if (fence !== undefined && opening?.startsWith(fence)) fence = undefined
    if (fence === undefined && ANY_HEADING.test(line)) found.push(at)
  }
  return found
}

function readBlock(
  lines: readonly string[],
  start: number,
  end: number,
  marked: ReadonlySet<string>,
): Block | undefined {
  const heading = HEADING.exec(lines[start]!)?.[1]?.trim().replace(CLOSING_HASHES, '').trimEnd()
  if (heading === undefined) return undefined
  const summary = unescaped(heading.replace(MARK, '')).trim()
  const raw = lines.slice(start + 1, end)
  const body = withWholeFacts(raw)
  const lastFacts = body.findLastIndex(isFacts)
  // A person may have written the heading anew; a copied learning is another one.
  const below = MARK.exec(body[lastFacts] ?? '')?.[1]
  const id = MARK.exec(heading)?.[1] ?? (below !== undefined && !marked.has(below) ? below : undefined)
  const isOwn = (line: string) => id !== undefined && MARK.exec(line)?.[1] === id && isFacts(line)
  const ownFacts = body.findLastIndex(isOwn)
  const factsAt = ownFacts < 0 ? lastFacts : ownFacts
  const told = factsAt < 0 ? new Map<string, string>() : readFacts(body[factsAt]!.replace(MARK, ''))
  // Two branches may have changed the facts, and a merge then leaves both lines.
  const written = body.map((line, at) => (at === factsAt || isOwn(line) ? '' : line))
  const above = readDetail(written.slice(0, Math.max(0, factsAt)), id)
  const detail = above || readDetail(written, id)
  if (summary === '' || (id === undefined && detail === '')) return undefined
  // A plain section of the file, such as an introduction, has neither our mark nor our line of facts.
  if (id === undefined && factsAt < 0 && !lines[start]!.startsWith('### ')) return undefined
  const last = above ? factsAt + wrapsAfter(raw, factsAt) : raw.findLastIndex((line) => line.trim() !== '')
  return { learning: toLearning(id ?? idOf(summary), summary, detail, told), start, end: start + 2 + last }
}

/** Each line of facts in one piece: a formatter may have broken it into several. */
function withWholeFacts(raw: readonly string[]): string[] {
  const lines = [...raw]
  for (const at of raw.keys()) {
    const wraps = wrapsAfter(raw, at)
    if (wraps === 0) continue
    lines[at] = wholeLine(raw, at, at + wraps)
    lines.fill('', at + 1, at + wraps + 1)
  }
  return lines
}

/** No formatter breaks a line of facts into more; without a limit each further line would be read with all before it. */
const MOST_WRAPS = 100

/** How many of the lines that follow go on with a line of facts, up to its mark. */
function wrapsAfter(lines: readonly string[], at: number): number {
  if (!BULLET.test(lines[at]!) || MARK.test(lines[at]!)) return 0
  for (let end = at + 1; end - at <= MOST_WRAPS && /^\s+\S/.test(lines[end] ?? ''); end++) {
    const whole = wholeLine(lines, at, end)
    if (MARK.test(whole)) return isFacts(whole) ? end - at : 0
  }
  return 0
}

function wholeLine(lines: readonly string[], first: number, last: number): string {
  return [lines[first], ...lines.slice(first + 1, last + 1).map((line) => line.trim())].join(' ')
}

function isFacts(line: string): boolean {
  const first = line.split(SEPARATOR)[0]!.replace(BULLET, '').trim()
  return CATEGORIES.some((category) => category === first) || /^(scope|confidence|tags|at): /.test(first)
}

function readFacts(line: string): Map<string, string> {
  const told = new Map<string, string>()
  for (const [at, part] of line.replace(BULLET, '').split(SEPARATOR).entries()) {
    const named = /^([a-z]+):(.*)$/.exec(part.trim())
    if (named) told.set(named[1]!, named[2]!.trim())
    else if (at === 0) told.set('category', part.trim())
  }
  return told
}

/** The detail is quoted; what a person added to it may also stand there plain. */
function readDetail(body: readonly string[], id: string | undefined): string {
  const lines = body.filter((line) => !CONFLICT.test(line))
  const kinds = lines.map((line) => kindOf(line, id))
  // A formatter sets our marks off with empty lines; those are not part of the text.
  const isSetOff = (at: number) =>
    kinds[at] === 'empty mark' || (kinds[at] === 'mark' && kinds[at - 1] === 'empty' && kinds[at + 1] === 'empty')
  const written = lines.flatMap((line, at) => {
    if (kinds[at] === 'mark' || (kinds[at] === 'empty' && (isSetOff(at - 1) || isSetOff(at + 1)))) return []
    return kinds[at] === 'empty mark' ? [''] : [line.replace(/^> ?/, '')]
  })
  return written.join('\n').replace(/^\n+/, '').trimEnd()
}

const INNER_MARK = new RegExp(`^>\\s*<!-- (\\S+) (${EMPTY}?)\\d+ -->\\s*$`)

function kindOf(line: string, id: string | undefined): 'text' | 'empty' | 'mark' | 'empty mark' {
  const [, marked, sign] = INNER_MARK.exec(line) ?? []
  if (marked !== undefined && marked === id) return sign === EMPTY ? 'empty mark' : 'mark'
  return /^>?\s*$/.test(line) ? 'empty' : 'text'
}

function toLearning(id: string, summary: string, detail: string, told: Map<string, string>): Learning {
  const list = (name: string) =>
    (told.get(name) ?? '')
      .split(',')
      .map((value) => unplain(value.trim()))
      .filter((value) => value !== '')
  const one = (name: string) => unplain(told.get(name) ?? '')
  const time = (name: string) => Date.parse(one(name)) || 0
  const ticketId = one('ticket')
  const supersedes = one('corrects')
  const sessionId = one('session')
  const author = one('by')
  const changedAt = time('changed')
  return {
    id,
    category: CATEGORIES.find((value) => value === one('category')) ?? 'convention',
    summary,
    detail,
    scope: SCOPES.find((value) => value === one('scope')) ?? 'project',
    confidence: CONFIDENCES.find((value) => value === one('confidence')) ?? 'high',
    criteriaMet: CRITERIA.filter((value) => list('because').includes(value)),
    tags: list('tags').map((tag) => tag.replace(/^#/, '').toLowerCase()),
    contextFiles: list('files'),
    ...(ticketId && { ticketId }),
    ...(supersedes && { supersedes }),
    ...(sessionId && { sessionId }),
    ...(author && { author }),
    at: time('at'),
    ...(changedAt && { changedAt }),
    status: STATUSES.find((value) => value === one('status')) ?? 'active',
  }
}

/** What a person added has no mark; its words name it as long as they stay the same. */
function idOf(summary: string): string {
  return `lrn_${createHash('sha256').update(summary.toLowerCase()).digest('hex').slice(0, 12)}`
}

/** A merge may leave a learning twice; the last one counts, because that is where a newer text would stand. */
function withoutRepeats(blocks: Block[]): Block[] {
  const last = new Map(blocks.map((block) => [block.learning.id, block]))
  return blocks.filter((block) => last.get(block.learning.id) === block)
}

import { createHash } from 'node:crypto'
import { CATEGORIES, CONFIDENCES, CRITERIA, type Learning, SCOPES, STATUSES } from '#core/learning/learning.ts'

/**
 * Learnings as markdown that people read and edit:
 *
 *     ### Run the migrations before the seed script <!-- lrn_4be1 -->
 *     > The seed script inserts into tables that only the migrations create.
 *     - pitfall · scope: project · confidence: high · tags: db, seed · … <!-- lrn_4be1 -->
 *
 * The layout is chosen for git. Two branches that both add learnings meet in one place, and `merge=union` keeps the lines
 * of both; but lines that both sides begin or end with are kept once, and a run of more than three common lines tears
 * the texts apart. So a learning begins and ends with a line of its own, everything about it stands in that last one,
 * and a long detail carries a mark after every third line. What is quoted cannot open a heading, a fence or a comment
 * outside its quote.
 */

export const FILE_HEAD = `# Learnings

What was learned while working on this project. Grove adds at the end; change, move or delete what you like.

`

/** A learning and the lines it stands on, the end excluded. What a person wrote below its facts is not part of it. */
export interface Block {
  learning: Learning
  start: number
  end: number
}

/** The learning as it is written, with an empty line at its end. */
export function renderLearning(learning: Learning): string {
  const { id, summary, detail } = learning
  const quoted = detail.split('\n').flatMap((line, at) => {
    const text = line === '' ? '>' : `> ${line}`
    return at > 0 && at % 3 === 0 ? [`> ${mark(`${id} ${at / 3 + 1}`)}`, text] : [text]
  })
  const heading = `### ${escaped(summary)} ${mark(id)}`
  return [heading, ...quoted, `- ${facts(learning)} ${mark(id)}`, '', ''].join('\n')
}

function mark(text: string): string {
  return `<!-- ${text} -->`
}

const SEPARATOR = ' · '

function facts(learning: Learning): string {
  const { category, scope, confidence, criteriaMet, tags, contextFiles, ticketId, supersedes, sessionId, at, status } =
    learning
  const list = (values: readonly string[]) => values.map(plain).join(', ')
  return [
    category,
    `scope: ${scope}`,
    `confidence: ${confidence}`,
    ...(criteriaMet.length > 0 ? [`because: ${list(criteriaMet)}`] : []),
    ...(tags.length > 0 ? [`tags: ${list(tags)}`] : []),
    ...(contextFiles.length > 0 ? [`files: ${list(contextFiles)}`] : []),
    ...(ticketId ? [`ticket: ${plain(ticketId)}`] : []),
    ...(supersedes ? [`corrects: ${plain(supersedes)}`] : []),
    ...(status === 'active' ? [] : [`status: ${status}`]),
    ...(sessionId ? [`session: ${plain(sessionId)}`] : []),
    `at: ${new Date(at).toISOString()}`,
  ].join(SEPARATOR)
}

/** Values stand in one line, between commas and dots. */
function plain(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[%,·<>`]/g, (char) => encodeURIComponent(char))
}

function unplain(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A person wrote a bare percent sign.
    return value
  }
}

/** Keeps a summary from opening a tag or a comment; every markdown reader takes the backslash away again. */
function escaped(summary: string): string {
  return summary.replaceAll(/[\\<]/g, '\\$&')
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\\<])/g, '$1')
}

const HEADING = /^#{2,4}\s+(.*?)\s*#*\s*$/
const MARK = /\s*<!--\s*(?:grove[:\s]\s*)?([\w.:-]{3,100})\s*-->\s*$/
const ANY_HEADING = /^#{1,6}\s/
const FENCE = /^\s{0,3}(```+|~~~+)/
/** What git leaves in a file that it could not merge. */
const CONFLICT = /^(<{7}|\|{7}|={7}|>{7})( |$)/

/** Every learning in the text. A heading with a text under it is one too when a person wrote it without our mark. */
export function parseLearnings(text: string): Block[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const starts = headings(lines)
  const blocks = starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? lines.length
    const block = readBlock(lines, start, end)
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
    // A fence nobody closed must not swallow the learnings after it.
    const isOurs = HEADING.test(line) && MARK.test(line)
    if (isOurs) fence = undefined
    else if (fence === undefined && opening) fence = opening[0]!.repeat(3)
    else if (fence !== undefined && opening?.startsWith(fence)) fence = undefined
    if (fence === undefined && ANY_HEADING.test(line)) found.push(at)
  }
  return found
}

function readBlock(lines: readonly string[], start: number, end: number): Block | undefined {
  const heading = HEADING.exec(lines[start]!)?.[1]
  if (heading === undefined) return undefined
  const id = MARK.exec(heading)?.[1]
  const summary = unescaped(heading.replace(MARK, '')).trim()
  const body = lines.slice(start + 1, end)
  const isOwn = (line: string) => id !== undefined && MARK.exec(line)?.[1] === id && isFacts(line)
  const marked = body.findLastIndex(isOwn)
  const factsAt = marked < 0 ? body.findLastIndex(isFacts) : marked
  const told = factsAt < 0 ? new Map<string, string>() : readFacts(body[factsAt]!.replace(MARK, ''))
  // Two branches may have changed the facts, and a merge then leaves both lines.
  const written = body.map((line, at) => (at === factsAt || isOwn(line) ? '' : line))
  const above = readDetail(written.slice(0, Math.max(0, factsAt)), id)
  const detail = above || readDetail(written, id)
  if (summary === '' || (id === undefined && detail === '')) return undefined
  // A plain section of the file, such as an introduction, has neither our mark nor our line of facts.
  if (id === undefined && factsAt < 0 && !lines[start]!.startsWith('### ')) return undefined
  const last = above ? factsAt : body.findLastIndex((line) => line.trim() !== '')
  return { learning: toLearning(id ?? idOf(summary), summary, detail, told), start, end: start + 2 + last }
}

function isFacts(line: string): boolean {
  const first = line
    .split(SEPARATOR)[0]!
    .replace(/^[-*]\s+/, '')
    .trim()
  return CATEGORIES.some((category) => category === first) || /^(scope|confidence|tags|at): /.test(first)
}

function readFacts(line: string): Map<string, string> {
  const told = new Map<string, string>()
  for (const [at, part] of line
    .replace(/^[-*]\s+/, '')
    .split(SEPARATOR)
    .entries()) {
    const named = /^([a-z]+):\s*(.*)$/.exec(part.trim())
    if (named) told.set(named[1]!, named[2]!)
    else if (at === 0) told.set('category', part.trim())
  }
  return told
}

/** The detail is quoted; what a person added to it may also stand there plain. */
function readDetail(body: readonly string[], id: string | undefined): string {
  const isMark = (line: string) =>
    id !== undefined && line.startsWith(`> <!-- ${id} `) && /^\d+ -->$/.test(line.slice(id.length + 8))
  const written = body.filter((line) => !isMark(line) && !CONFLICT.test(line)).map((line) => line.replace(/^> ?/, ''))
  return written.join('\n').replace(/^\n+|\s+$/g, '')
}

function toLearning(id: string, summary: string, detail: string, told: Map<string, string>): Learning {
  const list = (name: string) =>
    (told.get(name) ?? '')
      .split(',')
      .map((value) => unplain(value.trim()))
      .filter((value) => value !== '')
  const one = (name: string) => unplain(told.get(name) ?? '')
  const time = Date.parse(one('at'))
  const ticketId = one('ticket')
  const supersedes = one('corrects')
  const sessionId = one('session')
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
    at: Number.isNaN(time) ? 0 : time,
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

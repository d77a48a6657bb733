import type { Learning } from '#core/learning/learning.ts'

/**
 * Learnings as markdown that people read and edit:
 *
 *     ### Run the migrations before the seed script <!-- lrn_4be1 -->
 *     > The seed script inserts into tables that only the migrations create.
 *     - pitfall · scope: project · confidence: high · tags: db, seed · … <!-- lrn_4be1 -->
 *
 * The layout is chosen for git. Two branches that both add learnings meet in one place, and `merge=union` keeps the lines
 * of both; but lines that both sides begin or end with are kept once, and a run of more than three common lines tears
 * the texts apart. Where one was deleted and another added, a single common line does, and empty ones are. So a learning
 * begins and ends with a line of its own, everything about it stands in that last one, a long detail carries a mark after
 * every third line, and an empty line is a mark. What is quoted cannot open a heading, a fence or a comment outside its
 * quote.
 */

export const FILE_HEAD = `# Learnings <!-- schema_version: 1 -->

What was learned while working on this project. Grove adds at the end; change, move or delete what you like.

`

/** The learning as it is written, with an empty line at its end. */
export function renderLearning(learning: Learning): string {
  const { id, summary, detail } = learning
  const heading = `### ${escaped(summary)} ${mark(id)}`
  return [heading, ...quoted(id, detail), `- ${facts(learning)} ${mark(id)}`, '', ''].join('\n')
}

const RUN = 3

function quoted(id: string, detail: string): string[] {
  let run = 0
  let marks = 1
  return detail.split('\n').flatMap((line) => {
    const isEmpty = line.trim() === ''
    run = isEmpty ? 0 : run + 1
    if (isEmpty) return [`> ${mark(`${id} ${EMPTY}${++marks}`)}`]
    if (run <= RUN) return [`> ${line}`]
    run = 1
    return [`> ${mark(`${id} ${++marks}`)}`, `> ${line}`]
  })
}

/** In a mark: it stands for an empty line. */
export const EMPTY = '¶'

function mark(text: string): string {
  return `<!-- ${text} -->`
}

/** Stands between the facts. */
export const SEPARATOR = ' · '

function facts(learning: Learning): string {
  const { category, scope, confidence, criteriaMet, tags, contextFiles, ticketId, supersedes, sessionId } = learning
  const { author, at, changedAt, status } = learning
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
    ...(author ? [`by: ${plain(author)}`] : []),
    ...(sessionId ? [`session: ${plain(sessionId)}`] : []),
    ...(at > 0 ? [`at: ${new Date(at).toISOString()}`] : []),
    ...(changedAt ? [`changed: ${new Date(changedAt).toISOString()}`] : []),
  ].join(SEPARATOR)
}

/** Values stand in one line, between commas and dots. */
function plain(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[%,·<>`\\]/g, (char) => encodeURIComponent(char))
}

/** The value again, as it was or as a person wrote it. */
export function unplain(value: string): string {
  // Some formatters put a backslash before every underscore.
  const written = value.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  try {
    return decodeURIComponent(written)
  } catch {
    // A person wrote a bare percent sign.
    return written
  }
}

/** Keeps a summary from opening a tag or a comment; every markdown reader takes the backslash away again. */
function escaped(summary: string): string {
  return summary.replaceAll(/[\\<]/g, '\\$&')
}

/** The summary as it was before `escaped`. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([\\<])/g, '$1')
}

import { languageOf } from '#core/trace/mutation/mutation.ts'
import { treeParser } from './parse.ts'
import { embeddedParts, hasScan, type Span, scanComments } from './scan-comments.ts'

export interface Comment {
  /** From one. */
  line: number
  column: number
  /** Whether it is the first thing on its line. */
  alone: boolean
  /** With its signs. */
  text: string
}

/** Beyond this a file is data or generated. */
const LARGEST = 1_000_000

/** The comments of a file in their order: by its syntax tree, also of broken code, or by a scan where there is no grammar. */
export async function commentsIn(path: string, text: string): Promise<Comment[]> {
  if (text.length > LARGEST) return []
  const spans = await spansIn(path, text)
  return located(
    text,
    spans.sort((a, b) => a.start - b.start),
  )
}

async function spansIn(path: string, text: string): Promise<Span[]> {
  const parsed = await parsedComments(path, text)
  if (parsed) return parsed
  if (!hasScan(path)) return []
  const inside = await Promise.all(
    embeddedParts(path, text).map(async (part) => {
      const spans = await spansIn(part.name, part.text)
      return spans.map(({ start, end }) => ({ start: part.start + start, end: part.start + end }))
    }),
  )
  return [...scanComments(path, text), ...inside.flat()]
}

async function parsedComments(path: string, text: string): Promise<Span[] | undefined> {
  const parser = await treeParser(languageOf(path) ?? '')
  const tree = parser?.parse(text)
  if (!tree) return undefined
  const cursor = tree.walk()
  const spans: Span[] = []
  try {
    for (let more = true; more; ) {
      const isComment = cursor.nodeType.includes('comment')
      if (isComment) spans.push({ start: cursor.startIndex, end: cursor.endIndex })
      if (!isComment && cursor.gotoFirstChild()) continue
      more = cursor.gotoNextSibling()
      while (!more && cursor.gotoParent()) more = cursor.gotoNextSibling()
    }
    return spans
  } finally {
    // Memory on the WebAssembly side is not collected, and a cursor must not outlive its tree.
    cursor.delete()
    tree.delete()
  }
}

function located(text: string, spans: readonly Span[]): Comment[] {
  let line = 1
  let at = 0
  return spans.map(({ start, end }) => {
    for (; at < start; at++) if (text[at] === '\n') line++
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const alone = text.slice(lineStart, start).trim() === ''
    return { line, column: start - lineStart, alone, text: text.slice(start, end) }
  })
}

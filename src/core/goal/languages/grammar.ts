/** How a language says what is closed, what it asks and what it wants. */
export interface Language {
  /** A word or sign that texts of this language hardly do without; what is cheap to see decides what is looked for. */
  when: RegExp
  limits: readonly Pattern[]
  /** Asks outright for an answer and nothing else, or forbids to change anything at all. */
  answerAlone: RegExp
  /** A question, or a request to explain. */
  asks: RegExp
  /** A request for a change. */
  wishes: RegExp
}

/** A way to close something. */
export interface Pattern {
  find: RegExp
  /** Where the words are that say what is closed: after or before those found, or in the group `what`. */
  object: 'after' | 'before' | 'within' | 'context'
  /** What is named, or everything else. */
  forbids: 'named' | 'others'
  /** The words close a place whatever it is called; otherwise what they name must be files. */
  strong?: boolean
  /** Only a path will do: the same words often speak of what the program does. */
  needsPath?: boolean
  /** A path, a folder, or a kind of file that is nothing else: the same words often speak of what people see. */
  isPlace?: boolean
}

/** Words up to the end of a thought; a dot inside a name does not end it. */
export const WORDS = String.raw`(?:[^.,;:!?()]|\.(?=\w))`
export const END = String.raw`(?=\s*(?:[.,;:!?()]|$))`

/** `_` stands for what is closed, or left open. */
export function pattern(
  source: string,
  object: Pattern['object'],
  forbids: Pattern['forbids'],
  more: Partial<Pattern> = {},
): Pattern {
  return { find: words(source.replace('_', `(?<what>${WORDS}{1,60}?)`)), object, forbids, ...more }
}

const LETTER = String.raw`[\w\u00c0-\u024f]`

/** The alternatives as one expression, in which the end of a word is one in every language of Latin letters. */
export function words(...alternatives: string[]): RegExp {
  const source = alternatives
    .join('|')
    .replace(/\\b(?=\(\?[!=])/g, `(?!${LETTER})`)
    .replace(/\\b(?=[([\w])/g, `(?<!${LETTER})`)
    .replace(/\\b/g, `(?!${LETTER})`)
  return new RegExp(withShortGaps(source), 'i')
}

/** At most a few spaces between two words: a run of thousands must not be tried from each of its places. */
function withShortGaps(source: string): string {
  return source.replaceAll(String.raw`\s+`, String.raw`\s{1,6}`).replaceAll(String.raw`\s*`, String.raw`\s{0,6}`)
}

/** The words close a place whatever it is called. */
export const strong = { strong: true }

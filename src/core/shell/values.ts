/**
 * What a word of a command will be when the shell has expanded it, as far as that can be known by reading.
 * `UNKNOWN` inside the text stands for a piece that only the running shell knows.
 */
export interface Value {
  text: string
  /** The text holds live wildcards. */
  glob: boolean
  /** Where it can be read what this holds, when its letters are not known here. */
  origin?: Origin
}

/** A file, what git prints with these arguments, what a command prints that stands for a file (`<(…)`), or the names in an archive. */
export type Origin = { file: Value } | { git: Value[] } | { output: Output } | { packed: Value[] }

/** Cannot occur in a path or an argument, so it is safe as a mark. */
export const UNKNOWN = '\u0000'

/** What a command prints, one value per line; undefined when only running it would tell. */
export type Output = Value[] | undefined

/** A value known to the last letter. */
export function known(text: string): Value {
  return { text, glob: false }
}

/** A value with wildcards. */
export function glob(text: string): Value {
  return { text, glob: true }
}

/** A value of which nothing is known. */
export function unknown(): Value {
  return { text: UNKNOWN, glob: false }
}

/** The content of a file that is not at hand: a packed archive, or one that is too large. */
export function contentOf(file: Value): Value {
  return { ...unknown(), origin: { file } }
}

export function isKnown(value: Value): boolean {
  return !value.text.includes(UNKNOWN)
}

/** The text when it is known to the last letter. */
export function literal(value: Value | undefined): string | undefined {
  return value && isKnown(value) && !value.glob ? value.text : undefined
}

/** Applies a change to the text only. */
export function mapText(value: Value, change: (text: string) => string): Value {
  return { ...value, text: change(value.text) }
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .at(-1)!
}

/** `folder/path`, or the path itself when it starts at the root or a home; `..` is kept, because a link may stand before it. */
export function joinPath(folder: string, path: string): string {
  if (/^[/~]/.test(path)) return path
  const trimmed = path.replace(/^(\.\/+)+/, '')
  if (trimmed === '' || trimmed === '.') return folder
  return folder.endsWith('/') ? folder + trimmed : `${folder}/${trimmed}`
}

/** Folds `.` and `..` by the letters alone, as the shell's own `cd` does. */
export function foldPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!path.startsWith('/')) parts.push('..')
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/') || (path.startsWith('/') ? '/' : '.')
}

/** A shell pattern (`*`, `?`, `[…]`) as a regular expression source. */
export function patternSource(pattern: string, greedy: boolean): string {
  return pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, greedy ? '.*' : '.*?')
    .replace(/\?/g, '.')
}

/** Words with a mark such as `{}` replaced wherever it stands. */
export function fillMark(words: Value[], mark: string, value: Value): Value[] {
  return words.map((word) => {
    if (!word.text.includes(mark)) return word
    return { text: word.text.replaceAll(mark, () => value.text), glob: word.glob || value.glob }
  })
}

/** What was printed, one value per line. */
export function linesOf(output: Value[]): Value[] {
  return output.flatMap((line) => (line.glob ? [line] : line.text.split('\n').filter(Boolean).map(known)))
}

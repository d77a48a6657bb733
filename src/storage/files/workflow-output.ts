import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputLog } from '#core/ports/workflow.ts'
import { OutputLine } from '#protocol/workflow/output.ts'
import { linesWith } from '#protocol/workflow/output-text.ts'
import { redactedJson } from './redacted-json.ts'

const AT_ONCE = 2_000

/** output.jsonl: what Claude did and said, line by line. Losing its last lines in a power cut loses no work. */
export class OutputFile implements OutputLog<OutputLine> {
  readonly #path: string
  readonly #lines: OutputLine[]
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, lines: OutputLine[]) {
    this.#path = path
    this.#lines = lines
  }

  static async open(folder: string): Promise<OutputFile> {
    const path = join(folder, 'output.jsonl')
    // Not there before the first line.
    const text = await readFile(path, 'utf8').catch(() => '')
    const lines = text.split('\n').flatMap(lineIn)
    const log = new OutputFile(path, lines)
    if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
    return log
  }

  get last(): number {
    return this.#lines.at(-1)?.number ?? 0
  }

  add(line: Omit<OutputLine, 'number'>): OutputLine {
    const numbered = { number: this.last + 1, ...line }
    this.#lines.push(numbered)
    const text = `${redactedJson(numbered)}\n`
    this.#writing = this.#writing.then(() => appendFile(this.#path, text)).catch(() => {}) // A full disk must not stop the work.
    return numbered
  }

  /** Lines after a number; or, with `before`, the newest before that one. */
  page(view: {
    after: number
    before?: number | undefined
    limit: number
    wanted(line: OutputLine): boolean
  }): OutputLine[] {
    const { after, before, limit, wanted } = view
    if (before !== undefined) return this.#lines.filter((line) => line.number < before && wanted(line)).slice(-limit)
    return this.#lines.filter((line) => line.number > after && wanted(line)).slice(0, limit)
  }

  /** The numbers of the lines that hold the words. Others have their turn in between: the log may be long. */
  async found(words: string): Promise<number[]> {
    const numbers: number[] = []
    for (let from = 0; from < this.#lines.length; from += AT_ONCE) {
      numbers.push(...linesWith(this.#lines.slice(from, from + AT_ONCE), words))
      await new Promise(setImmediate)
    }
    return numbers
  }

  flush(): Promise<void> {
    return this.#writing
  }
}

/** A line that was cut short is left out. */
function lineIn(text: string): OutputLine[] {
  if (text === '') return []
  try {
    const read = OutputLine.safeParse(JSON.parse(text))
    return read.success ? [read.data] : []
  } catch {
    return []
  }
}

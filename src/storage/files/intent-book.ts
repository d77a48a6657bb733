import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlain } from '#config/plain-file.ts'
import { type Choice, choiceOf } from '#core/intent/denial.ts'
import type { Intent } from '#core/intent/intent.ts'
import type { IntentBook, IntentProblem } from '#core/ports/guard.ts'

/** Hands out books, each as its file is now. */
export type OpenBook = (file: string) => Promise<IntentBook>

/**
 * Reading thousands of intents as YAML takes a second, and the guard asks before every write. So what was read is kept:
 * in memory, and in a file under the home folder for hook processes, which look up the one intent they need without
 * reading the others. After an edit only the intents that changed are read again.
 */
export function intentBooks(cacheFolder: string): OpenBook {
  const open = new Map<string, { stamp: string; book: Promise<IntentBook> }>()
  return (file) => {
    const stamp = stampOf(file)
    const known = open.get(file)
    const isTrusted = !isFresh(file)
    if (known && known.stamp === stamp && isTrusted) return known.book
    const book = read(file, keptFile(cacheFolder, file), stamp, isTrusted)
    open.set(file, { stamp, book })
    // What failed once may work the next time.
    book.catch(() => open.delete(file))
    return book
  }
}

async function read(file: string, kept: string, stamp: string, isTrusted: boolean): Promise<IntentBook> {
  return bookOf((isTrusted ? load(kept, stamp) : undefined) ?? (await compile(file, kept, stamp)))
}

const MOST_BYTES = 64 * 1024 * 1024
/** Some seconds of a processor. The agent waits for the first reading, and more than that would look as if Grove hung. */
const MOST_INTENTS = 20_000
const NO_FILE = 'absent'
/** A file saved twice within one tick of the clock looks the same from outside, so a very new one is read again. */
const TICK_MS = 50

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? [stat.mtimeNs, stat.ctimeNs, stat.size, stat.ino].join('-') : NO_FILE
}

function isFresh(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < TICK_MS
}

function keptFile(folder: string, file: string): string {
  return join(folder, `intents-${createHash('sha256').update(file).digest('hex').slice(0, 16)}.jsonl`)
}

interface Head {
  version: 1
  stamp: string
  choice: Choice
  problems: IntentProblem[]
}

/** A head, then one line per intent: id, digest of its YAML, the intent. */
interface Compiled {
  head: Head
  lines: string
}

function load(kept: string, stamp: string | undefined): Compiled | undefined {
  try {
    const text = readFileSync(kept, 'utf8')
    const end = text.indexOf('\n')
    const head = JSON.parse(text.slice(0, end)) as Head
    if (head.version !== 1 || (stamp !== undefined && head.stamp !== stamp)) return undefined
    return { head, lines: text.slice(end) }
  } catch {
    // Not compiled yet, or damaged: the YAML has it all.
    return undefined
  }
}

function bookOf({ head, lines }: Compiled): IntentBook {
  const entries = () => lines.split('\n').filter(Boolean).map(entryOf)
  // Agents ask for the same few before every write.
  const found = new Map<string, Intent | undefined>()
  return {
    choice: head.choice,
    problems: head.problems,
    find(id) {
      if (!found.has(id)) found.set(id, lookUp(id))
      return found.get(id)
    },
    all: () => entries().map(([, , intent]) => intent),
  }

  function lookUp(id: string): Intent | undefined {
    const start = lines.indexOf(`\n[${JSON.stringify(id)},`)
    if (start < 0) return undefined
    const end = lines.indexOf('\n', start + 1)
    return entryOf(lines.slice(start + 1, end < 0 ? undefined : end))[2]
  }
}

type Entry = [id: string, digest: string, intent: Intent]

function entryOf(line: string): Entry {
  return JSON.parse(line) as Entry
}

async function compile(file: string, kept: string, stamp: string): Promise<Compiled> {
  const text = stamp === NO_FILE ? '' : readPlain(file, { most: MOST_BYTES, inside: dirname(file) }).toString('utf8')
  const { readIntents } = await import('./intents-yaml.ts')
  const parts = splitList(text)
  if (parts && parts.length > MOST_INTENTS) {
    const message = `there are more than ${MOST_INTENTS.toLocaleString('en')} intents, so the file is not read; take out what is done`
    return keep(kept, [], [{ line: 1, column: 1, message }], stamp)
  }
  const known = new Map<string, Entry>(
    (load(kept, undefined)?.lines ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const entry = entryOf(line)
        return [entry[1], entry]
      }),
  )
  // Only a small file is read again as a whole when something is wrong; of a large one the first mistake has to do.
  const isSmall = text.length <= MOST_AT_ONCE
  const entries: Entry[] = []
  const unknownKeys: IntentProblem[] = []
  const ids = new Set<string>()
  let turnStarted = Date.now()
  for (const { text: part, line } of parts ?? []) {
    if (part.length > MOST_AT_ONCE) return keep(kept, [], [{ line, column: 1, message: TOO_LARGE_A_PART }], stamp)
    const digest = createHash('sha256').update(part).digest('base64url').slice(0, 22)
    const { entry, problems } = entryFrom(part, digest, known, readIntents)
    const isTwice = entry !== undefined && ids.has(entry[0])
    if (isSmall && (!entry || isTwice || problems.length > 0)) return whole(text, kept, stamp, readIntents)
    const there = problems.map((problem) => ({ ...problem, line: problem.line - 2 + line }))
    if (!entry) return keep(kept, [], there, stamp)
    if (isTwice)
      return keep(kept, [], [{ line, column: 1, message: `the id ${entry[0].slice(0, 100)} is used twice` }], stamp)
    unknownKeys.push(...there.slice(0, MOST_NAMED - unknownKeys.length))
    ids.add(entry[0])
    entries.push(entry)
    // The daemon has streams to serve meanwhile.
    if (Date.now() - turnStarted > 15) {
      await new Promise((next) => setImmediate(next))
      turnStarted = Date.now()
    }
  }
  if (!parts) return whole(text, kept, stamp, readIntents)
  return keep(kept, entries, unknownKeys, stamp)
}

type Read = typeof import('./intents-yaml.ts').readIntents

/** An intent that could be read has no problems but unknown keys; with these it is read again each time, so that they are told. */
function entryFrom(part: string, digest: string, known: ReadonlyMap<string, Entry>, read: Read) {
  const entry = known.get(digest)
  if (entry) return { entry, problems: [] }
  const { intents, problems } = read(`active_intents:\n${part}`)
  const [intent] = intents
  return { entry: intent && ([intent.id, problems.length === 0 ? digest : '', intent] satisfies Entry), problems }
}

/** YAML that is read in one go holds up everything else; a list of plain entries is read one by one instead. */
const MOST_AT_ONCE = 128 * 1024
const TOO_LARGE_A_PART = 'this intent is larger than 128 KB, so the file is not read'
/** Of unknown keys. */
const MOST_NAMED = 100

/** Anything unusual, and above all anything wrong, is read as one document: only that tells the right line. */
function whole(text: string, kept: string, stamp: string, read: Read): Compiled {
  if (text.length > MOST_AT_ONCE) {
    const message = 'the file is larger than 128 KB and not a plain list of intents, so it is not read'
    return keep(kept, [], [{ line: 1, column: 1, message }], stamp)
  }
  const { intents, problems } = read(text)
  const entries = intents.map((intent): Entry => [intent.id, '', intent])
  return keep(kept, entries, problems, stamp)
}

function keep(kept: string, entries: Entry[], problems: IntentProblem[], stamp: string): Compiled {
  const head: Head = { version: 1, stamp, choice: choiceOf(entries.map(([, , intent]) => intent)), problems }
  const lines = entries.map((entry) => `\n${JSON.stringify(entry)}`).join('')
  if (stamp !== NO_FILE) save(kept, `${JSON.stringify(head)}${lines}\n`)
  return { head, lines: `${lines}\n` }
}

function save(kept: string, text: string) {
  const draft = `${kept}.${process.pid}`
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, kept)
  } catch {
    // A full or read-only disk: the next process reads the YAML again.
  }
}

const ITEM = /^( *)- /

interface Part {
  text: string
  /** Where it begins in the file. */
  line: number
}

/**
 * The list's items as texts, when the file has the plain shape people write: nothing but comments around one block
 * list. Undefined for anything else.
 */
function splitList(text: string): Part[] | undefined {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => /^active_intents:\s*(#.*)?$/.test(line))
  if (start < 0 || lines.slice(0, start).some((line) => /^[^#\s]/.test(line))) return undefined
  const parts: { lines: string[]; line: number }[] = []
  let indent: string | undefined
  for (const [at, line] of lines.entries()) {
    if (at <= start) continue
    const dash = ITEM.exec(line)?.[1]
    indent ??= dash
    const isInside = line.trim() === '' || /^\s*#/.test(line) || (parts.length > 0 && line.startsWith(`${indent} `))
    if (dash !== undefined && dash === indent) parts.push({ lines: [line], line: at + 1 })
    else if (isInside) parts.at(-1)?.lines.push(line)
    else return undefined
  }
  return parts.map((part) => ({ text: part.lines.join('\n'), line: part.line }))
}

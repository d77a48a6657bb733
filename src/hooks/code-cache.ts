import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'
import { makeFolder } from '#config/make-folder.ts'

interface Header {
  /** When this cache began, and when it was last written; milliseconds. */
  began: number
  written: number
  /** Where in the file the compiled code of each script lies. */
  codes: Record<string, { start: number; length: number }>
  /** The modules of Node that were used. */
  builtins: string[]
}

/**
 * V8's compiled code of several scripts in one file: codes, header, the header's length, and all of it once more. A file
 * that is damaged or cannot be read counts as empty, and one that cannot be written is left: both only cost the time of
 * compiling again.
 */
export class CodeCache {
  readonly #file: string
  readonly #now: number
  readonly #bytes: Buffer
  readonly #header: Header
  readonly #scripts = new Map<string, Script>()
  readonly #builtins: Set<string>
  #isComplete = true

  constructor(file: string, now: number) {
    const { bytes, header } = read(file) ?? {
      bytes: Buffer.of(),
      header: { began: now, written: now, codes: {}, builtins: [] },
    }
    this.#now = now
    this.#file = file
    this.#bytes = bytes
    this.#header = header
    this.#builtins = new Set(header.builtins)
  }

  /** The code to start this script with. */
  codeOf(name: string): Buffer | undefined {
    const place = this.#header.codes[name]
    return place && this.#bytes.subarray(place.start, place.start + place.length)
  }

  /** The modules of Node that earlier processes have used. */
  get builtins(): readonly string[] {
    return this.#header.builtins
  }

  addBuiltin(id: string): void {
    this.#builtins.add(id)
  }

  /** Called when a script was started, with the cached code or without. */
  add(name: string, script: Script): void {
    this.#scripts.set(name, script)
    // Undefined where there was no code to be rejected.
    if (script.cachedDataRejected !== false) this.#isComplete = false
  }

  /**
   * Writes the file where that is due, and true when it did. The first event in a new home runs few functions, later ones
   * run more, and only what ran is compiled. So a complete file is written again, from what it had and what came on top,
   * whenever it has become four times as old: often at first, soon hardly ever.
   */
  save(): boolean {
    const { began, written } = this.#header
    if (this.#isComplete && this.#now - written < 3 * (written - began)) return false
    return replace(this.#file, packed(this.#codes(), { began, written: this.#now, builtins: [...this.#builtins] }))
  }

  /** Of what earlier processes have loaded, and of what this one has. */
  #codes(): Map<string, Buffer> {
    const codes = new Map<string, Buffer>()
    for (const name of Object.keys(this.#header.codes)) codes.set(name, this.codeOf(name)!)
    for (const [name, script] of this.#scripts) codes.set(name, script.createCachedData())
    return codes
  }
}

/** Removes the files for which this holds. */
export function removeCaches(folder: string, isOutdated: (name: string) => boolean): void {
  try {
    for (const name of readdirSync(folder)) if (isOutdated(name)) rmSync(join(folder, name), { force: true })
  } catch {
    // Not ours to write; then they stay.
  }
}

/** Code that begins elsewhere than at a multiple of eight is copied by V8. */
const ALIGNMENT = 8
/** Of the header's length. */
const TAIL = 4

function packed(codes: Map<string, Buffer>, facts: Omit<Header, 'codes'>): Buffer {
  const header: Header = { ...facts, codes: {} }
  const parts: Buffer[] = []
  let end = 0
  for (const [name, code] of codes) {
    header.codes[name] = { start: end, length: code.length }
    const padding = Buffer.alloc(-code.length & (ALIGNMENT - 1))
    parts.push(code, padding)
    end += code.length + padding.length
  }
  const head = Buffer.from(JSON.stringify(header))
  const tail = Buffer.alloc(TAIL)
  tail.writeUInt32LE(head.length)
  const bytes = [...parts, head, tail]
  return Buffer.concat([...bytes, ...bytes])
}

/**
 * V8 checks only the length of the code it is given, and a wrong byte ends the process. So everything is there twice:
 * comparing takes a fifth of what summing up in JavaScript does, or loading what Node has for that.
 */
function read(file: string): { bytes: Buffer; header: Header } | undefined {
  try {
    const both = readFileSync(file)
    const bytes = both.subarray(0, both.length / 2)
    if (!bytes.equals(both.subarray(both.length / 2))) return undefined
    const end = bytes.length - TAIL
    const text = bytes.subarray(end - bytes.readUInt32LE(end), end).toString('utf8')
    return { bytes, header: JSON.parse(text) as Header }
  } catch {
    // Not written yet, not readable or cut off: all of them mean compiling now.
    return undefined
  }
}

/** By renaming, because other processes read it meanwhile. */
function replace(file: string, bytes: Buffer): boolean {
  const draft = `${file}.${process.pid}`
  try {
    makeFolder(dirname(file))
    writeFileSync(draft, bytes, { mode: 0o600 })
    renameSync(draft, file)
    return true
  } catch {
    // A full or read-only disk.
    return false
  }
}

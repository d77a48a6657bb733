import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { plainText } from '#config/plain-file.ts'

/**
 * The hash of the last record that this home has written into a ledger, by branch. Nothing in a ledger itself tells that
 * its end was cut off.
 */
export interface LedgerHeads {
  of(ledger: string, branch: string): string | undefined
  note(ledger: string, branch: string, hash: string): void
}

const MOST_BRANCHES = 200

/** While an agent works, heads are written this often at most: replacing a file for every record costs more than the record. */
const GATHER_MS = 250

/** Heads that are noted but not in their file yet; by file, shared by all callers of this process. */
const waiting = new Map<string, Map<string, string>>()
const writtenAt = new Map<string, number>()

/**
 * Heads as small files in a folder. What is in a file may be a moment old, and no older when the process ends; the record it
 * names is then still in the ledger, only not its last.
 */
export function ledgerHeads(folder: string): LedgerHeads {
  const fileOf = (ledger: string) =>
    join(folder, `${createHash('sha256').update(ledger).digest('hex').slice(0, 20)}.heads.json`)
  return {
    of(ledger, branch) {
      const file = fileOf(ledger)
      return waiting.get(file)?.get(branch) ?? readHeads(file).get(branch)
    },
    note(ledger, branch, hash) {
      const file = fileOf(ledger)
      const noted = waiting.get(file)
      if (noted) {
        noted.set(branch, hash)
        return
      }
      waiting.set(file, new Map([[branch, hash]]))
      const due = (writtenAt.get(file) ?? Number.NEGATIVE_INFINITY) + GATHER_MS - performance.now()
      if (due <= 0) write(file)
      else {
        writeAtExit()
        setTimeout(writeQuietly, due, file).unref()
      }
    },
  }
}

function write(file: string): void {
  const noted = waiting.get(file)
  if (!noted) return
  waiting.delete(file)
  writtenAt.set(file, performance.now())
  const heads = readHeads(file)
  for (const [branch, hash] of noted) {
    heads.delete(branch)
    heads.set(branch, hash)
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(Object.fromEntries([...heads].slice(-MOST_BRANCHES))), { mode: 0o600 })
  renameSync(draft, file)
}

/** By then the record is written and its writer answered; with an older head its end is checked less far. */
function writeQuietly(file: string): void {
  try {
    write(file)
  } catch {
    // A full or vanished home: `grove trace verify` then finds an older head, which is no mistake of the ledger.
  }
}

let writesAtExit = false

function writeAtExit(): void {
  if (writesAtExit) return
  writesAtExit = true
  process.on('exit', () => {
    for (const file of [...waiting.keys()]) writeQuietly(file)
  })
}

function readHeads(file: string): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(plainText(file) ?? '{}')
    const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // Damaged: then the end of the ledger is not checked until the next record.
    return new Map()
  }
}

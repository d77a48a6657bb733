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

/** Heads as small files in a folder. */
export function ledgerHeads(folder: string): LedgerHeads {
  const fileOf = (ledger: string) =>
    join(folder, `${createHash('sha256').update(ledger).digest('hex').slice(0, 20)}.heads.json`)
  return {
    of: (ledger, branch) => readHeads(fileOf(ledger)).get(branch),
    note(ledger, branch, hash) {
      const file = fileOf(ledger)
      const heads = readHeads(file)
      heads.delete(branch)
      heads.set(branch, hash)
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, JSON.stringify(Object.fromEntries([...heads].slice(-MOST_BRANCHES))), { mode: 0o600 })
      renameSync(draft, file)
    },
  }
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

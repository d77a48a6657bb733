import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { plainText } from '#config/plain-file.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { TraceRecord } from '#core/trace/record.ts'
import { homeLedgerAt } from '#exec/guarded-project.ts'
import { appendRecord, ledgerFile } from '#storage/files/trace-jsonl.ts'

/**
 * Before a project has intents its changes are recorded in Grove's home. When it gets its own folder, what was recorded
 * until then is its past: it is read from there, and copied when the first record is added.
 */

/** The file in which a project's records are found now. */
export function ledgerOf({ root, orchestration }: GuardedProject, home: string): string {
  const own = ledgerFile(orchestration)
  if (existsSync(own)) return own
  const past = pastOf(root, home)
  return past !== undefined && existsSync(past) ? past : own
}

/**
 * Takes over what was recorded before the project had its own ledger, without the words of the tasks: those are not for
 * committing. Another process that does the same at the same time, and is faster, wins.
 */
export function inheritLedger({ root, orchestration }: GuardedProject, home: string): void {
  const own = ledgerFile(orchestration)
  const past = existsSync(own) ? undefined : pastOf(root, home)
  if (past === undefined || !existsSync(past)) return
  mkdirSync(orchestration, { recursive: true })
  const draft = `${own}.${process.pid}`
  try {
    for (const record of recordsIn(past)) appendRecord(draft, withoutGoal(record))
    linkSync(draft, own)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A longer past stays where it is. */
const MOST_BYTES = 256 * 1024 * 1024

function recordsIn(file: string): TraceRecord[] {
  return (plainText(file, { most: MOST_BYTES }) ?? '').split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as TraceRecord]
    } catch {
      // Half a line that a killed process left.
      return []
    }
  })
}

function withoutGoal(record: TraceRecord): TraceRecord {
  const own = record.metadata?.['dev.grove']
  if (!own) return record
  const { chain: _, task, ...kept } = own
  return {
    ...record,
    metadata: { ...record.metadata, 'dev.grove': { ...kept, ...(task && { task: { id: task.id } }) } },
  }
}

function pastOf(root: string, home: string): string | undefined {
  const folder = homeLedgerAt(root, home)
  return folder === undefined ? undefined : ledgerFile(folder)
}

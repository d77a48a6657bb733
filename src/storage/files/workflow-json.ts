import { link, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { writeAtomic } from './atomic.ts'
import { redactedJson } from './redacted-json.ts'

/** What was found at a path: the file, the copy of the one before it, or neither. */
export type ReadState<T> =
  | { from: 'file' | 'backup'; value: T; revision: number; problem?: string }
  | { from: 'nothing'; problem?: string }

/**
 * A state file carries the revision of the session that it belongs to. session.json is written last: what is newer than
 * it was never acknowledged, and the copy of the file before is what holds.
 */
export async function readState<T>(path: string, schema: z.ZodType<T>, newest = Infinity): Promise<ReadState<T>> {
  const current = await readOne(path, schema)
  if (current && 'value' in current && current.revision <= newest) return { from: 'file', ...current }
  const backup = await readOne(backupOf(path), schema)
  const isDamaged = current !== undefined && !('value' in current)
  const problem = isDamaged ? { problem: `${basename(path)} was damaged` } : {}
  if (backup && 'value' in backup && backup.revision <= newest) return { from: 'backup', ...backup, ...problem }
  return { from: 'nothing', ...problem }
}

type One<T> = { value: T; revision: number } | { damaged: true }

async function readOne<T>(path: string, schema: z.ZodType<T>): Promise<One<T> | undefined> {
  const text = await readFile(path, 'utf8').catch(ifMissing)
  if (text === undefined) return undefined
  try {
    const json: unknown = JSON.parse(text)
    const revision = (json as { revision?: unknown }).revision
    const read = schema.safeParse(json)
    return read.success
      ? { value: read.data, revision: typeof revision === 'number' ? revision : 0 }
      : { damaged: true }
  } catch {
    return { damaged: true }
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Writes the file, and keeps the one before it. */
export async function writeState(path: string, value: object, revision: number): Promise<void> {
  await keepBackup(path)
  await writeAtomic(path, `${redactedJson({ ...value, revision }, 2)}\n`)
}

/** A second name for the old file; renaming the new one over it then leaves the old content under `.bak`. */
async function keepBackup(path: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.bak.tmp`)
  await rm(draft, { force: true })
  try {
    await link(path, draft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await rename(draft, backupOf(path))
}

function backupOf(path: string): string {
  return `${path}.bak`
}

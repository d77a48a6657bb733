import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RefusalCode } from '#core/refusal.ts'
import { birthOf } from '../process/table.ts'
import { randomId } from '../random-id.ts'
import { endProcesses } from './end-processes.ts'

/** A run that has, or had, a process. The file of that name is also the lock on its Claude id. */
interface SpawnRecord {
  spawnId: string
  claudeId: string
  /** The Grove that started it. */
  owner: { pid: number; bornAt?: string }
  /** Absent until the process is there. */
  child?: { pid: number; bornAt?: string }
}

/** Another process holds the conversation. */
export class AgentBusy extends Error {
  readonly code = 'agent_busy' satisfies RefusalCode
}

export interface SpawnLock {
  /** Writes the settings of the run into a file that only this user can read, and returns its path. */
  settings(text: string): string
  /** Notes the process, so that a later Grove finds it. */
  started(pid: number): Promise<void>
  release(): void
}

/**
 * One file per Claude id, in a folder that outlives this process: two processes on one conversation would lose
 * messages, and a process that a killed Grove has left must be found again.
 */
export class SpawnRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Locks the conversation. What a dead Grove has left running on it is ended first. */
  async acquire(spawnId: string, claudeId: string): Promise<SpawnLock> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, `${claudeId}.json`)
    const record: SpawnRecord = { spawnId, claudeId, owner: await identity(process.pid) }
    if (!this.#place(file, record)) {
      const holder = readRecord(file)
      if (holder && (await isAlive(holder.owner))) throw busy(holder)
      if (holder) await endProcesses(holder.spawnId)
      this.#clear(file, holder)
      if (!this.#place(file, record)) throw busy(readRecord(file))
    }
    return {
      settings: (text) => {
        const settings = settingsOf(file)
        writeFileSync(settings, text, { mode: 0o600 })
        return settings
      },
      started: async (pid) => this.#replace(file, { ...record, child: await identity(pid) }),
      release: () => {
        if (readRecord(file)?.spawnId !== spawnId) return
        rmSync(settingsOf(file), { force: true })
        rmSync(file, { force: true })
      },
    }
  }

  /** Ends what dead Groves have left; resolves to the runs whose processes were found alive. */
  async endOrphans(): Promise<string[]> {
    const found: string[] = []
    for (const name of this.#names()) {
      const file = join(this.#folder, name)
      const record = readRecord(file)
      if (record && (await isAlive(record.owner))) continue
      if (record && (await endProcesses(record.spawnId)).length > 0) found.push(record.spawnId)
      rmSync(settingsOf(file), { force: true })
      this.#clear(file, record)
    }
    return found
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** Created by a hard link, so the file appears complete. */
  #place(file: string, record: SpawnRecord): boolean {
    const draft = this.#draft(record)
    try {
      linkSync(draft, file)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return false
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** Removes the stale record, unless another process did so first and has put its own there. */
  #clear(file: string, stale: SpawnRecord | undefined): void {
    const aside = join(this.#folder, `${randomId()}.stale`)
    try {
      renameSync(file, aside)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    const moved = readRecord(aside)
    if (moved && moved.spawnId !== stale?.spawnId) this.#place(file, moved)
    rmSync(aside, { force: true })
  }

  #replace(file: string, record: SpawnRecord): void {
    renameSync(this.#draft(record), file)
  }

  #draft(record: SpawnRecord): string {
    const draft = join(this.#folder, `${randomId()}.draft`)
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    return draft
  }
}

function settingsOf(file: string): string {
  return file.replace(/\.json$/, '.settings')
}

async function identity(pid: number): Promise<{ pid: number; bornAt?: string }> {
  const bornAt = await birthOf(pid)
  return { pid, ...(bornAt !== undefined && { bornAt: String(bornAt) }) }
}

async function isAlive({ pid, bornAt }: { pid: number; bornAt?: string }): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return bornAt === undefined || String(await birthOf(pid)) === bornAt
}

function busy(holder: SpawnRecord | undefined): AgentBusy {
  const who = holder?.child ? ` (pid ${holder.child.pid})` : ''
  return new AgentBusy(`Another Claude Code process${who} works on this conversation.`)
}

function readRecord(file: string): SpawnRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SpawnRecord
  } catch {
    return undefined // Missing, or torn by a full disk: it names no process.
  }
}

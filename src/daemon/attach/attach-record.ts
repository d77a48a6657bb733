import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { makeFolder } from '#config/make-folder.ts'
import type { SettingsTrace } from '#hooks/install.ts'
import type { McpTrace } from '#hooks/mcp-entry.ts'
import { writeAtomic } from '#storage/files/atomic.ts'

/** What `grove init` remembers about one settings file, so that `grove unregister` can undo it to the byte. */
export interface AttachRecord {
  settings: string
  trace: SettingsTrace
  /** The file's mode before; it is made private when a token stands in it. */
  mode?: number
  /** The folder that was made for it. */
  madeFolder?: string
  mcp?: { file: string; project?: string; trace: McpTrace }
}

/** The records of one home. Private: they hold the user's settings as they were. */
export function attachRecords(home: string) {
  const folder = join(home, 'attached')
  const idOf = (settings: string) => createHash('sha256').update(settings).digest('hex').slice(0, 12)
  const fileOf = (settings: string) => join(folder, `${idOf(settings)}.json`)

  async function write(file: string, text: string) {
    makeFolder(folder)
    await writeAtomic(file, text)
    await chmod(file, 0o600)
  }

  return {
    of: (settings: string) => read(fileOf(settings)),
    all: (): AttachRecord[] =>
      existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith('.json'))
            .flatMap((name) => read(join(folder, name)) ?? [])
        : [],
    keep: (record: AttachRecord) => write(fileOf(record.settings), `${JSON.stringify(record, null, 2)}\n`),
    forget: (settings: string) => rm(fileOf(settings), { force: true }),
    /** A copy for people, in case they ever want to look. */
    async backUp(settings: string, text: string): Promise<void> {
      await write(join(folder, `${basename(settings)}.${idOf(settings)}.before`), text)
    },
  }
}

function read(file: string): AttachRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as AttachRecord
  } catch {
    // Not there, or damaged: detaching then goes by what our entries look like.
    return undefined
  }
}

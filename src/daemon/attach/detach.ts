import { chmod, rm, rmdir } from 'node:fs/promises'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { tilde } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { detach } from '#hooks/install.ts'
import { detachMcp } from '#hooks/mcp-entry.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import { reasonOf } from '../process/home.ts'
import { type AttachRecord, attachRecords } from './attach-record.ts'
import { claudeFiles, readIfThere, soundly, whileLocked } from './claude-files.ts'
import { agentCommandFile, detacherFile, scriptFile } from './hook-client-files.ts'

export interface DetachNeeds {
  config: Config
  env: Env
  /** Settings files to detach from; absent: all that are remembered, and the user's own. */
  settings?: string[]
  /** Leave the hook client where it is: open sessions that do not look at their settings again go on calling it. */
  keepsClient?: boolean
}

/** Takes Grove out of Claude Code's settings again; resolves to the files that were changed. */
export function detachFromClaude({ config, env, settings, keepsClient = false }: DetachNeeds): Promise<string[]> {
  const { userSettings, configuration } = claudeFiles(env)
  return whileLocked(configuration, async () => {
    const records = attachRecords(config.home)
    const known = records.all()
    const changed: string[] = []
    const files = [...new Set(settings ?? [userSettings, ...known.map((record) => record.settings)])]
    for (const file of files) {
      const record = known.find((one) => one.settings === file)
      if (await detachSettings(file, record)) changed.push(file)
      if (await detachServer(record?.mcp ?? { file: configuration })) changed.push(record?.mcp?.file ?? configuration)
    }
    await clearAway(records, files, config, keepsClient)
    return [...new Set(changed)]
  })
}

/**
 * Removes the records of the attachment. Where the home takes no writes they stay; Claude Code is detached all the
 * same.
 */
async function clearAway(
  records: ReturnType<typeof attachRecords>,
  settings: string[],
  { home }: Config,
  keepsClient: boolean,
): Promise<void> {
  try {
    for (const file of settings) await records.forget(file)
    if (records.all().length > 0 || keepsClient) return
    for (const file of [scriptFile(home), agentCommandFile(home), detacherFile(home)]) await rm(file, { force: true })
  } catch (error) {
    const reason = reasonOf((error as NodeJS.ErrnoException).code)
    throw new Trouble(
      `Grove is detached from Claude Code, but its files in ${tilde(home)} cannot be removed: ${reason}.`,
      'Make it writable and run `grove unregister` again, or leave them: nothing uses them any more.',
      { cause: error },
    )
  }
}

async function detachSettings(file: string, record: AttachRecord | undefined): Promise<boolean> {
  const now = readIfThere(file)
  const left = soundly(file, detach(now, record?.trace))
  await replace(file, now, left)
  if (left !== undefined && record?.mode !== undefined) await chmod(file, record.mode)
  // The folder may hold other files by now.
  if (left === undefined && record?.madeFolder) await rmdir(record.madeFolder).catch(() => {})
  return left !== now
}

type Server = Partial<NonNullable<AttachRecord['mcp']>> & { file: string }

async function detachServer({ file, project, trace }: Server): Promise<boolean> {
  const now = readIfThere(file)
  const left = soundly(file, detachMcp(now, project, trace))
  await replace(file, now, left)
  return left !== now
}

async function replace(file: string, now: string | undefined, text: string | undefined): Promise<void> {
  if (text === now) return
  if (text === undefined) await rm(file)
  else await writeAtomic(file, text)
}

import { randomUUID } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes the whole file or nothing: a reader, at whatever moment, and whatever happens to us, finds the old
 * text or the new. An existing file keeps its mode, and a link keeps pointing where it did.
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const target = await throughLinks(path)
  const folder = dirname(target)
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    await writeThrough(draft, text, await modeOf(target))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    // The error names the file, not its draft.
    throw Object.assign(error as Error, { path: target })
  }
  await settle(folder)
}

async function writeThrough(path: string, text: string, mode: number | undefined) {
  const handle = await open(path, 'wx')
  try {
    // Not as an argument to open, where the umask would narrow it.
    if (mode !== undefined) await handle.chmod(mode)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the new name last through a power cut; Windows has no such call for folders. */
async function settle(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function throughLinks(path: string): Promise<string> {
  return (await ifThere(realpath(path))) ?? path
}

async function modeOf(path: string): Promise<number | undefined> {
  const found = await ifThere(stat(path))
  return found && found.mode & 0o777
}

async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

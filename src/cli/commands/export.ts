import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, realpathSync, renameSync, rmSync, statSync, type WriteStream } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { MemoryCommands } from '#daemon/commands/memory.ts'
import type { Cli } from '../context.ts'
import { lookAtMemories, noneIn, projectOf, type Reach } from '../memory.ts'
import { counted, note } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('[file]', 'file to write; standard output by default')
    .option('--project <id>', 'a project other than the one in this folder')
    .option('--all', 'every project')
    .action(async (file: string | undefined, reach: Reach) => {
      const count = file === undefined ? await write(cli, reach, process.stdout) : await writeFile(cli, reach, file)
      if (count === 0) note(noneIn(reach))
      else if (file !== undefined) note(`${counted(count, 'memory', 'memories')} written to ${file}.`)
    })
}

/** Written beside its place and put there when it is whole: an export of before stays until then. */
async function writeFile(cli: Cli, reach: Reach, file: string): Promise<number> {
  const found = statSync(file, { throwIfNoEntry: false })
  // A pipe or a terminal is written straight into.
  const isPlain = found === undefined || found.isFile()
  const target = found && isPlain ? realpathSync(file) : file
  const draft = isPlain ? join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`) : target
  try {
    const out = createWriteStream(draft, { mode: isPlain && found ? found.mode : 0o600 })
    await once(out, 'open')
    const count = await write(cli, reach, out)
    out.end()
    await once(out, 'close')
    if (isPlain) renameSync(draft, target)
    return count
  } catch (error) {
    if (isPlain) rmSync(draft, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    if (code !== 'ENOENT') throw Object.assign(error as Error, { path: file })
    throw new Trouble(
      `${file} cannot be written: the folder ${dirname(file)} does not exist.`,
      'Choose another file, or leave it out to write to standard output.',
    )
  }
}

async function write(cli: Cli, reach: Reach, out: WriteStream | NodeJS.WriteStream): Promise<number> {
  let count = 0
  async function* lines(memories: MemoryCommands) {
    for await (const line of memories.exportLines(projectOf(reach, memories).projectId)) {
      count++
      yield line
    }
  }
  await lookAtMemories(cli, undefined, (memories) => pipeline(lines(memories), out, { end: false }))
  return count
}

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Command } from 'commander'
import type { Cli } from '../context.ts'
import { lookAtMemories, projectOf, type Reach } from '../memory.ts'
import { grouped, note } from '../print.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('[file]', 'where to write; without it, standard output')
    .option('--project <id>', 'another project than the one of this folder')
    .option('--all', 'every project')
    .action(async (file: string | undefined, reach: Reach) => {
      const out = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 })
      const count = await lookAtMemories(cli, 0, async (desk) => {
        let written = 0
        for await (const line of desk.exportLines(projectOf(reach, desk).projectId)) {
          if (!out.write(line)) await once(out, 'drain')
          written++
        }
        return written
      })
      if (file === undefined) return
      out.end()
      await once(out, 'finish')
      note(`${grouped(count)} memories written to ${file}.`)
    })
}

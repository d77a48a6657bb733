import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { ImportReport, MemoryCommands } from '#daemon/commands/memory.ts'
import type { Cli } from '../context.ts'
import { withMemories } from '../memory.ts'
import { count } from '../numbers.ts'
import { clean, counted, grouped, note, print, printJson } from '../print.ts'
import { progress } from '../progress.ts'

interface Common {
  again?: boolean
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('git')
    .summary("import memories from this project's git history")
    .option('--since <time>', 'only commits after this time, such as 2025-01-01 or "6 months ago"')
    .option('--max <count>', 'only this many of the newest commits', count)
    .option('--again', 'also read what was imported before')
    .option('--json', 'print JSON')
    .action(async ({ since, max, again, json }: Common & { since?: string; max?: number }) => {
      if (since !== undefined && !isTime(since)) {
        throw new Trouble(
          since.trim() === '' ? '--since takes a time.' : `--since takes a time; there is no day "${since}".`,
          'Try --since 2025-01-01 or --since "6 months ago".',
        )
      }
      const wish = { ...(since && { since }), ...(max && { most: max }), ...(again && { again }) }
      await bringIn(cli, json, 'commits', (memories, told) => memories.importGit(wish, told))
    })
  command
    .command('transcripts')
    .summary("import memories from Claude Code's earlier sessions in this project")
    .option('--all', 'for every project')
    .option('--again', 'also read what was imported before')
    .option('--json', 'print JSON')
    .action(({ all = false, again = false, json }: Common & { all?: boolean }) =>
      bringIn(cli, json, 'pieces of work', (memories, told) => memories.importTranscripts({ all, again }, told)),
    )
  command
    .command('file [file]', { isDefault: true })
    .usage('[options] <file>')
    .summary('import memories from JSON lines written by `grove export`; - for standard input')
    .option('--here', 'import into this project, copying memories that belong to another one')
    .option('--json', 'print JSON')
    .action((file: string | undefined, { here = false, json }: Common & { here?: boolean }) => {
      if (file === undefined) return command.error('error: choose what to import: git, transcripts, or a file')
      return bringIn(cli, json, 'lines', (memories, told) => memories.importFile(file, here, told))
    })
}

/** All of this project's history that was not read yet. */
export function importHistory(cli: Cli): Promise<void> {
  return bringIn(cli, false, 'commits', (memories, told) => memories.importGit({}, told))
}

/**
 * Rejects dates that git would silently read as another day: an empty text, and days that no calendar has. Words such
 * as `yesterday` are left to git.
 */
function isTime(since: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(since.trim()) ?? []
  if (year === undefined) return since.trim() !== ''
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

type Told = (report: ImportReport, share: number) => void

async function bringIn(
  cli: Cli,
  json: boolean | undefined,
  things: string,
  work: (memories: MemoryCommands, told: Told) => Promise<ImportReport>,
): Promise<void> {
  const bar = progress()
  const report = await withMemories(cli, async (memories) => {
    const done = await work(memories, (so, share) =>
      bar.show(share, share > 0 ? 1 : 0, `${grouped(so.read)} ${things} read, ${grouped(so.kept)} kept`),
    )
    await memories.index((count) => bar.show(count, done.kept, `${grouped(count)} made searchable`))
    return done
  })
  bar.end()
  if (json) printJson(report)
  else print(summary(report, things))
  if (report.broken === undefined) return
  note(brokenText(report.broken))
  process.exitCode = 1
}

/** How many bad lines of a file are shown. */
const SHOWN_BROKEN = 5

function brokenText(broken: NonNullable<ImportReport['broken']>): string {
  const lines = broken.slice(0, SHOWN_BROKEN).map(({ line, why }) => `  line ${line}: ${clean(why)}`)
  return ['error: some lines could not be used:', ...lines, '', WAY_OUT].join('\n')
}

const WAY_OUT = 'Fix them and import the file again; memories that were already imported are not duplicated.'

function summary({ read, kept, known, left, elsewhere }: ImportReport, things: string): string {
  if (read === 0) return `There are no new ${things}.`
  const reasons = Object.entries(left).sort(([, a], [, b]) => b - a)
  const lines = reasons.map(([why, count]) => `  ${grouped(count)} skipped: ${why}`)
  const away = elsewhere
    ? [
        `  ${grouped(elsewhere)} ${elsewhere === 1 ? 'belongs' : 'belong'} to other projects; --here imports them into this one`,
      ]
    : []
  const already = known > 0 ? [`  ${grouped(known)} ${known === 1 ? 'was' : 'were'} already there`] : []
  return [
    `${counted(read, ONE[things]!, things)} read, ${counted(kept, 'memory', 'memories')} kept.`,
    ...already,
    ...away,
    ...lines,
  ].join('\n')
}

const ONE: Record<string, string> = { commits: 'commit', lines: 'line', 'pieces of work': 'piece of work' }

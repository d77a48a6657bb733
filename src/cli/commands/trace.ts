import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { BlamedLine, CommitStats, LogPage, TraceView, Verification } from '#daemon/commands/guard.ts'
import type { Cli } from '../context.ts'
import { inTraced, withGuard } from '../guard.ts'
import { count } from '../numbers.ts'
import { ago, clean, counted, grouped, note, pairs, print, printAsIs, printJson, table } from '../print.ts'

interface LogOptions {
  intent?: string
  session?: string
  file?: string
  limit: number
  before?: number
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('log', { isDefault: true })
    .summary('list changes, newest first')
    .option('--intent <id>', 'only for this intent')
    .option('--session <id>', 'only from this agent session')
    .option('--file <path>', 'only in this file')
    .option('--limit <count>', 'maximum number of results', count, 20)
    .option('--before <time>', 'older than this time in milliseconds (`next` in the JSON output)', count)
    .option('--json', 'print JSON')
    .action((options: LogOptions) => log(cli, options))
  command
    .command('blame <file>')
    .summary('show who wrote each line of a file, for what and when')
    .option('--rev <commit>', 'the file as of a commit')
    .option('--json', 'print JSON')
    .action((file: string, options: { rev?: string; json?: boolean }) => blame(cli, file, options))
  command
    .command('stats [range]')
    .summary('count lines by agents and by people in each commit')
    .option('--limit <count>', 'maximum number of commits', count, 20)
    .option('--json', 'print JSON')
    .action((range: string | undefined, options: { limit: number; json?: boolean }) => stats(cli, range, options))
  command
    .command('verify')
    .summary('find lines without an intent, and damage to the trace')
    .option('--rev <commit>', 'the commit to check', 'HEAD')
    .option('--since <commit>', 'only lines added after this commit')
    .option('--strict', 'also fail if a line has no intent')
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => verify(cli, options))
}

async function log(cli: Cli, { intent, session, file, limit, before, json }: LogOptions): Promise<void> {
  const query = {
    limit,
    ...(intent && { intent }),
    ...(session && { session }),
    ...(file && { path: file }),
    ...(before && { before }),
  }
  const page = await withGuard(
    cli,
    async (guard): Promise<LogPage> => (guard.traced ? guard.log(query) : { records: [] }),
  )
  if (json) return printJson(page)
  if (page.records.length === 0) {
    const isNarrow = intent ?? session ?? file ?? before
    if (isNarrow) return print('No change matches.')
    const isRecording = await withGuard(cli, async (guard) => guard.traced !== undefined && (await guard.isAttached()))
    print(
      isRecording
        ? 'Nothing has been traced yet. Every change an agent makes here will be.'
        : 'Nothing has been traced yet. Changes are traced in git repositories where Grove is attached to Claude Code: run `grove init`.',
    )
    return
  }
  print(
    table(
      page.records,
      [
        { head: 'WHEN', cell: ({ at }: TraceView) => ago(Date.now() - at) },
        { head: 'INTENT', cell: (view) => view.intent ?? '-' },
        { head: 'CLASS', cell: ({ mutationClass }) => (mutationClass === 'AST_REFACTOR' ? 'refactor' : 'evolution') },
        { head: 'TOOL', cell: ({ tool }) => tool ?? '-' },
        { head: 'FILES', cell: changed, stretch: true },
        { head: 'SESSION', cell: (view) => (view.session ?? '-').slice(0, 8) },
      ],
      cli.paint,
    ),
  )
}

function changed({ files, scopeViolation }: TraceView): string {
  const names = files.map(({ path, ranges }) => {
    const [first] = ranges
    return first ? `${path}:${first.start}${first.end > first.start ? `-${first.end}` : ''}` : path
  })
  return `${scopeViolation ? '(outside the scope) ' : ''}${names.join(', ')}`
}

async function blame(cli: Cli, file: string, { rev, json }: { rev?: string; json?: boolean }): Promise<void> {
  const lines = await inTraced(cli, async (guard) => {
    if (rev !== undefined && !(await guard.revision(rev))) throw noCommit(rev)
    return guard.blame(file, rev)
  })
  if (!lines) {
    throw new Trouble(
      `There is no file ${file}${rev ? ` in ${rev}` : ''}, or it is not a text file.`,
      'Choose a file of this project; with --rev, one that exists in that commit.',
    )
  }
  if (json) return printJson({ lines: lines.map(({ line, text, origin }) => ({ line, text, origin: origin ?? null })) })
  const rows = lines.map((line) => [origin(line), String(line.line), clean(line.text)] as const)
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const [who, number, text] of rows) {
    printAsIs(`${cli.paint.dim(who.padEnd(first!))}  ${number.padStart(second!)}  ${text}`.trimEnd())
  }
}

function origin({ origin: from }: BlamedLine): string {
  if (!from) return '-'
  const when = new Date(from.at).toISOString().slice(0, 16).replace('T', ' ')
  const who = [
    from.session?.slice(0, 8),
    from.agent && `agent ${from.agent.slice(0, 8)}`,
    from.model?.split('/').at(-1),
  ]
  return clean([from.intent ?? from.task?.slice(0, 40), ...who, when].filter(Boolean).join('  '))
}

async function stats(cli: Cli, range: string | undefined, { limit, json }: { limit: number; json?: boolean }) {
  if (range?.startsWith('-')) throw noCommit(range)
  const commits = await inTraced(cli, async (guard) => {
    const ends = range?.split(/\.{2,3}/).filter(Boolean) ?? []
    for (const end of ends) if (!(await guard.revision(end))) throw noCommit(end)
    return guard.stats(limit, range)
  })
  const sum = (of: (commit: CommitStats) => number) => commits.reduce((lines, commit) => lines + of(commit), 0)
  const total = { agentLines: sum(({ agentLines }) => agentLines), humanLines: sum(({ humanLines }) => humanLines) }
  if (json) return printJson({ commits, total })
  if (commits.length === 0) return print('There are no commits in this range.')
  print(
    table(
      commits,
      [
        { head: 'COMMIT', cell: ({ revision }: CommitStats) => revision.slice(0, 9) },
        { head: 'WHEN', cell: ({ at }) => ago(Date.now() - at) },
        { head: 'AGENT', cell: ({ agentLines }) => grouped(agentLines), align: 'right' },
        { head: 'HUMAN', cell: ({ humanLines }) => grouped(humanLines), align: 'right' },
        { head: 'SHARE', cell: shareOfAgents, align: 'right' },
        { head: 'SUBJECT', cell: ({ subject }) => subject, stretch: true },
        { head: 'SESSIONS', cell: ({ sessions }) => sessions.map(({ session }) => session.slice(0, 8)).join(' ') },
      ],
      cli.paint,
    ),
  )
  print(
    `\nAll: ${counted(total.agentLines, 'line')} by agents (${shareOfAgents(total)}), ${grouped(total.humanLines)} by people.`,
  )
}

function shareOfAgents({ agentLines, humanLines }: Pick<CommitStats, 'agentLines' | 'humanLines'>): string {
  const all = agentLines + humanLines
  return all === 0 ? '-' : `${Math.round((100 * agentLines) / all)} %`
}

interface VerifyOptions {
  rev: string
  since?: string
  strict?: boolean
  json?: boolean
}

async function verify(cli: Cli, { rev, since, strict, json }: VerifyOptions): Promise<void> {
  const found = await inTraced(cli, async (guard) => {
    const revision = await guard.revision(rev)
    const from = since === undefined ? undefined : await guard.revision(since)
    if (!revision) throw noCommit(rev)
    if (since !== undefined && !from) throw noCommit(since)
    return guard.verify(revision, from)
  })
  if (json) printJson(found)
  else print(report(found, cli))
  const { damaged, broken, cutOff } = found.ledger
  for (const { line } of json ? [] : damaged) note(`agent_trace.jsonl:${line}: not a record; reading skips it`)
  for (const { line, problem } of json ? [] : broken) note(`agent_trace.jsonl:${line}: ${PROBLEMS[problem]}`)
  if (cutOff && !json) note('agent_trace.jsonl: the last record that was written here on this branch is gone')
  if (damaged.length + broken.length > 0 || cutOff || (strict && found.untraced.length > 0)) process.exitCode = 1
}

const PROBLEMS = {
  changed: 'this record was changed after it was written',
  missing: 'the record before this one was changed or removed',
  moved: 'this record was moved before one that is older',
}

const MOST_FILES = 30

function report({ revision, lines, untraced, records, ledger }: Verification, { paint }: Cli): string {
  const share = lines.total === 0 ? 100 : Math.floor((100 * lines.traced) / lines.total)
  const faults = ledger.damaged.length + ledger.broken.length
  const head = pairs([
    ['Commit', revision.slice(0, 12)],
    ['Lines with an intent', `${grouped(lines.traced)} of ${grouped(lines.total)} (${share} %)`],
    [
      'Records',
      `${grouped(records.total)}: ${grouped(records.whole)} found completely, ${grouped(records.partly)} partly`,
    ],
    ['Records without lines', `${grouped(records.goneCount)} (overwritten, removed or not committed)`],
    [
      'Trace file',
      faults === 0
        ? `${counted(ledger.lines, 'line')}, none damaged`
        : paint.red(`${counted(faults, 'damaged line')} of ${grouped(ledger.lines)}`),
    ],
  ])
  if (untraced.length === 0) return `${head}\n\nEvery line has an intent.`
  const shown = table(
    untraced.slice(0, MOST_FILES),
    [
      { head: 'WITHOUT INTENT', cell: (file) => grouped(file.lines), align: 'right' },
      { head: 'FILE', cell: ({ path }) => path, stretch: true },
      { head: 'WHERE', cell: ({ ranges }) => where(ranges) },
    ],
    paint,
  )
  const rest =
    untraced.length > MOST_FILES
      ? `\n… and ${counted(untraced.length - MOST_FILES, 'more file')}; --json lists all.`
      : ''
  return `${head}\n\n${shown}${rest}`
}

function where(ranges: { start: number; end: number }[]): string {
  const shown = ranges.slice(0, 4).map(({ start, end }) => (end > start ? `${start}-${end}` : String(start)))
  return shown.join(', ') + (ranges.length > 4 ? ', …' : '')
}

function noCommit(name: string): Trouble {
  if (name === 'HEAD')
    return new Trouble('There is no commit here yet.', 'Run it in a git repository, after its first commit.')
  return new Trouble(`There is no commit ${name} here.`, 'Use a commit, branch or tag of this repository.')
}

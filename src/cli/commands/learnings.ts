import { type Command, Option } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Edit, Entry, Rejected } from '#daemon/commands/learning.ts'
import { CHOICES, learningEntry } from '#protocol/learning-json.ts'
import { rejectionWords } from '#protocol/rejection-words.ts'
import type { Cli } from '../context.ts'
import { withLearnings } from '../learning.ts'
import { dayOf } from '../memory.ts'
import { count } from '../numbers.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, counted, note, pairs, print, printJson, table } from '../print.ts'
import { orTrouble } from '../refused.ts'

interface ListOptions {
  status: 'active' | 'archived' | 'superseded' | 'any'
  category?: string
  tag?: string
  limit: number
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('list [text...]', { isDefault: true })
    .summary('list learnings, or those that match a text')
    .addOption(
      new Option('--status <status>', 'only with this status')
        .choices(['active', 'archived', 'superseded', 'any'])
        .default('active'),
    )
    .addOption(new Option('--category <name>', 'only this category').choices(CHOICES.category))
    .option('--tag <tag>', 'only with this tag')
    .option('--limit <count>', 'maximum number of results', count, 100)
    .option('--json', 'print JSON')
    .action((words: string[], options: ListOptions) => list(cli, words.join(' '), options))
  command
    .command('show <id>')
    .summary('show one learning in full')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const entry = orTrouble(await withLearnings(cli, (learnings) => learnings.find(id)))
      if (json) printJson(learningEntry(entry))
      else print(describe(entry, cli))
    })
  command
    .command('edit <id>')
    .summary('edit a learning')
    .option('--summary <text>', 'one sentence')
    .option('--detail <text>', 'the explanation')
    .addOption(new Option('--category <name>', 'its category').choices(CHOICES.category))
    .addOption(new Option('--confidence <level>', 'how certain it is').choices(CHOICES.confidence))
    .option('--tags <list>', 'tags, separated by commas')
    .option('--files <list>', 'files it is about, separated by commas')
    .option('--json', 'print JSON')
    .action(async (id: string, options: EditOptions) => {
      const edit = editOf(options)
      if (Object.keys(edit).length === 0) {
        throw new Trouble('There is nothing to change.', 'For example: grove learnings edit <id> --tags database,seed')
      }
      const entry = orTrouble(await withLearnings(cli, (learnings) => learnings.edit(id, edit)))
      if (options.json) printJson(learningEntry(entry))
      else print(describe(entry, cli))
    })
  command
    .command('rejected')
    .summary('list candidates that were rejected, and why')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const rejected = await withLearnings(cli, (learnings) => learnings.rejected())
      if (json) return printJson({ rejected })
      print(rejected.length === 0 ? 'Nothing was rejected recently.' : rejected.map(turnedDown).join('\n\n'))
    })
  command
    .command('supersede <id> <by>')
    .summary('say that another learning holds instead; agents see that one')
    .option('--json', 'print JSON')
    .action(async (id: string, by: string, { json }: { json?: boolean }) => {
      const entry = orTrouble(await withLearnings(cli, (learnings) => learnings.supersede(id, by)))
      if (json) printJson(learningEntry(entry))
      else print(`${entry.id} is ${entry.status}: ${clean(entry.summary)}`)
    })
  for (const [name, to, summary] of [
    ['archive', 'archived', 'archive a learning; agents no longer see it'],
    ['restore', 'restored', 'restore an archived learning, or a rejected candidate (rej_…)'],
  ] as const) {
    command
      .command(`${name} <id> [reason...]`)
      .summary(summary)
      .option('--json', 'print JSON')
      .action(async (id: string, reason: string[], { json }: { json?: boolean }) => {
        if (to === 'restored' && id.startsWith('rej_')) return restoreRejected(cli, id, json)
        const entry = orTrouble(
          await withLearnings(cli, (learnings) => learnings.setAside(id, to, reason.join(' ') || undefined)),
        )
        if (json) printJson(learningEntry(entry))
        else print(`${entry.id} is ${entry.status}: ${clean(entry.summary)}`)
      })
  }
}

/** Restores what the write gate rejected: a person may overrule it. */
async function restoreRejected(cli: Cli, id: string, json: boolean | undefined): Promise<void> {
  await onlyPeople(cli, 'restore what the write gate rejected')
  const learning = orTrouble(await withLearnings(cli, (learnings) => learnings.restoreRejected(id)))
  if (json) printJson(learningEntry(learning))
  else print(`kept ${learning.id}: ${clean(learning.summary)}`)
}

function turnedDown({ id, at, summary, reasons, candidate, raw }: Rejected): string {
  const said = candidate?.detail ?? raw
  return [
    `${id}  ${dayOf(at)}  ${clean(summary) || '(no summary)'}`,
    ...(said ? [`  ${clean(said)}`] : []),
    ...reasons.map((reason) => `  - ${clean(rejectionWords(reason))}`),
  ].join('\n')
}

async function list(cli: Cli, text: string, { status, category, tag, limit, json }: ListOptions): Promise<void> {
  // One more than is shown tells whether that is all.
  const wanted = {
    status,
    limit: limit + 1,
    ...(text && { text }),
    ...(tag && { tag }),
    ...(category && { category }),
  }
  const found = await withLearnings(cli, (learnings) => learnings.list(wanted))
  const entries = found.slice(0, limit)
  if (json) return printJson({ learnings: entries.map(learningEntry) })
  if (entries.length === 0) {
    const isNarrow = text || tag || category || status !== 'active'
    print(
      isNarrow
        ? `No learning matches${text ? ` "${clean(text)}"` : ''}.`
        : 'There are no learnings yet. Agents add them when they reflect; you can with `grove reflect`.',
    )
    return
  }
  print(
    table(
      entries,
      [
        { head: 'ID', cell: ({ id }) => id, whole: true },
        { head: 'CATEGORY', cell: ({ category: name }) => name },
        { head: 'SUMMARY', cell: ({ summary }) => summary, stretch: true },
        { head: 'TAGS', cell: ({ tags }) => tags.slice(0, 4).join(', '), droppable: 1 },
        { head: 'SHOWN', cell: ({ usage }) => String(usage?.surfaced ?? 0), align: 'right' },
        { head: 'USED', cell: ({ usage }) => String(usage?.referenced ?? 0), align: 'right' },
        ...(status === 'active' ? [] : [{ head: 'STATUS', cell: (entry: Entry) => entry.status }]),
      ],
      cli.paint,
    ),
  )
  if (found.length > limit) note(`There are more: add --limit ${10 * limit}.`)
}

interface EditOptions extends Omit<Edit, 'tags' | 'contextFiles'> {
  tags?: string
  files?: string
  json?: boolean
}

function editOf({ tags, files, json: _, ...edit }: EditOptions): Edit {
  const items = (list: string) => list.split(',').map((item) => item.trim())
  return {
    ...edit,
    ...(tags !== undefined && { tags: items(tags) }),
    ...(files !== undefined && { contextFiles: items(files) }),
  }
}

function describe(entry: Entry, { paint }: Cli): string {
  const { id, category, summary, detail, scope, confidence, criteriaMet, tags, contextFiles, ticketId, at, status } =
    entry
  const used = entry.usage
  const facts: [string, string][] = [
    ['Category', category],
    ['Scope', scope],
    ['Confidence', confidence],
    ['Criteria', criteriaMet.join(', ') || '–'],
    ['Tags', tags.join(', ') || '–'],
    ...(contextFiles.length > 0 ? [['Files', contextFiles.join(', ')] as [string, string]] : []),
    ...(ticketId ? [['Ticket', ticketId] as [string, string]] : []),
    ...(entry.author ? [['By', entry.author] as [string, string]] : []),
    ['Since', at > 0 ? dayOf(at) : 'written by hand'],
    ['Status', status === 'superseded' && used?.supersededBy ? `superseded by ${used.supersededBy}` : status],
    [
      'Shown',
      `${counted(used?.surfaced ?? 0, 'time')}, used ${counted(used?.referenced ?? 0, 'time')}, dismissed ${counted(used?.dismissed ?? 0, 'time')}`,
    ],
  ]
  const body = detail.split('\n').map(clean).join('\n')
  return [
    paint.bold(clean(summary)),
    paint.dim(id),
    '',
    body,
    '',
    pairs(facts.map(([name, value]) => [name, clean(value)])),
  ].join('\n')
}

import { type Command, Option } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { MemoryEdit, MemoryEntry, MemoryPage } from '#daemon/commands/memory.ts'
import { confirmed } from '../confirm.ts'
import type { Cli } from '../context.ts'
import {
  dayOf,
  describeMemory,
  lookAtMemories,
  noneIn,
  projectOf,
  type Reach,
  standingText,
  usesText,
  withMemories,
} from '../memory.ts'
import { count } from '../numbers.ts'
import { onlyPeople } from '../people-only.ts'
import { clean, note, print, printJson, table } from '../print.ts'
import { orTrouble } from '../refused.ts'

interface ListOptions extends Reach {
  limit: number
  before?: string
  json?: boolean
}

interface EditOptions {
  goal?: string
  decisions?: string
  constraints?: string
  files?: string
  tags?: string
  status?: MemoryEdit['status']
  json?: boolean
}

const ENOUGH_OF_AN_ID = 12

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .summary('list memories, newest first')
    .option('--limit <count>', 'maximum number of results', count, 50)
    .option('--before <id>', 'continue the list after this id')
    .option('--project <id>', 'a project other than the one in this folder')
    .option('--all', 'every project')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => list(cli, options))
  command
    .command('show <id>')
    .summary('show one memory in full')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { entry, uses } = await withMemories(cli, async (memories) => {
        const found = orTrouble(await memories.show(id))
        return { entry: found, uses: await memories.uses(found.id) }
      })
      if (json) printJson({ ...entry, uses })
      else print([describeMemory(entry, cli), ...(uses.length > 0 ? [usesText(uses)] : [])].join('\n\n'))
    })
  command
    .command('edit <id>')
    .summary('edit a memory, for the whole team')
    .option('--goal <text>', 'what the work was for')
    .option('--decisions <list>', 'decisions with reasons, as "this because that", separated by semicolons')
    .option('--constraints <list>', 'constraints to respect, separated by semicolons')
    .option('--files <list>', 'files it is about, separated by commas')
    .option('--tags <list>', 'tags, separated by commas')
    .addOption(new Option('--status <status>', 'how it ended').choices(['complete', 'partial', 'abandoned']))
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...options }: EditOptions) => {
      const edit = editOf(options)
      if (edit.goal?.trim() === '')
        throw new Trouble('A memory needs a goal.', 'Leave --goal out to keep the one it has.')
      if (Object.keys(edit).length === 0) {
        throw new Trouble('There is nothing to change.', 'For example: grove memories edit <id> --tags auth,tokens')
      }
      const entry = orTrouble(await withMemories(cli, (memories) => memories.edit(id, edit)))
      show(entry, cli, json)
    })
  command
    .command('delete <id...>')
    .summary('delete memories permanently, for the whole team')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((ids: string[], options: { yes?: boolean; json?: boolean }) => remove(cli, ids, options))
}

async function list(cli: Cli, { limit, before, json, ...reach }: ListOptions): Promise<void> {
  const { memories, next } = await lookAtMemories(cli, { memories: [] } as MemoryPage, async (memories) => {
    const last = before === undefined ? undefined : orTrouble(await memories.show(before))
    return memories.list({ limit, ...projectOf(reach, memories), ...(last && { before: last }) })
  })
  if (json) return printJson({ memories, ...(next && { next: next.id }) })
  if (memories.length === 0) {
    print(noneIn(reach))
    return
  }
  print(
    table(
      memories,
      [
        { head: 'ID', cell: ({ id }) => id.slice(0, 12), whole: true },
        { head: 'DATE', cell: ({ createdAt }) => dayOf(createdAt), droppable: 4 },
        { head: 'BY', cell: ({ user }) => user ?? '–', droppable: 5 },
        { head: 'GOAL', cell: ({ goal }) => goal, stretch: true },
        { head: 'FILES', cell: ({ files }) => String(files.length), align: 'right', droppable: 3 },
        { head: 'SHOWN', cell: ({ usefulness }) => String(usefulness.shown), align: 'right', droppable: 2 },
        { head: 'USED', cell: ({ usefulness }) => String(usefulness.used), align: 'right', droppable: 1 },
        { head: 'STANDS', cell: standingText },
      ],
      cli.paint,
    ),
  )
  if (next) note(`There are more: add --before ${next.id.slice(0, ENOUGH_OF_AN_ID)}`)
}

function show(entry: MemoryEntry, cli: Cli, json: boolean | undefined) {
  if (json) printJson(entry)
  else print(describeMemory(entry, cli))
}

function editOf({ goal, decisions, constraints, files, tags, status }: EditOptions): MemoryEdit {
  const items = (list: string, between: string) =>
    list
      .split(between)
      .map((item) => item.trim())
      .filter((item) => item !== '')
  return {
    ...(goal !== undefined && { goal }),
    ...(decisions !== undefined && { decisions: items(decisions, ';').map(decisionOf) }),
    ...(constraints !== undefined && { constraints: items(constraints, ';') }),
    ...(files !== undefined && { files: items(files, ',') }),
    ...(tags !== undefined && { tags: items(tags, ',') }),
    ...(status !== undefined && { status }),
  }
}

function decisionOf(text: string): { choice: string; reason: string } {
  const { 0: because = '', index = 0 } = /(?<!\s)\s+because\s/i.exec(text) ?? {}
  const choice = because && text.slice(0, index).replace(/,$/, '')
  const reason = text.slice(index + because.length).trim()
  if (choice && reason) return { choice, reason }
  throw new Trouble(`This decision has no reason: ${text}`, 'Write it like this: a cache because reads are frequent')
}

async function remove(cli: Cli, ids: string[], { yes, json }: { yes?: boolean; json?: boolean }): Promise<void> {
  await onlyPeople(cli, 'delete memories')
  await withMemories(cli, async (memories) => {
    const entries: MemoryEntry[] = []
    for (const id of ids) entries.push(orTrouble(await memories.show(id)))
    const names = entries.map(({ goal }) => `  ${clean(goal)}`).join('\n')
    if (!yes && !(await confirmed(`Delete permanently, for the whole team?\n${names}`))) return
    for (const { id } of entries) orTrouble(await memories.remove(id))
    if (json) printJson({ deleted: entries.map(({ id }) => id) })
    else print(`Deleted:\n${names}`)
  })
}

import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { MemoryHit } from '#daemon/memory-desk.ts'
import type { Cli } from '../context.ts'
import { dayOf, lookAtMemories, projectOf, type Reach, standingText } from '../memory.ts'
import { clean, print, printJson } from '../print.ts'

interface Options extends Reach {
  files?: string
  limit: string
  json?: boolean
}

const SHOWN_FILES = 4

export function define(command: Command, cli: Cli): void {
  command
    .argument('<text...>', 'words, identifiers, file names or an error message')
    .option('--files <list>', 'files you work on, with commas between; what touched them counts more')
    .option('--limit <count>', 'at most so many', '10')
    .option('--project <id>', 'another project than the one of this folder')
    .option('--all', 'every project')
    .option('--json', 'print JSON')
    .action((words: string[], options: Options) => search(cli, words.join(' '), options))
}

async function search(cli: Cli, text: string, options: Options): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new Trouble('--limit takes a whole number from 1.', 'Try --limit 10.')
  const files = options.files?.split(',').map((file) => file.trim()) ?? []
  const hits = await lookAtMemories(cli, [], (desk) => desk.search({ text, files, limit, ...projectOf(options, desk) }))
  if (options.json) return printJson({ hits })
  print(hits.length > 0 ? hits.map((hit) => describe(hit, cli)).join('\n\n') : NOTHING)
}

const NOTHING =
  'Nothing in memory bears on that. Memories come with finished work; `grove import git` brings in the history of this project.'

function describe({ entry, confidence, why }: MemoryHit, { paint }: Cli): string {
  const { id, goal, user, createdAt, files, decisions, constraints, reasoningTrace } = entry
  const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : ''
  const best =
    decisions.map(({ choice, reason }) => `Decided: ${choice}, because ${reason}`)[0] ??
    constraints.map((constraint) => `Limit: ${constraint}`)[0] ??
    reasoningTrace[0]
  const facts = [user ?? 'unknown', dayOf(createdAt), standingText(entry)].filter(Boolean).join(', ')
  return [
    `${paint.bold(clean(goal))}  ${paint.dim(id.slice(0, 12))}`,
    `  ${paint.dim(clean(facts))}`,
    ...(files.length > 0 ? [`  ${clean(files.slice(0, SHOWN_FILES).join(', '))}${more}`] : []),
    ...(best ? [`  ${clean(best)}`] : []),
    `  ${paint.green(`${Math.round(confidence * 100)} %`)} ${clean(why)}`,
  ].join('\n')
}

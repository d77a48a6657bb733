import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { LearningHit, MemoryHit } from '#daemon/commands/memory.ts'
import type { Cli } from '../context.ts'
import { dayOf, lookAtMemories, noneIn, projectOf, type Reach, searchLearningFiles, standingText } from '../memory.ts'
import { count } from '../numbers.ts'
import { clean, counted, note, print, printJson } from '../print.ts'

interface Options extends Reach {
  files?: string
  limit: number
  unsure?: boolean
  json?: boolean
}

const SHOWN_FILES = 4
/** Hits below this probability are not shown: they would hide the one that answers. */
const SURE = 0.1
const QUESTION_WORDS = 3

export function define(command: Command, cli: Cli): void {
  command
    .argument('<text...>', 'words, identifiers, file names or an error message')
    .option('--files <list>', 'files you work on, separated by commas; memories about them rank higher')
    .option('--limit <count>', 'maximum number of results', count, 10)
    .option('--unsure', `also show weak matches, below ${percent(SURE)}`)
    .option('--project <id>', 'a project other than the one in this folder')
    .option('--all', 'every project')
    .option('--json', 'print JSON')
    .action((words: string[], options: Options) => search(cli, words.join(' '), options))
}

async function search(cli: Cli, text: string, options: Options): Promise<void> {
  const { limit } = options
  if (text.trim() === '')
    throw new Trouble('There is nothing to search for.', 'For example: grove search "ECONNRESET in uploads"')
  const files = options.files?.split(',').map((file) => file.trim()) ?? []
  const wish = { text, files, limit }
  // Learnings lie in the project's own files.
  const isElsewhere = options.project !== undefined || options.all === true
  const fromFiles = async () => ({
    hits: [],
    learnings: isElsewhere ? [] : await searchLearningFiles(cli, wish),
    isEmpty: true,
  })
  const all = await lookAtMemories<Findings & { isEmpty: boolean; doubted?: number }>(
    cli,
    fromFiles,
    async (memories) => {
      const hitsOf = (sure: boolean) => memories.search({ ...wish, ...projectOf(options, memories), sure })
      // One or two words are browsing: low-ranked hits are shown too.
      const asksForOne = text.trim().split(/\s+/).length >= QUESTION_WORDS
      const hits = await hitsOf(asksForOne && options.unsure !== true)
      return {
        hits,
        learnings: isElsewhere ? [] : await memories.searchLearnings(wish),
        isEmpty: (await memories.list({ limit: 1, ...projectOf(options, memories) })).memories.length === 0,
        doubted: hits.length > 0 || options.unsure ? 0 : (await hitsOf(false)).length,
      }
    },
  )
  const isShown = ({ confidence }: { confidence: number }) => options.unsure === true || confidence >= SURE
  const found = { hits: all.hits.filter(isShown), learnings: all.learnings.filter(isShown) }
  const unlikely = all.hits.length + all.learnings.length - found.hits.length - found.learnings.length
  const guesses = unlikely + (all.doubted ?? 0)
  if (options.json) return printJson(found)
  const told = [
    ...found.hits.map((hit) => ({ confidence: hit.confidence, text: describe(hit, cli) })),
    ...found.learnings.map((hit) => ({ confidence: hit.confidence, text: describeLearning(hit, cli) })),
  ]
  const best = told.sort((a, b) => b.confidence - a.confidence).slice(0, limit)
  if (best.length > 0) print(best.map((one) => one.text).join('\n\n'))
  else if (guesses > 0) print('Nothing matches well.')
  else if (all.isEmpty && options.project) print(noneIn(options))
  else print(all.isEmpty ? EMPTY : 'Nothing matches.')
  if (guesses > 0) note(`\n${counted(guesses, 'weaker match', 'weaker matches')} hidden; --unsure shows them.`)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

interface Findings {
  hits: MemoryHit[]
  learnings: LearningHit[]
}

const EMPTY =
  'There are no memories yet. They are made from finished work, or with `grove import git` from the history of this project.'

function describe({ entry, confidence, why }: MemoryHit, { paint }: Cli): string {
  const { id, goal, user, createdAt, files, decisions, constraints, reasoningTrace } = entry
  const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : ''
  const best =
    decisions.map(({ choice, reason }) => `Decided: ${choice}, because ${reason}`)[0] ??
    constraints.map((constraint) => `Limit: ${constraint}`)[0] ??
    reasoningTrace[0]
  const facts = [id.slice(0, 12), user ?? 'unknown', dayOf(createdAt), standingText(entry)].filter(Boolean).join(', ')
  return [
    paint.bold(clean(goal)),
    `  ${paint.dim(clean(facts))}`,
    ...(files.length > 0 ? [`  ${clean(files.slice(0, SHOWN_FILES).join(', '))}${more}`] : []),
    ...(best ? [`  ${clean(best)}`] : []),
    `  ${paint.green(`${percent(confidence)} match`)}: ${clean(why)}`,
  ].join('\n')
}

function describeLearning({ learning, confidence, why }: LearningHit, { paint }: Cli): string {
  const { id, category, summary, contextFiles } = learning
  return [
    paint.bold(clean(summary)),
    `  ${paint.dim(`${id}, learning, ${category}`)}`,
    ...(contextFiles.length > 0 ? [`  ${clean(contextFiles.slice(0, SHOWN_FILES).join(', '))}`] : []),
    `  ${paint.green(`${percent(confidence)} match`)}: ${clean(why)}`,
  ].join('\n')
}

import type { MemoryCommands, MemoryEntry, MemoryUseTold } from '#daemon/commands/memory.ts'
import type { OpenWorld } from '#daemon/compose/world.ts'
import { sectionsOf } from '#protocol/memory-sections.ts'
import type { Cli } from './context.ts'
import { ago, clean, pairs } from './print.ts'
import { withWorld } from './world.ts'

/** What the commands about memories share. */

/** Does something with the memories of this home. */
export function withMemories<T>(cli: Cli, work: (memories: MemoryCommands) => Promise<T>): Promise<T> {
  return withWorld(cli, (world) => onMemories(cli, world, work))
}

/** As `withMemories`, for commands that only read: where there is no store none is made, and the answer is `empty`. */
export function lookAtMemories<T>(
  cli: Cli,
  empty: T | (() => Promise<T>),
  work: (memories: MemoryCommands) => Promise<T>,
): Promise<T> {
  return withWorld(cli, async (world) => {
    if (world.hasStore()) return onMemories(cli, world, work)
    return empty instanceof Function ? empty() : empty
  })
}

async function onMemories<T>(cli: Cli, world: OpenWorld, work: (memories: MemoryCommands) => Promise<T>): Promise<T> {
  const { memoryCommands } = await import('#daemon/commands/memory.ts')
  return work(await memoryCommands(world, cli))
}

/** Learnings are files of the project, so they can be searched before anything is stored. */
export function searchLearningFiles(cli: Cli, question: { text: string; files: string[]; limit: number }) {
  const search = async (world: OpenWorld) => {
    const { searchProjectLearnings } = await import('#daemon/commands/memory.ts')
    return searchProjectLearnings(world, cli.cwd, question)
  }
  return withWorld(cli, search, { database: ':memory:' })
}

/** Which project a command is about: the one of this folder, a named one, or all. */
export interface Reach {
  project?: string
  all?: boolean
}

export function projectOf({ project, all }: Reach, memories: MemoryCommands): { projectId?: string } {
  return all ? {} : { projectId: project ?? memories.project.id }
}

/** What is said where there is nothing to list. */
export function noneIn({ project }: Reach): string {
  if (project !== undefined)
    return `There are no memories of project ${clean(project)}. \`grove status --json\` lists the ids of projects.`
  return 'There are no memories yet. They are made from finished work, or with `grove import git` from the history of this project.'
}

/** The day in UTC: `2026-01-31`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Where the work of a memory stands, in a word or two; empty for what is in the default branch. */
export function standingText({ standing, branch, supersededBy }: MemoryEntry): string {
  if (supersededBy) return `superseded by ${supersededBy.slice(0, 12)}`
  return standing === 'main' ? '' : `on ${branch}`
}

/** One memory in full. */
export function describeMemory(entry: MemoryEntry, { paint }: Cli): string {
  const { shown, used } = entry.usefulness
  const facts: [string, string][] = [
    ['By', `${entry.user ?? 'unknown'}, ${dayOf(entry.createdAt)}`],
    ...(entry.updatedAt
      ? [['Changed', [entry.updatedBy, dayOf(entry.updatedAt)].filter(Boolean).join(', ')] as [string, string]]
      : []),
    ['Status', entry.status],
    ...(entry.linkedCommit ? [['Commit', entry.linkedCommit] as [string, string]] : []),
    ...(entry.branch && entry.standing !== 'main'
      ? [['Branch', `${entry.branch}, not merged yet`] as [string, string]]
      : []),
    ...(entry.supersededBy ? [['Superseded', `by ${entry.supersededBy.slice(0, 12)}`] as [string, string]] : []),
    ['Tags', entry.tags.join(', ') || '–'],
    ['Shown', shown > 0 ? `${times(shown)}, acted on ${used > 0 ? times(used) : 'never'}` : 'not yet'],
    ['Project', entry.projectId],
  ]
  const asked: [string, string[]][] = ['', entry.goal].includes(entry.instruction)
    ? []
    : [['Asked for', [entry.instruction]]]
  const parts = [...asked, ...sectionsOf(entry)].flatMap(([title, lines]) => [
    title,
    ...lines.map((line) => `  - ${clean(line)}`),
    '',
  ])
  return [
    paint.bold(clean(entry.goal)),
    paint.dim(entry.id),
    '',
    ...parts,
    pairs(facts.map(([name, value]) => [name, clean(value)])),
  ].join('\n')
}

const HOW_USED = { files: 'went to its files', words: 'used its words', opened: 'looked it up' }

/** To which sessions a memory was shown, why, and what came of it. */
export function usesText(uses: MemoryUseTold[]): string {
  const lines = uses.map(({ sessionId, goal, why, shownAt, usedAt, how }) =>
    [
      `  ${sessionId.slice(0, 8)}  ${clean(goal ?? 'no goal')}, ${ago(Date.now() - shownAt)}`,
      `    ${usedAt === undefined ? 'not used' : HOW_USED[how ?? 'words']}${why ? `; shown because ${clean(why)}` : ''}`,
    ].join('\n'),
  )
  return ['Shown to', ...lines].join('\n')
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

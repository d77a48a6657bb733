import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { sessionPlanRoutes } from '#protocol/api/session-plans.ts'
import type { sessionRecordRoutes } from '#protocol/api/session-records.ts'
import type { SessionSnapshot, sessionRoutes } from '#protocol/api/sessions.ts'
import { shellWord } from '#protocol/shell-word.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import type { Cli } from './context.ts'
import type { Json } from './feature-change.ts'
import {
  asWritten,
  changesText,
  eventText,
  evidenceText,
  inShort,
  linesWith,
  reviewsText,
  todosText,
} from './feature-record-text.ts'
import { askFeatures, findSession, pathOf } from './features.ts'
import { count, whole } from './numbers.ts'
import { ago, clean, cleanLines, counted, note, print, printAsIs, printJson, table } from './print.ts'

/** What a feature has on record, and what lies about in projects: read as in the page. */

const LINES = 200
/** As many as one answer holds. */
const PAGE = 500

export function defineRecords(command: Command, cli: Cli): void {
  command
    .command('plan')
    .argument('<feature>', 'its id, or the start of it')
    .argument('[version]', 'a version (default: the newest)', count)
    .summary('print the plan, an older version of it, or what a version changed')
    .option('--changes', 'what this version changed')
    .option('--versions', 'list the versions')
    .option('--json', 'print JSON')
    .action((named: string, version: number | undefined, options: PlanOptions) => plan(cli, named, version, options))
  for (const [name, summary, part, text] of PARTS) {
    command
      .command(`${name} <feature>`)
      .summary(summary)
      .option('--json', 'print JSON')
      .action(async (named: string, { json }: Json) => {
        const path = pathOf(await findSession(cli, named))
        const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', path)
        if (json) printJson(part(session))
        else print(text(session, cli))
      })
  }
  command
    .command('output <feature>')
    .summary('print what Claude did and said, newest last')
    .addOption(new Option('--view <which>', 'how much of it').choices(['story', 'talk', 'raw']).default('story'))
    .option('--lines <count>', 'how many of the newest lines', whole(1, PAGE), LINES)
    .option('--search <words>', 'only lines with these words, of all there are')
    .option('--json', 'print JSON')
    .action((named: string, options: OutputOptions) => output(cli, named, options))
  command
    .command('events <feature>')
    .summary('print what happened, newest last: stages, versions, reviews, decisions')
    .option('--lines <count>', 'how many of the newest', whole(1, PAGE), LINES)
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { lines: number }) => events(cli, named, options))
  command
    .command('changes <feature>')
    .summary('print the diff of a feature against where it began')
    .option('--step <id>', 'only what came after this step')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { step?: string }) => changes(cli, named, options))
  command
    .command('existing-todos [folder]')
    .summary('list the TODO comments of a project; in affected files, they are asked about')
    .option('--json', 'print JSON')
    .action((folder: string | undefined, { json }: Json) => existingTodos(cli, resolve(cli.cwd, folder ?? '.'), json))
  command
    .command('branches')
    .summary('list branches that Grove made and whose features have expired or are gone')
    .option('--json', 'print JSON')
    .action(({ json }: Json) => branches(cli, json))
}

/** Parts of a feature that have a command of their own. */
const PARTS: [
  name: string,
  summary: string,
  part: (seen: SessionSnapshot) => object,
  text: (seen: SessionSnapshot, cli: Cli) => string,
][] = [
  [
    'reviews',
    'print what reviews of the plan have found, and what teammates say about it',
    ({ reviews, planReviews }) => ({ reviews, planReviews }),
    reviewsText,
  ],
  [
    'evidence',
    'print what supports each criterion: checks, the pull request, its CI',
    ({ criteria, checks, pr }) => ({ criteria, checks, pr }),
    evidenceText,
  ],
  ['todos', 'list comments in the code that wait for a decision', ({ todos }) => ({ todos }), todosText],
]

interface PlanOptions extends Json {
  changes?: boolean
  versions?: boolean
}

async function plan(
  cli: Cli,
  named: string,
  version: number | undefined,
  { changes: isDiff, versions, json }: PlanOptions,
): Promise<void> {
  const found = await findSession(cli, named)
  const otherVersions = { plan_not_found: `\`grove feature plan ${found.featureId} --versions\` does.` }
  if (versions) {
    const path = pathOf(found, '/plan/versions')
    const listed = await askFeatures<typeof sessionPlanRoutes.versions>(cli, 'GET', path)
    if (json) return printJson(listed)
    if (listed.versions.length === 0) return print('There is no plan yet.')
    const columns = [
      { head: 'VERSION', cell: (one: Version) => `${one.version}`, align: 'right' as const },
      { head: 'STEPS', cell: ({ steps }: Version) => `${steps}`, align: 'right' as const },
      {
        head: 'WHY',
        cell: ({ reason, isApproved }: Version) => (isApproved ? `approved; ${reason}` : reason),
        stretch: true,
      },
      { head: 'WRITTEN', cell: ({ createdAt }: Version) => ago(Date.now() - Date.parse(createdAt)) },
    ]
    return print(table(listed.versions, columns, cli.paint))
  }
  if (isDiff) {
    const path = pathOf(found, `/plan/diff${version ? `?to=${version}` : ''}`)
    const compared = await askFeatures<typeof sessionPlanRoutes.diff>(cli, 'GET', path, undefined, otherVersions)
    return json ? printJson(compared) : print(changesText(compared))
  }
  const path = pathOf(found, `/plan${version ? `?version=${version}` : ''}`)
  const shown = await askFeatures<typeof sessionPlanRoutes.show>(cli, 'GET', path, undefined, otherVersions)
  if (json) return printJson(shown)
  if (!shown.plan) return print('There is no plan yet.')
  const text = shown.text.trim().replace(/^- Status: .*$/gm, (line) => line.replaceAll('_', ' '))
  print(cleanLines(`Version ${shown.plan.planVersion}\n\n${text}`))
}

type Version = Awaited<ReturnType<typeof askFeatures<typeof sessionPlanRoutes.versions>>>['versions'][number]

interface OutputOptions extends Json {
  view: string
  lines: number
  search?: string
}

const NEWEST = '1000000000'

async function output(cli: Cli, named: string, { view, lines, search, json }: OutputOptions): Promise<void> {
  const found = await findSession(cli, named)
  const page = search ? await matching(cli, found, search, lines) : await newest(cli, found, view, lines)
  if (json) return printJson(page)
  if (page.lines.length === 0) return print(search ? 'No line has these words.' : 'Nothing was said or done yet.')
  const read = search ? linesWith(search) : view === 'story' ? inShort : asWritten
  for (const line of page.lines) printAsIs(cleanLines(read(line)))
}

type Feature = Parameters<typeof pathOf>[0]

function newest(cli: Cli, found: Feature, view: string, lines: number) {
  const query = new URLSearchParams({ view, before: NEWEST, limit: `${lines}` })
  return askFeatures<typeof sessionRecordRoutes.output>(cli, 'GET', pathOf(found, `/output?${query}`))
}

/** The search tells numbers alone; their lines are read page by page. */
async function matching(cli: Cli, found: Feature, words: string, lines: number) {
  const path = pathOf(found, `/output/found?${new URLSearchParams({ words })}`)
  const { numbers } = await askFeatures<typeof sessionRecordRoutes.found>(cli, 'GET', path)
  const all: OutputLine[] = []
  for (let left = numbers.slice(-lines); left.length > 0; ) {
    const query = new URLSearchParams({ view: 'raw', after: `${left[0]! - 1}`, limit: `${PAGE}` })
    const page = await askFeatures<typeof sessionRecordRoutes.output>(cli, 'GET', pathOf(found, `/output?${query}`))
    all.push(...page.lines.filter(({ number }) => left.includes(number)))
    left = left.filter((number) => number > (page.lines.at(-1)?.number ?? number))
  }
  return { lines: all }
}

async function events(cli: Cli, named: string, { lines, json }: Json & { lines: number }): Promise<void> {
  const found = await findSession(cli, named)
  const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', pathOf(found))
  const query = new URLSearchParams({ after: `${Math.max(0, session.lastEvent - lines)}`, limit: `${lines}` })
  const path = pathOf(found, `/events?${query}`)
  const page = await askFeatures<typeof sessionRecordRoutes.events>(cli, 'GET', path)
  if (json) return printJson(page)
  print(page.events.map(eventText).join('\n'))
}

async function changes(cli: Cli, named: string, { step, json }: Json & { step?: string }): Promise<void> {
  const query = step ? `?step=${encodeURIComponent(step)}` : ''
  const path = pathOf(await findSession(cli, named), `/diff${query}`)
  const found = await askFeatures<typeof sessionRecordRoutes.diff>(cli, 'GET', path)
  if (json) return printJson(found)
  if (found.patch === '') return print('Nothing has changed yet.')
  printAsIs(cleanLines(found.patch))
  if (found.truncated) note('The diff is too large to print whole; git has the rest.')
}

const NO_PROJECT = ['not_found', 'not_a_folder', 'not_a_repository', 'not_readable']

async function existingTodos(cli: Cli, path: string, json: boolean | undefined): Promise<void> {
  const place = await askFeatures<typeof sessionRoutes.validatePath>(cli, 'POST', '/api/sessions/validate-path', {
    path,
  })
  if (place.code && NO_PROJECT.includes(place.code)) throw new Trouble(place.message, place.remedy)
  const found = await askFeatures<typeof sessionRoutes.existingTodos>(cli, 'POST', '/api/sessions/existing-todos', {
    path,
  })
  if (json) return printJson(found)
  if (found.blocks.length === 0) return print('No comment in this project begins with TODO, FIXME or DEPENDENCY.')
  for (const { path: file, line, text } of found.blocks) print(`${clean(file)}:${line}  ${clean(text)}`)
  if (found.truncated) note('There are more.')
}

async function branches(cli: Cli, json: boolean | undefined): Promise<void> {
  const path = '/api/sessions/orphaned-branches'
  const found = await askFeatures<typeof sessionRoutes.orphanedBranches>(cli, 'GET', path)
  if (json) return printJson(found)
  if (found.branches.length === 0) return print('Every branch that Grove made belongs to a feature.')
  for (const { name, projectPath, lastCommitAt } of found.branches) {
    print(`${clean(name)}, last commit ${ago(Date.now() - Date.parse(lastCommitAt))}, in ${clean(projectPath)}`)
    print(`  git -C ${shellWord(clean(projectPath))} branch -D ${shellWord(clean(name))}`)
  }
  print(
    `\n${counted(found.branches.length, 'branch', 'branches')} without a feature. Grove deletes none; the lines above do. To go on with one:\n` +
      '  grove feature new --title … --branch <branch> --use-branch',
  )
}

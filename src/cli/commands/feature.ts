import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { BodyOf } from '#protocol/api/route.ts'
import type { sessionQuestionRoutes } from '#protocol/api/session-questions.ts'
import type { SessionSummary, sessionRoutes } from '#protocol/api/sessions.ts'
import type { Criterion } from '#protocol/workflow/session.ts'
import { confirmed } from '../confirm.ts'
import type { Cli } from '../context.ts'
import { change, type Json, seeShow } from '../feature-change.ts'
import { defineRecords } from '../feature-records.ts'
import { allQuestionsText, featureText, questionsText } from '../feature-text.ts'
import { defineWords, onPlan } from '../feature-words.ts'
import { askFeatures, findSession, pathOf } from '../features.ts'
import { whole } from '../numbers.ts'
import { onlyPeople } from '../people-only.ts'
import { ago, clean, print, printJson, table } from '../print.ts'

interface NewOptions extends Json {
  title: string
  description?: string
  descriptionFile?: string
  criterion?: string[]
  file?: string[]
  notes?: string
  project?: string
  base?: string
  branch?: string
  useBranch?: boolean
  numberBranch?: boolean
  inPlace?: boolean
  stash?: boolean
  local?: boolean
  push?: boolean
  reviews?: number
}

const FILTERS = ['all', 'active', 'waiting', 'completed', 'expired', 'archived', 'deleted']

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .summary('list feature sessions and what each is waiting for')
    .addOption(new Option('--filter <which>', 'only some of them').choices(FILTERS).default('all'))
    .option('--search <text>', 'only those with this text in their title, project or path')
    .addOption(new Option('--sort <order>', 'the order').choices(['activity', 'created', 'stage']).default('activity'))
    .option('--json', 'print JSON')
    .action((options: ListOptions) => list(cli, options))
  command
    .command('new')
    .summary('start a feature')
    .requiredOption('--title <text>', 'its title')
    .option('--description <text>', 'what it should do')
    .option('--description-file <path>', 'read the description from a file')
    .option(
      '--criterion <text...>',
      'an acceptance criterion, optionally as `automated: …`, `manual: …` or `review: …`',
    )
    .option('--file <path...>', 'files that will probably change')
    .option('--notes <text>', 'technical notes')
    .option('--project <folder>', 'the repository (default: this folder)')
    .option('--base <branch>', 'the branch to start from')
    .option('--branch <name>', 'the name of the feature branch')
    .option('--use-branch', 'continue on that branch if it already exists')
    .option('--number-branch', 'add a number to its name if it already exists')
    .option('--in-place', 'work in your checkout instead of a separate worktree')
    .option('--stash', 'in place only: stash uncommitted changes first')
    .option('--local', 'do not push or open a pull request')
    .option('--push', 'push the branch without asking')
    .option('--no-push', 'ask before the branch is pushed')
    .option(
      '--reviews <count>',
      'recommended reviews of the plan; approving after fewer needs --sign-off',
      whole(0, 100),
    )
    .option('--json', 'print JSON')
    .action((options: NewOptions, inner: Command) => begin(cli, options, inner))
  command
    .command('show <feature>')
    .summary('show the plan, questions and checks of a feature')
    .option('--json', 'print JSON')
    .action((named: string, options: Json) => show(cli, named, options))
  command
    .command('answer <feature> [answers...]')
    .summary('answer open questions as `<number or id>=<option or text>`; without answers, list them')
    .option('--all', 'also list those that were answered, set aside or come later')
    .option('--json', 'print JSON')
    .action((named: string, answers: string[], options: AnswerOptions) => answer(cli, named, answers, options))
  command
    .command('approve <feature>')
    .summary('approve the current plan')
    .option('--sign-off', 'approve with fewer reviews than recommended')
    .option('--hash <hash>', 'hash of the plan you have read (default: the newest)')
    .option('--when-clean', 'instead: start by itself once a review of exactly this plan finds nothing')
    .option('--no-when-clean', 'take that back')
    .option('--complete', 'at the final approval: complete the feature')
    .option('--change <words>', 'at the final approval: change the plan instead')
    .option('--review-again <words>', 'at the final approval: review the pull request again')
    .option('--json', 'print JSON')
    .action((named: string, options: ApproveOptions) => approve(cli, named, options))
  command
    .command('choose <feature> <choice> [words...]')
    .summary('choose how a feature on hold continues')
    .option('--json', 'print JSON')
    .action((named: string, choice: string, words: string[], options: Json) =>
      choose(cli, named, choice, words.join(' '), options),
    )
  command
    .command('rollback <feature>')
    .summary('reset the branch to where it started; everything is saved first')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { yes?: boolean }) => rollback(cli, named, options))
  command
    .command('repair <feature>')
    .summary('retry reading a damaged feature session, or set it aside')
    .option('--set-aside', 'move its folder aside; nothing is deleted')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { setAside?: boolean }) => repair(cli, named, options))
  defineWords(command, cli)
  defineRecords(command, cli)
  command
    .command('open <feature>')
    .summary('open a feature session in the browser')
    .option('--print', 'print the link instead')
    .action((named: string, options: { print?: boolean }) => openPage(cli, named, options))
  listInGroups(command)
}

/** The commands by what people want of them, as `--help` lists them. */
const GROUPS: [heading: string, names: string[]][] = [
  ['Begin and find:', ['list', 'new', 'show', 'open', 'branches', 'existing-todos']],
  ['Answer and decide:', ['answer', 'approve', 'choose', 'comment', 'decide', 'restore']],
  ['With teammates:', ['ask-review', 'review', 'send-review']],
  ['Read what happened:', ['plan', 'reviews', 'evidence', 'todos', 'output', 'events', 'changes']],
  ['Steer:', ['message', 'pause', 'resume', 'interrupt', 'cancel', 'rollback', 'repair']],
  ['Tidy the list:', ['archive', 'unarchive', 'delete', 'undelete']],
]

function listInGroups(command: Command): void {
  for (const inner of command.commands) {
    const group = GROUPS.find(([, names]) => names.includes(inner.name()))
    if (group) inner.helpGroup(group[0])
  }
}

interface ListOptions extends Json {
  filter: string
  search?: string
  sort: string
}

async function list(cli: Cli, { filter, search, sort, json }: ListOptions): Promise<void> {
  const query = new URLSearchParams({ filter, sort, limit: '500', ...(search && { search }) })
  const found = await askFeatures<typeof sessionRoutes.list>(cli, 'GET', `/api/sessions?${query}`)
  const { sessions: damaged } = await askFeatures<typeof sessionRoutes.damaged>(cli, 'GET', '/api/sessions/damaged')
  if (json) return printJson({ ...found, damaged })
  for (const { projectId, featureId, folder } of damaged)
    print(
      `session.json of ${projectId}/${featureId} cannot be read. Restore a copy of it in ${folder}, then run\n` +
        `  grove feature repair ${projectId}/${featureId}\nor set the session aside with --set-aside.\n`,
    )
  if (found.sessions.length === 0 && (search || filter !== 'all')) return print('No feature session matches.')
  if (found.sessions.length === 0)
    return print('There are no feature sessions yet. Start one: grove feature new --title …')
  print(
    table(
      found.sessions,
      [
        { head: 'FEATURE', cell: ({ featureId }: SessionSummary) => featureId, whole: true },
        { head: 'PROJECT', cell: ({ projectName }) => projectName },
        { head: 'STATUS', cell: ({ status, executing }) => (executing ? 'working' : status) },
        { head: 'STAGE', cell: ({ stageText }) => stageText },
        { head: 'WAITING FOR', cell: ({ waiting }) => waiting.map(({ title }) => title).join('; '), stretch: true },
        { head: 'CHANGED', cell: ({ updatedAt }) => ago(Date.now() - Date.parse(updatedAt)) },
      ],
      cli.paint,
    ),
  )
}

async function repair(cli: Cli, named: string, { setAside, json }: Json & { setAside?: boolean }): Promise<void> {
  await onlyPeople(cli, 'repair a feature session')
  const { sessions } = await askFeatures<typeof sessionRoutes.damaged>(cli, 'GET', '/api/sessions/damaged')
  const found = sessions.find(({ projectId, featureId }) => [featureId, `${projectId}/${featureId}`].includes(named))
  if (!found)
    throw new Trouble(`${named} is not a damaged feature session.`, 'Run `grove feature list` to see them all.')
  const path = `/api/sessions/damaged/${found.projectId}/${found.featureId}`
  const done = await askFeatures<typeof sessionRoutes.repair>(cli, 'POST', path, {
    action: setAside ? 'set_aside' : 'read_again',
  })
  if (json) return printJson(done)
  if (done.folder) print(`Set aside. Its files are in ${done.folder}.`)
  else print(done.readable ? 'It can be read again.' : 'It still cannot be read.')
}

async function begin(cli: Cli, options: NewOptions, inner: Command): Promise<void> {
  await onlyPeople(cli, 'start a feature session')
  const description = options.descriptionFile ? textIn(resolve(cli.cwd, options.descriptionFile)) : options.description
  if (!description) return inner.error('error: the description is missing; add --description or --description-file')
  const form: BodyOf<typeof sessionRoutes.create> = {
    title: options.title,
    description,
    projectPath: resolve(cli.cwd, options.project ?? '.'),
    acceptanceCriteria: (options.criterion ?? ['automated: All tests pass']).map(criterionOf),
    ...(options.file && { affectedFiles: options.file }),
    ...(options.notes && { technicalNotes: options.notes }),
    options: {
      ...(options.base && { baseBranch: options.base }),
      ...(options.branch && { branch: options.branch }),
      ...(options.numberBranch && { ifBranchExists: 'number' }),
      ...(options.useBranch && { ifBranchExists: 'use' }),
      ...(options.inPlace && { mode: 'in_place' }),
      ...(options.stash && { stash: true }),
      ...(options.local && { localReview: true }),
      ...(options.push !== undefined && { autoPush: options.push }),
      ...(options.reviews !== undefined && { recommendedReviews: options.reviews }),
    },
  }
  const { session } = await askFeatures<typeof sessionRoutes.create>(cli, 'POST', '/api/sessions', form, {
    branch_exists: 'Add --use-branch to continue on it, or --number-branch for a new one.',
  })
  if (options.json) return printJson(session)
  print(
    `${session.summary.featureId} started on ${session.summary.branch}. Follow it with: grove feature show ${session.summary.featureId}`,
  )
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Trouble(`The file ${file} does not exist.`, 'Check the path, or use --description.')
  }
}

function criterionOf(said: string): Criterion {
  const match = /^(automated|manual|review)\s*:\s*(\S.*)$/i.exec(said)
  const type = (match?.[1] ?? 'manual').toLowerCase() as Criterion['type']
  return { text: match?.[2] ?? said, checked: true, type }
}

async function show(cli: Cli, named: string, { json }: Json): Promise<void> {
  const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', pathOf(await findSession(cli, named)))
  if (json) return printJson(session)
  print(featureText(session, cli))
}

interface AnswerOptions extends Json {
  all?: boolean
}

async function answer(cli: Cli, named: string, given: readonly string[], options: AnswerOptions): Promise<void> {
  const found = await findSession(cli, named)
  const isListing = given.length === 0
  const path = pathOf(found, `/questions${options.all && isListing ? '?all=true' : ''}`)
  const { questions } = await askFeatures<typeof sessionQuestionRoutes.list>(cli, 'GET', path)
  if (isListing) {
    if (options.json) return printJson({ questions })
    if (options.all && questions.length > 0) return print(allQuestionsText(questions, found.featureId))
    return print(questions.length > 0 ? questionsText(questions) : 'There are no open questions.')
  }
  const answers = given.map((one) => {
    const [, which = '', words = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? []
    const question = questions[Number(which) - 1] ?? questions.find(({ id }) => id === which)
    if (!question)
      throw new Trouble(`There is no open question ${which || one}.`, 'Answer as <number>=<option or text>.')
    const isKnown = question.options.some(({ value, label }) => value === words || label === words)
    const isFree = question.questionType === 'single_choice' && !isKnown
    const value = question.questionType === 'multiple_choice' ? words.split(',').map((part) => part.trim()) : words
    return { questionId: question.id, value: isFree ? '' : value, ...(isFree && { text: words }) }
  })
  await change(cli, named, '/questions', { answers }, options)
}

interface ApproveOptions extends Json {
  signOff?: boolean
  hash?: string
  whenClean?: boolean
  complete?: boolean
  change?: string
  reviewAgain?: string
}

async function approve(cli: Cli, named: string, options: ApproveOptions): Promise<void> {
  const { signOff, hash, whenClean, complete, json } = options
  const final = lastWord(options)
  if (complete || final)
    return change(cli, named, '/final-approval', final ?? { action: 'merge' }, { ...(json && { json }) })
  if (whenClean !== undefined)
    return onPlan(cli, named, '/plan/start-when-clean', { json }, (planHash) => ({ planHash, consent: whenClean }))
  const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', pathOf(await findSession(cli, named)))
  const planHash = hash || session.session.planHash
  if (!planHash)
    throw new Trouble(`${session.summary.featureId} has no plan to approve yet.`, seeShow(session.summary.featureId))
  await change(cli, named, '/plan/approve', { planHash, signOff: signOff === true }, { ...(json && { json }) })
}

function lastWord({
  change: feedback,
  reviewAgain,
}: ApproveOptions): BodyOf<typeof sessionRoutes.finalApproval> | undefined {
  if (feedback) return { action: 'plan_changes', feedback }
  return reviewAgain ? { action: 're_review', feedback: reviewAgain } : undefined
}

async function choose(cli: Cli, named: string, choice: string, text: string, options: Json): Promise<void> {
  const { featureId, waiting } = await findSession(cli, named)
  const offered = waiting.flatMap(({ choices }) => choices.map((one) => one.choice))
  const chosen = offered.find((one) => one === choice)
  if (!chosen)
    throw new Trouble(
      offered.length > 0
        ? `There is no choice ${clean(choice)}.`
        : `${featureId} is not on hold, so there is nothing to choose.`,
      offered.length > 0 ? `Choose one of: ${offered.join(', ')}` : seeShow(featureId),
    )
  await change(cli, named, '/choice', { choice: chosen, text }, options)
}

async function rollback(cli: Cli, named: string, { yes, json }: Json & { yes?: boolean }): Promise<void> {
  await onlyPeople(cli, 'roll back')
  const found = await findSession(cli, named)
  if (
    !yes &&
    !(await confirmed(`Reset ${found.branch} to where "${clean(found.title)}" started? Everything is saved first.`))
  )
    return
  const done = await askFeatures<typeof sessionRoutes.rollback>(cli, 'POST', pathOf(found, '/rollback'), {
    confirm: true,
  })
  if (json) return printJson(done)
  print(`Rolled back. Everything was saved as ${done.savedAs}. To restore it:\n\n  ${done.restore}`)
}

async function openPage(cli: Cli, named: string, { print: isPrinted }: { print?: boolean }): Promise<void> {
  await onlyPeople(cli, 'open the page')
  const { projectId, featureId } = await findSession(cli, named)
  const { linkToPage, openBrowser } = await import('#daemon/commands/open.ts')
  const reached = await linkToPage({ config: cli.config(), env: cli.env, program: process.argv[1]! })
  if (!('link' in reached)) throw new Trouble(`${reached.off}.`, reached.fix)
  const link = new URL(reached.link)
  link.pathname = `/features/${projectId}/${featureId}`
  if (isPrinted) print(link.href)
  else if (await openBrowser(link.href, cli.config(), cli.env)) print('Opening Grove in your browser.')
  else print(`Open this link in a browser:\n\n  ${link.href}`)
}

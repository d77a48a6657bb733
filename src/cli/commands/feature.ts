import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { SessionSnapshot, SessionSummary } from '#protocol/api/sessions.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { confirmed } from '../confirm.ts'
import type { Cli } from '../context.ts'
import { askFeatures, findSession, pathOf } from '../features.ts'
import { onlyPeople } from '../people-only.ts'
import { ago, clean, pairs, print, printJson, table } from '../print.ts'

type Answer = { session: SessionSnapshot }
interface Json {
  json?: boolean
}

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
  inPlace?: boolean
  stash?: boolean
  local?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .summary('list feature sessions and what each waits for')
    .option('--filter <which>', 'all, active, waiting, completed, expired, archived or deleted', 'all')
    .option('--json', 'print JSON')
    .action((options: { filter: string } & Json) => list(cli, options))
  command
    .command('new')
    .summary('begin a feature')
    .requiredOption('--title <text>', 'what it is called')
    .option('--description <text>', 'what it should do')
    .option('--description-file <path>', 'the same from a file')
    .option('--criterion <text...>', 'when it is done; `type: text` with automated, manual or review in front')
    .option('--file <path...>', 'files that are probably affected')
    .option('--notes <text>', 'technical notes')
    .option('--project <folder>', 'the repository; this folder if left out')
    .option('--base <branch>', 'the branch to begin from')
    .option('--branch <name>', 'the name of the feature branch')
    .option('--use-branch', 'go on from that branch when it exists already')
    .option('--in-place', 'work in the checkout instead of a worktree')
    .option('--stash', 'in place only: stash uncommitted changes first')
    .option('--local', 'no push and no pull request')
    .option('--json', 'print JSON')
    .action((options: NewOptions) => begin(cli, options))
  command
    .command('show <feature>')
    .summary('show a feature session: plan, questions, checks')
    .option('--json', 'print JSON')
    .action((named: string, options: Json) => show(cli, named, options))
  command
    .command('answer <feature> [answers...]')
    .summary('answer open questions: `<number or id>=<option or words>`; without answers, list them')
    .option('--json', 'print JSON')
    .action((named: string, answers: string[], options: Json) => answer(cli, named, answers, options))
  command
    .command('approve <feature>')
    .summary('approve the plan as it is shown now')
    .option('--sign-off', 'accept the risk of fewer reviews than recommended')
    .option('--hash <hash>', 'the plan that you have read; the newest if left out')
    .option('--complete', 'at the final approval: complete the session')
    .option('--json', 'print JSON')
    .action((named: string, options: ApproveOptions) => approve(cli, named, options))
  command
    .command('choose <feature> <choice> [words...]')
    .summary('choose how a held session goes on')
    .option('--json', 'print JSON')
    .action((named: string, choice: string, words: string[], options: Json) =>
      choose(cli, named, choice, words.join(' '), options),
    )
  for (const [name, summary] of [
    ['pause', 'stop Claude and pause; changes stay'],
    ['resume', 'go on'],
    ['cancel', 'stop Claude at once and pause'],
  ] as const) {
    command
      .command(`${name} <feature>`)
      .summary(summary)
      .option('--json', 'print JSON')
      .action((named: string, options: Json) => change(cli, named, `/${name}`, {}, options))
  }
  command
    .command('rollback <feature>')
    .summary('put the branch back to where it began; everything is saved first')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { yes?: boolean }) => rollback(cli, named, options))
  command
    .command('repair <feature>')
    .summary('read a damaged feature session once more, or take it out of the way')
    .option('--set-aside', 'move its folder out of the way; nothing is removed')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { setAside?: boolean }) => repair(cli, named, options))
  command
    .command('open <feature>')
    .summary('open a feature session in the browser')
    .option('--print', 'print the link instead')
    .action((named: string, options: { print?: boolean }) => openPage(cli, named, options))
}

async function list(cli: Cli, { filter, json }: { filter: string } & Json): Promise<void> {
  const found = await askFeatures<{ sessions: SessionSummary[] }>(
    cli,
    'GET',
    `/api/sessions?filter=${encodeURIComponent(filter)}&limit=500`,
  )
  const { sessions: damaged } = await askFeatures<{ sessions: Damaged[] }>(cli, 'GET', '/api/sessions/damaged')
  if (json) return printJson({ ...found, damaged })
  for (const { projectId, featureId, folder } of damaged)
    print(
      `session.json of ${projectId}/${featureId} cannot be read. Put a copy of it back into ${folder}, then run\n` +
        `  grove feature repair ${projectId}/${featureId}\nor take the session out of the way with --set-aside.\n`,
    )
  if (found.sessions.length === 0) return print('There are no feature sessions. Begin one: grove feature new --title …')
  print(
    table(
      found.sessions,
      [
        { head: 'FEATURE', cell: ({ featureId }: SessionSummary) => featureId, whole: true },
        { head: 'PROJECT', cell: ({ projectName }) => projectName },
        { head: 'STATUS', cell: ({ status, executing }) => (executing ? 'working' : status) },
        { head: 'STAGE', cell: ({ stageText }) => stageText },
        { head: 'WAITS FOR', cell: ({ waiting }) => waiting.map(({ title }) => title).join('; '), stretch: true },
        { head: 'CHANGED', cell: ({ updatedAt }) => ago(Date.now() - Date.parse(updatedAt)) },
      ],
      cli.paint,
    ),
  )
}

type Damaged = { projectId: string; featureId: string; folder: string }

async function repair(cli: Cli, named: string, { setAside, json }: Json & { setAside?: boolean }): Promise<void> {
  await onlyPeople(cli, 'repair a feature session')
  const { sessions } = await askFeatures<{ sessions: Damaged[] }>(cli, 'GET', '/api/sessions/damaged')
  const found = sessions.find(({ projectId, featureId }) => [featureId, `${projectId}/${featureId}`].includes(named))
  if (!found) throw new Trouble(`${named} is no damaged feature session.`, 'See `grove feature list`.')
  const path = `/api/sessions/damaged/${found.projectId}/${found.featureId}`
  const done = await askFeatures<{ readable: boolean; folder: string | null }>(cli, 'POST', path, {
    action: setAside ? 'set_aside' : 'read_again',
  })
  if (json) return printJson(done)
  if (done.folder) print(`It is out of the way; its files lie in ${done.folder}.`)
  else print(done.readable ? 'It can be read again.' : 'It still cannot be read.')
}

async function begin(cli: Cli, options: NewOptions): Promise<void> {
  await onlyPeople(cli, 'begin a feature session')
  const description = options.descriptionFile ? textIn(resolve(cli.cwd, options.descriptionFile)) : options.description
  if (!description) throw new Trouble('The description is missing.', 'Give --description or --description-file.')
  const form = {
    title: options.title,
    description,
    projectPath: resolve(cli.cwd, options.project ?? '.'),
    acceptanceCriteria: (options.criterion ?? ['automated: All tests pass']).map(criterionOf),
    ...(options.file && { affectedFiles: options.file }),
    ...(options.notes && { technicalNotes: options.notes }),
    options: {
      ...(options.base && { baseBranch: options.base }),
      ...(options.branch && { branch: options.branch }),
      ...(options.useBranch && { ifBranchExists: 'use' }),
      ...(options.inPlace && { mode: 'in_place' }),
      ...(options.stash && { stash: true }),
      ...(options.local && { localReview: true }),
    },
  }
  const { session } = await askFeatures<Answer>(cli, 'POST', '/api/sessions', form, {
    branch_exists: 'With --use-branch the session goes on from it.',
  })
  if (options.json) return printJson(session)
  print(
    `${session.summary.featureId} has begun on ${session.summary.branch}. See: grove feature show ${session.summary.featureId}`,
  )
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Trouble(`There is no file ${file}.`, 'Name the file of the description, or give --description.')
  }
}

function criterionOf(said: string) {
  const match = /^(automated|manual|review)\s*:\s*(\S.*)$/i.exec(said)
  return { text: match ? match[2]! : said, checked: true, type: match ? match[1]!.toLowerCase() : 'manual' }
}

async function show(cli: Cli, named: string, { json }: Json): Promise<void> {
  const { session } = await askFeatures<Answer>(cli, 'GET', pathOf(await findSession(cli, named)))
  if (json) return printJson(session)
  print(snapshotText(session, cli))
}

function snapshotText(
  { summary, session, plan, questions, criteria, held, filtered }: SessionSnapshot,
  { paint }: Cli,
): string {
  const facts = pairs([
    ['Stage', `${summary.stageText}, ${summary.executing ? 'working' : summary.status}`],
    ['Branch', `${summary.branch} (${session.folder})`],
    ["Claude's cost", `$${summary.costUsd.toFixed(2)}`],
    ...(summary.pr?.number
      ? [['Pull request', `#${summary.pr.number} ${summary.pr.state} ${summary.pr.url}`] as [string, string]]
      : []),
    ...criteria.map(({ text, state }): [string, string] => [
      'Criterion',
      `${clean(text)}: ${state.replaceAll('_', ' ')}`,
    ]),
  ])
  const waits = summary.waiting.map(({ title, detail, choices }) =>
    [
      `${paint.yellow('Waits')}  ${clean(`${title} ${detail}`.trim())}`,
      ...choices.map(({ choice, label }) => `  grove feature choose ${summary.featureId} ${choice}   ${label}`),
    ].join('\n'),
  )
  const more = [
    ...(held > 0 ? [`${held} more questions follow.`] : []),
    ...(filtered > 0 ? [`${filtered} questions were filtered; see them on the page.`] : []),
  ]
  return [
    paint.bold(clean(summary.title)),
    facts,
    ...waits,
    ...(questions.length > 0 ? [questionsText(questions)] : []),
    ...more,
    ...(plan ? [planText(plan)] : []),
  ].join('\n\n')
}

function planText({ planVersion, hash, steps }: PlanFile): string {
  const lines = steps.map(
    ({ id, title, status }) =>
      `  ${status === 'completed' ? '✓' : status === 'in_progress' ? '→' : '·'} ${id}: ${clean(title)}`,
  )
  return [`Plan, version ${planVersion} (${hash.slice(0, 12)})`, ...lines].join('\n')
}

function questionsText(questions: readonly Question[]): string {
  return questions
    .map((question, index) => {
      const options = question.options.map(
        ({ value, label, recommended }) => `     ${value}: ${clean(label)}${recommended ? ' (recommended)' : ''}`,
      )
      return [`${index + 1}. ${clean(question.questionText)} [P${question.priority}]`, ...options].join('\n')
    })
    .join('\n')
}

async function answer(cli: Cli, named: string, given: readonly string[], options: Json): Promise<void> {
  const found = await findSession(cli, named)
  const { questions } = await askFeatures<{ questions: Question[] }>(cli, 'GET', pathOf(found, '/questions'))
  if (given.length === 0) {
    if (options.json) return printJson({ questions })
    return print(questions.length > 0 ? questionsText(questions) : 'No question is open.')
  }
  const answers = given.map((one) => {
    const [, which = '', words = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? []
    const question = questions[Number(which) - 1] ?? questions.find(({ id }) => id === which)
    if (!question) throw new Trouble(`There is no open question ${which || one}.`, 'Write <number>=<option or words>.')
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
  complete?: boolean
}

async function approve(cli: Cli, named: string, { signOff, hash, complete, json }: ApproveOptions): Promise<void> {
  if (complete) return change(cli, named, '/final-approval', { action: 'merge' }, { ...(json && { json }) })
  const { session } = await askFeatures<Answer>(cli, 'GET', pathOf(await findSession(cli, named)))
  const planHash = hash || session.session.planHash
  if (!planHash)
    throw new Trouble(`${session.summary.featureId} has no plan to approve yet.`, seeShow(session.summary.featureId))
  await change(cli, named, '/plan/approve', { planHash, signOff: signOff === true }, { ...(json && { json }) })
}

async function choose(cli: Cli, named: string, choice: string, text: string, options: Json): Promise<void> {
  const { featureId, waiting } = await findSession(cli, named)
  const offered: string[] = waiting.flatMap(({ choices }) => choices.map((one) => one.choice))
  if (!offered.includes(choice))
    throw new Trouble(
      offered.length > 0
        ? `There is no choice ${clean(choice)}.`
        : `${featureId} is not held: there is nothing to choose.`,
      offered.length > 0 ? `Choose one of: ${offered.join(', ')}` : seeShow(featureId),
    )
  await change(cli, named, '/choice', { choice, text }, options)
}

function seeShow(featureId: string): string {
  return `\`grove feature show ${featureId}\` says what it waits for.`
}

/** A person's word: it changes the session, and what it is then is shown. */
async function change(cli: Cli, named: string, path: string, body: object, { json }: Json): Promise<void> {
  await onlyPeople(cli, 'decide about a feature session')
  const found = await findSession(cli, named)
  const { session } = await askFeatures<Answer>(cli, 'POST', pathOf(found, path), body, {
    not_possible_now: seeShow(found.featureId),
  })
  if (json) return printJson(session)
  const { stageText, status, executing } = session.summary
  print(`${session.summary.featureId}: ${stageText}, ${executing ? 'working' : status}`)
}

async function rollback(cli: Cli, named: string, { yes, json }: Json & { yes?: boolean }): Promise<void> {
  await onlyPeople(cli, 'roll back')
  const found = await findSession(cli, named)
  if (
    !yes &&
    !(await confirmed(`Put ${found.branch} back to where "${clean(found.title)}" began? Everything is saved first.`))
  )
    return
  const done = await askFeatures<{ savedAs: string; restore: string }>(cli, 'POST', pathOf(found, '/rollback'), {
    confirm: true,
  })
  if (json) return printJson(done)
  print(`Rolled back. Everything was saved as ${done.savedAs}; to get it back:\n\n  ${done.restore}`)
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
  else if (await openBrowser(link.href, cli.config(), cli.env)) print('Grove opens in your browser.')
  else print(`Open this in a browser:\n\n  ${link.href}`)
}

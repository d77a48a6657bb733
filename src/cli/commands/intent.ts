import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { Intent, IntentBook, PathAnswer } from '#daemon/commands/guard.ts'
import type { Cli } from '../context.ts'
import { inProject, lookInProject, withGuard } from '../guard.ts'
import { onlyPeople } from '../people-only.ts'
import { ago, clean, counted, grouped, note, pairs, print, printJson, table } from '../print.ts'
import { orTrouble } from '../refused.ts'
import { type ApproveOptions, approve } from '../requests.ts'

interface AddOptions {
  id?: string
  scope?: string[]
  constraint?: string[]
  criterion?: string[]
  dependsOn?: string[]
  owner?: string
  status: string
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .summary('list intents')
    .option('--all', 'also closed ones')
    .option('--json', 'print JSON')
    .action((options: { all?: boolean; json?: boolean }) => list(cli, options))
  command
    .command('add <name...>')
    .summary('declare an intent')
    .option('--id <id>', 'its id (default: the next number)')
    .option('--scope <glob...>', 'globs it may write; prefix with ! to exclude')
    .option('--constraint <text...>', 'a constraint to respect')
    .option('--criterion <text...>', 'an acceptance criterion')
    .option('--depends-on <id...>', 'intents that must be done first')
    .option('--owner <name>', 'who is responsible for it')
    .option('--status <status>', 'planned, in_progress, done …', 'in_progress')
    .option('--json', 'print JSON')
    .action((name: string[], options: AddOptions) => add(cli, name.join(' '), options))
  command
    .command('show <id>')
    .summary('show one intent in full')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) => show(cli, id, options))
  command
    .command('select <id>')
    .summary('set the intent of an agent session')
    .option('--session <id>', 'the agent session (default: the only running one in this project)')
    .option('--agent <id>', 'only for one of its subagents')
    .action((id: string, options: { session?: string; agent?: string }) => select(cli, id, options))
  command
    .command('check [path...]')
    .summary('check the intents file, or show which intents may write some paths')
    .option('--intent <id>', 'only this intent')
    .option('--json', 'print JSON')
    .action((paths: string[], options: { intent?: string; json?: boolean }) => check(cli, paths, options))
  command
    .command('scope [id]')
    .summary('list the files of this project that an open intent owns, or one intent')
    .option('--json', 'print JSON')
    .action((id: string | undefined, { json }: { json?: boolean }) => scope(cli, id, json))
  command
    .command('done <id>')
    .summary('close an intent; agents can no longer write for it')
    .option('--status <status>', 'a status other than done', 'done')
    .action((id: string, { status }: { status: string }) => close(cli, id, status))
  command
    .command('approve [request]')
    .summary('answer a request from an agent; without one, list pending requests')
    .option('--show', 'show the request in full: the diff, or the command and what it would touch')
    .option('--reject', 'reject it')
    .option('--note <text>', 'a message to the agent')
    .option('--all', 'also requests that were already answered')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: ApproveOptions) => approve(cli, id, options))
}

async function list(cli: Cli, { all, json }: { all?: boolean; json?: boolean }): Promise<void> {
  const nothing = { intents: [] as Intent[], problems: [] as IntentBook['problems'] }
  const { intents, problems } = await lookInProject(cli, nothing, async (guard) => {
    const book = await guard.book()
    return { intents: book.all().filter((intent) => all || guard.isOpen(intent)), problems: book.problems }
  })
  if (json) return printJson({ intents, problems })
  for (const { line, column, message } of problems) note(`active_intents.yaml:${line}:${column}: ${clean(message)}`)
  if (intents.length === 0) {
    print('There are no open intents. Declare one: grove intent add "Refresh tokens" --scope "src/auth/**"')
    return
  }
  print(
    table(
      intents,
      [
        { head: 'ID', cell: ({ id }) => id, whole: true },
        { head: 'STATUS', cell: ({ status }) => status },
        { head: 'NAME', cell: ({ name }) => name, stretch: true },
        { head: 'SCOPE', cell: ({ ownedScope }) => short(ownedScope) },
      ],
      cli.paint,
    ),
  )
}

function short(scope: string[]): string {
  const text = scope.slice(0, 2).join(', ')
  return scope.length > 2 ? `${text} and ${scope.length - 2} more` : text
}

async function add(cli: Cli, name: string, options: AddOptions): Promise<void> {
  await onlyPeople(cli, 'declare intents')
  const { added, isGuarded } = await withGuard(cli, async (guard) => {
    const outside = options.scope?.find(guard.leavesProject)
    if (outside !== undefined) {
      throw new Trouble(
        `The scope ${outside} is outside the project.`,
        "Globs are relative to the project's root: src/**",
      )
    }
    if (options.scope?.some((glob) => glob.trim() === ''))
      throw new Trouble('A scope is empty.', "Give globs that are relative to the project's root: --scope 'src/**'")
    guard.begin()
    const isGuarded = await guard.isAttached()
    const added = await guard.add({
      ...(options.id && { id: options.id }),
      name,
      status: options.status,
      ownedScope: options.scope ?? [],
      constraints: options.constraint ?? [],
      acceptanceCriteria: options.criterion ?? [],
      dependencies: options.dependsOn ?? [],
      ...(options.owner && { owner: options.owner }),
    })
    return { added, isGuarded }
  })
  if (!added) throw new Trouble(`The intent ${options.id} already exists.`, 'Choose another --id, or leave it out.')
  if (options.json) return printJson(added)
  print(`${added.id} was added to .orchestration/active_intents.yaml.`)
  if (added.ownedScope.length === 0) {
    note('It has no scope, so agents cannot write anything for it yet: add globs under owned_scope.')
  }
  if (!isGuarded) note('Grove is not attached to Claude Code here, so nothing enforces it yet: run `grove init`.')
}

async function show(cli: Cli, id: string, { json }: { json?: boolean }): Promise<void> {
  const { intent, recent, needsApproval } = await inProject(cli, async (guard) => {
    const found = (await guard.book()).find(id)
    if (!found) throw await unknown(guard, id)
    const [{ records }, ignored] = await Promise.all([guard.log({ intent: id, limit: 5 }), guard.needApproval()])
    return { intent: found, recent: records, needsApproval: ignored.includes(id) }
  })
  if (json) return printJson({ ...intent, needsApproval, recent })
  const lines: [string, string][] = [
    ['Intent', cli.paint.bold(clean(intent.id))],
    ['Name', clean(intent.name)],
    ['Status', clean(intent.status)],
    ...(intent.owner ? [['Owner', clean(intent.owner)] as [string, string]] : []),
    ...(intent.dependencies.length > 0
      ? [['Depends on', clean(intent.dependencies.join(', '))] as [string, string]]
      : []),
    ...(needsApproval ? [['Approval', 'every change needs a person'] as [string, string]] : []),
  ]
  const lists = [
    ['Scope', intent.ownedScope],
    ['Constraints', intent.constraints],
    ['Acceptance criteria', intent.acceptanceCriteria],
    [
      'Recent changes',
      recent.map(({ at, files }) => `${files.map(({ path }) => path).join(', ')}  ${ago(Date.now() - at)}`),
    ],
  ] as const
  const sections = lists
    .filter(([, items]) => items.length > 0)
    .map(([head, items]) => `${cli.paint.dim(head)}\n${items.map((item) => `  ${clean(item)}`).join('\n')}`)
  print([pairs(lines), ...sections].join('\n\n'))
}

async function select(cli: Cli, id: string, { session, agent }: { session?: string; agent?: string }): Promise<void> {
  const { said, unseen } = await inProject(cli, async (guard) => {
    const live = await guard.sessions()
    const named = live.filter((one) => session !== undefined && one.startsWith(session))
    if (named.length > 1)
      throw new Trouble(`Several sessions start with ${session}.`, `Choose one: ${named.join(', ')}`)
    const sessionId = named[0] ?? session ?? cli.env.CLAUDE_CODE_SESSION_ID ?? onlySession(live)
    return { said: await guard.select(id, sessionId, agent), unseen: session !== undefined && named.length === 0 }
  })
  print(orTrouble(said))
  if (unseen) note(`No agent session ${clean(session!)} is running here yet; the choice applies once it starts.`)
}

function onlySession([first, ...others]: string[]): string {
  if (first !== undefined && others.length === 0) return first
  throw new Trouble(
    first === undefined ? 'No agent session is running in this project.' : 'Several agent sessions are running here.',
    first === undefined
      ? 'Choose one with --session; /status in Claude Code shows the id.'
      : `Choose one with --session: ${[first, ...others].slice(0, 5).join(', ')}`,
  )
}

async function check(cli: Cli, paths: string[], { intent, json }: { intent?: string; json?: boolean }): Promise<void> {
  const { answers, problems, count, hints } = await inProject(cli, async (guard) => {
    const book = await guard.book()
    if (intent !== undefined && !book.find(intent)) throw await unknown(guard, intent)
    const scopeless = book.all().filter((one) => guard.isOpen(one) && one.ownedScope.length === 0)
    const unheard = (await guard.needApproval()).filter((id) => !book.find(id))
    return {
      hints: [
        ...scopeless.map(({ id }) => `${id} has no scope, so agents cannot write anything for it.`),
        ...unheard.map((id) => `.intentignore names ${id}, but there is no such intent.`),
      ],
      answers: paths.length > 0 ? await guard.check(paths, intent) : [],
      problems: book.problems,
      count: book.all().length,
    }
  })
  if (json) printJson({ problems, paths: answers })
  else {
    for (const { line, column, message } of problems) note(`active_intents.yaml:${line}:${column}: ${clean(message)}`)
    if (problems.length + paths.length === 0) for (const hint of hints) note(clean(hint))
    for (const answer of answers) print(verdict(answer, cli))
    if (problems.length === 0 && paths.length === 0) print(`${counted(count, 'intent')}, no problems found.`)
  }
  const isRefused = answers.some(({ intents }) => !intents.some(({ allowed }) => allowed))
  if (problems.length > 0 || isRefused) process.exitCode = 1
}

async function scope(cli: Cli, id: string | undefined, json: boolean | undefined): Promise<void> {
  const files = await inProject(cli, async (guard) => {
    if (id !== undefined && !(await guard.book()).find(id)) throw await unknown(guard, id)
    return guard.scope(id)
  })
  const owned = files.filter(({ intents }) => intents.length > 0)
  if (json) return printJson({ files: owned, of: files.length })
  for (const { path, intents } of owned)
    print(id ? clean(path) : `${clean(path)}  ${cli.paint.dim(intents.join(', '))}`)
  const whose = id ? `may be changed for ${clean(id)}` : 'belong to an open intent'
  note(`${grouped(owned.length)} of ${counted(files.length, 'file')} ${whose}.`)
}

function verdict({ path, intents }: PathAnswer, { paint }: Cli): string {
  const owners = intents.filter(({ allowed }) => allowed).map(({ id }) => id)
  return owners.length > 0
    ? `${clean(path)}  ${paint.green(owners.join(', '))}`
    : `${clean(path)}  ${paint.red('not in the scope of any open intent')}`
}

async function close(cli: Cli, id: string, status: string): Promise<void> {
  await onlyPeople(cli, 'close or open intents')
  await inProject(cli, async (guard) => {
    if (!(await guard.setStatus(id, status))) throw await unknown(guard, id)
  })
  print(`${clean(id)} is ${clean(status)}.`)
}

async function unknown(
  guard: { book(): Promise<{ choice: { open: { id: string }[] } }> },
  id: string,
): Promise<Trouble> {
  const known = (await guard.book()).choice.open.map((intent) => intent.id).join(', ')
  return new Trouble(
    `There is no intent ${clean(id)}.`,
    known ? `Open ones: ${known}` : '`grove intent list --all` shows all of them.',
  )
}

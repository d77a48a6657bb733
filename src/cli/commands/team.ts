import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { ProjectSync, TeamCommands, TeamProjectStatus, TeamStatus } from '#daemon/commands/team.ts'
import { confirmed } from '../confirm.ts'
import type { Cli } from '../context.ts'
import { definePeople } from '../people.ts'
import { onlyPeople } from '../people-only.ts'
import { ago, clean, grouped, note, pairs, print, printJson, table } from '../print.ts'
import { progress } from '../progress.ts'
import { offerText, takeBackText } from '../team-offers.ts'
import { withWorld } from '../world.ts'

interface Json {
  json?: boolean
}

interface Asking extends Json {
  yes?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('status', { isDefault: true })
    .summary('show the team, whether it is reachable, and what is still to be sent')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const status = await withTeam(cli, (team) => team.status())
      if (json) return printJson(status)
      print(statusText(status, cli))
    })
  command
    .command('join [url]')
    .summary("join a team's PostgreSQL and share this project (default: the configured URL)")
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((url: string | undefined, options: Asking) => join(cli, url, options))
  command
    .command('share [folder]')
    .summary('share another project (default: this folder)')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((folder: string | undefined, options: Asking) => share(cli, folder, options))
  command
    .command('unshare [folder]')
    .summary('stop sharing a project; the team keeps what was sent')
    .action((folder: string | undefined) => unshare(cli, folder))
  command
    .command('leave')
    .summary('stop sharing everything; you keep your data, and the team keeps what was sent')
    .action(() => leave(cli))
  command
    .command('forget')
    .summary("delete what you sent for this project from the team's database")
    .option('--all', 'for every project')
    .option('--login', 'also what your login sent under other names; only if nobody else uses the login')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((options: Asking & { all?: boolean; login?: boolean }) => forget(cli, options))
  command
    .command('sync')
    .summary('send and fetch now, without waiting for the daemon')
    .option('--json', 'print JSON')
    .action(({ json }: Json) => withTeam(cli, async (team) => report(await watched((told) => team.sync(told)), json)))
  command
    .command('grant <login>')
    .summary('give a database login access to this project (database owner only)')
    .option('--all', 'for every project')
    .option('--read-only', 'read access only')
    .option('--json', 'print JSON')
    .action(async (login: string, { all = false, readOnly, json }: Json & { all?: boolean; readOnly?: boolean }) => {
      await onlyPeople(cli, 'give access to a team')
      const access = await withTeam(cli, (team) => team.grant({ login, all, mayWrite: readOnly !== true }))
      if (json) return printJson(access)
      const what = access.projectId === '*' ? 'every project' : access.projectId
      print(`${login} may ${access.mayWrite ? 'read and write' : 'read'} ${what}.`)
    })
  command
    .command('revoke <login>')
    .summary('remove the access of a login (database owner only)')
    .action(async (login: string) => {
      await onlyPeople(cli, 'revoke access to a team')
      await withTeam(cli, (team) => team.revoke(login))
      print(`${login} no longer has access. Memories it already fetched stay on its machines.`)
    })
  command
    .command('members')
    .summary('list who has access (database owner only)')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const members = await withTeam(cli, (team) => team.members())
      if (json) return printJson({ members })
      if (members.length === 0) return print('Only the owner of the database has access.')
      print(
        table(
          members,
          [
            { head: 'LOGIN', cell: ({ login }) => login },
            { head: 'MAY', cell: ({ mayWrite }) => (mayWrite ? 'read and write' : 'read') },
            {
              head: 'PROJECT',
              cell: ({ projectId }) => (projectId === '*' ? 'every project' : projectId),
              stretch: true,
            },
          ],
          cli.paint,
        ),
      )
    })
  definePeople(command, cli)
}

function withTeam<T>(cli: Cli, work: (team: TeamCommands) => Promise<T>): Promise<T> {
  return withWorld(cli, async (world) => {
    const { teamCommands } = await import('#daemon/commands/team.ts')
    return work(teamCommands(world, cli.cwd))
  })
}

async function join(cli: Cli, given: string | undefined, { yes, json }: Asking): Promise<void> {
  await onlyPeople(cli, 'join a team')
  const url = given ?? cli.config().database.url
  if (url === undefined) {
    throw new Trouble(
      'The URL of the team database is missing.',
      'For example: grove team join postgresql://you@host/grove',
    )
  }
  await withTeam(cli, async (team) => {
    const offer = await team.preview(url)
    if (!json) print(offerText(offer))
    const isAsked = offer.refused === undefined && !offer.shared
    if (isAsked && !yes && !(await confirmed('Share this project?'))) return print('Nothing was sent.')
    const projects = await watched((told) => team.join(url, { share: isAsked }, told))
    if (json) return printJson({ offer, projects })
    report(projects)
    note(
      'A running daemon keeps it in sync from now on. To share another project, run `grove team share` in its folder.',
    )
  })
}

async function share(cli: Cli, folder: string | undefined, { yes, json }: Asking): Promise<void> {
  await onlyPeople(cli, 'share a project')
  await withTeam(cli, async (team) => {
    const offer = await team.preview(undefined, folder)
    if (offer.refused !== undefined) throw new Trouble(`${offer.name} cannot be shared.`, offer.refused)
    if (!json) print(offerText(offer))
    if (!offer.shared && !yes && !(await confirmed('Share this project?'))) return print('Nothing was sent.')
    const projects = await watched((told) => (offer.shared ? team.sync(told) : team.share(folder, told)))
    if (json) printJson({ offer, projects })
    else report(projects)
  })
}

async function unshare(cli: Cli, folder: string | undefined): Promise<void> {
  await onlyPeople(cli, 'change what is shared')
  const { name } = await withTeam(cli, (team) => team.unshare(folder))
  if (cli.config().database.url === undefined) {
    return print(`You have not joined a team, so nothing of ${clean(name)} is sent.`)
  }
  print(`${clean(name)} is no longer shared. The team keeps what was sent; \`grove team forget\` deletes it there.`)
}

async function leave(cli: Cli): Promise<void> {
  await onlyPeople(cli, 'leave a team')
  const hadTeam = cli.config().database.url !== undefined
  await withTeam(cli, (team) => team.leave())
  print(
    hadTeam
      ? 'Nothing is shared any more. You keep your data, and the team keeps what was sent; to delete it there:\n\n  GROVE_DATABASE_URL=postgresql://… grove team forget --all'
      : 'You had not joined a team; nothing was changed.',
  )
  if (cli.env.GROVE_DATABASE_URL) {
    note('GROVE_DATABASE_URL still points to a team; nothing is sent there until you share a project again.')
  }
}

async function forget(cli: Cli, options: Asking & { all?: boolean; login?: boolean }): Promise<void> {
  const { all = false, login = false, yes, json } = options
  await onlyPeople(cli, 'take back what was shared')
  await withTeam(cli, async (team) => {
    const offer = await team.sent({ all })
    const { text, count } = takeBackText(offer, { login })
    if (!json) print(text)
    if (count > 0 && !yes && !(await confirmed('Delete them for everyone?'))) return print('Nothing was deleted.')
    const deleted = count > 0 ? await team.forget(offer, { login }) : 0
    if (json) return printJson({ deleted })
    if (deleted > 0) print(`${grouped(deleted)} deleted. Your teammates' copies are deleted at their next sync.`)
  })
}

async function watched(work: (told: (sync: ProjectSync) => void) => Promise<ProjectSync[]>): Promise<ProjectSync[]> {
  const bar = progress()
  try {
    return await work(({ projectId, pulled, pushed }) =>
      bar.show(0, 0, `${projectId}: ${grouped(pulled)} fetched, ${grouped(pushed)} sent`),
    )
  } finally {
    bar.end()
  }
}

function report(projects: ProjectSync[], json = false) {
  if (json) return printJson({ projects })
  const lines = projects.map(({ projectId, rights, pulled, pushed, error, setAside }) => {
    if (error) return `${projectId}: ${error}`
    if (rights === 'none') return `${projectId}: no access; the owner can run \`grove team grant\``
    const sent = rights === 'read' ? 'read-only' : `${grouped(pushed)} sent`
    return `${projectId}: ${grouped(pulled)} fetched, ${sent}${asideText(setAside)}`
  })
  print(lines.length > 0 ? lines.join('\n') : 'No project is shared. `grove team share` shares the one in this folder.')
}

function statusText({ team, reachable, error, encrypted, projects, last }: TeamStatus, { paint }: Cli): string {
  if (team === undefined) {
    return 'You have not joined a team. Join one with `grove team join postgresql://you@host/grove`; docs/guides/team-memory.md explains how.'
  }
  const line = encrypted ? '' : paint.yellow(' (not encrypted; add sslmode=verify-full)')
  const head = pairs([
    ['Team', `${team}${line}`],
    [
      'Reachable',
      reachable ? paint.green('yes') : `${paint.red('no')}, nothing is lost, changes wait here: ${error ?? ''}`,
    ],
    ['Last sync', last?.okAt ? ago(Date.now() - last.okAt) : 'never; `grove team sync` does one now'],
  ])
  if (projects.length === 0) return head
  const troubles = (last?.projects ?? []).flatMap(troubleOf)
  return `${head}\n${troubles.length > 0 ? `\n${paint.yellow(troubles.join('\n'))}\n` : ''}\n${table(
    projects,
    [
      { head: 'PROJECT', cell: ({ name }) => name },
      { head: 'MAY', cell: mayText },
      { head: 'MEMORIES', cell: ({ memories }) => grouped(memories), align: 'right' },
      { head: 'WAITING', cell: ({ shared, waiting }) => (shared ? grouped(waiting) : '-'), align: 'right' },
      { head: 'ID', cell: ({ projectId }) => projectId, stretch: true },
    ],
    paint,
  )}`
}

/** What went wrong with a project in the last round. */
function troubleOf({ projectId, error, setAside }: ProjectSync): string[] {
  if (error) return [clean(`${projectId}: ${error}`)]
  return setAside ? [clean(`${projectId}${asideText(setAside)}`)] : []
}

function asideText(setAside: ProjectSync['setAside']): string {
  const [first, ...more] = setAside ?? []
  if (!first) return ''
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return `; rejected: ${first.id.slice(0, 60)}, because ${first.reason}${others}`
}

function mayText({ shared, rights }: TeamProjectStatus): string {
  if (!shared) return 'not shared'
  if (rights === undefined) return '?'
  return rights === 'write' ? 'read and write' : rights === 'read' ? 'read' : 'nothing'
}

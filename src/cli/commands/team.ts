import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { ProjectSync, TeamCommands, TeamProjectStatus, TeamStatus } from '#daemon/commands/team.ts'
import type { Cli } from '../context.ts'
import { ago, grouped, note, pairs, print, printJson, table } from '../print.ts'
import { progress } from '../progress.ts'
import { withWorld } from '../world.ts'

interface Json {
  json?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .command('status', { isDefault: true })
    .summary('show the team, whether it can be reached, and what waits to be sent')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const status = await withTeam(cli, (team) => team.status())
      if (json) return printJson(status)
      print(statusText(status, cli))
    })
  command
    .command('join [url]')
    .summary("share memories through the team's PostgreSQL; without a URL, the one that is set")
    .option('--json', 'print JSON')
    .action((url: string | undefined, { json }: Json) => join(cli, url, json))
  command
    .command('leave')
    .summary('stop sharing; what is here stays here, what is shared stays with the team')
    .action(() => leave(cli))
  command
    .command('sync')
    .summary('send and fetch now, without waiting for the daemon')
    .option('--json', 'print JSON')
    .action(({ json }: Json) => withTeam(cli, async (team) => report(await watched((told) => team.sync(told)), json)))
  command
    .command('grant <login>')
    .summary('let a database login in to this project (for the owner of the database)')
    .option('--all', 'to every project')
    .option('--read-only', 'to read, not to write')
    .option('--json', 'print JSON')
    .action(async (login: string, { all = false, readOnly, json }: Json & { all?: boolean; readOnly?: boolean }) => {
      const access = await withTeam(cli, (team) => team.grant({ login, all, mayWrite: readOnly !== true }))
      if (json) return printJson(access)
      const what = access.projectId === '*' ? 'every project' : access.projectId
      print(`${login} may ${access.mayWrite ? 'read and write' : 'read'} ${what}.`)
    })
  command
    .command('revoke <login>')
    .summary('shut a login out (for the owner of the database)')
    .action(async (login: string) => {
      await withTeam(cli, (team) => team.revoke(login))
      print(`${login} has no access any more. What it has pulled stays on its machines.`)
    })
  command
    .command('members')
    .summary('list who was granted access (for the owner of the database)')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const members = await withTeam(cli, (team) => team.members())
      if (json) return printJson({ members })
      if (members.length === 0) return print('Nobody was granted access; only the owner of the database has it.')
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
}

function withTeam<T>(cli: Cli, work: (team: TeamCommands) => Promise<T>): Promise<T> {
  return withWorld(cli, async (world) => {
    const { teamCommands } = await import('#daemon/commands/team.ts')
    return work(teamCommands(world, cli.cwd))
  })
}

async function join(cli: Cli, given: string | undefined, json: boolean | undefined): Promise<void> {
  const url = given ?? cli.config().database.url
  if (url === undefined) {
    throw new Trouble('No team is named.', 'Give its database: grove team join postgresql://you@host/grove')
  }
  await withTeam(cli, async (team) => report(await watched((told) => team.join(url, told)), json))
  if (!json) note('From now on the daemon keeps this home and the team in step; start it again if it runs.')
}

async function leave(cli: Cli): Promise<void> {
  await withTeam(cli, (team) => team.leave())
  if (cli.env.GROVE_DATABASE_URL) {
    throw new Trouble(
      'GROVE_DATABASE_URL still names a team.',
      'Remove it from the environment: unset GROVE_DATABASE_URL',
    )
  }
  print('This home belongs to no team now. Everything that was here is still here.')
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

function report(projects: ProjectSync[], json: boolean | undefined) {
  if (json) return printJson({ projects })
  const lines = projects.map(({ projectId, rights, pulled, pushed, error }) => {
    if (error) return `${projectId}: ${error}`
    if (rights === 'none') return `${projectId}: not yours to read; the owner can run \`grove team grant\``
    const sent = rights === 'read' ? 'may only be read' : `${grouped(pushed)} sent`
    return `${projectId}: ${grouped(pulled)} fetched, ${sent}`
  })
  print(lines.length > 0 ? lines.join('\n') : 'No project here is shared yet.')
}

function statusText({ team, reachable, error, encrypted, projects, last }: TeamStatus, { paint }: Cli): string {
  if (team === undefined) {
    return 'This home belongs to no team. Join one with `grove team join postgresql://you@host/grove`; docs/team.md tells how to set one up.'
  }
  const line = encrypted ? '' : paint.yellow(' (not encrypted; add sslmode=verify-full)')
  const head = pairs([
    ['Team', `${team}${line}`],
    ['Reachable', reachable ? paint.green('yes') : `${paint.red('no')}, everything is kept here: ${error ?? ''}`],
    ['Last in step', last?.okAt ? ago(Date.now() - last.okAt) : 'never; `grove team sync` does it now'],
  ])
  if (projects.length === 0) return head
  return `${head}\n\n${table(
    projects,
    [
      { head: 'PROJECT', cell: ({ name }) => name },
      { head: 'MAY', cell: mayText },
      { head: 'MEMORIES', cell: ({ memories }) => grouped(memories), align: 'right' },
      { head: 'WAITING', cell: ({ waiting }) => grouped(waiting), align: 'right' },
      { head: 'ID', cell: ({ projectId }) => projectId, stretch: true },
    ],
    paint,
  )}`
}

function mayText({ shared, rights }: TeamProjectStatus): string {
  if (!shared) return 'not shared'
  if (rights === undefined) return '?'
  return rights === 'write' ? 'read and write' : rights === 'read' ? 'read' : 'nothing'
}

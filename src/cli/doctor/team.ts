import { counted } from '../print.ts'
import { withWorld } from '../world.ts'
import { type Check, failure, ok, warn } from './check.ts'

/** Whether the team's database can be reached, the connection is encrypted, and everything was sent. */
export const checkTeam: Check = async ({ cli, settings }) => {
  const { config } = settings
  if (config.database.url === undefined) return []
  const { teamCommands } = await import('#daemon/commands/team.ts')
  try {
    const status = await withWorld(cli, (world) => teamCommands(world, cli.cwd).status(), { config })
    const { team = '', reachable, error, encrypted, projects } = status
    if (!reachable) {
      return [warn('team', `${team}: ${error ?? 'no answer'}`, 'Nothing is lost: changes wait here until it answers.')]
    }
    // A login that may only read keeps its own memories here, as the database's owner intended.
    const stuck = projects.filter(({ shared, rights, waiting }) => shared && rights === 'none' && waiting > 0)
    if (stuck.length > 0) {
      const names = stuck.map(({ name }) => name).join(', ')
      return [warn('team', `you have no access to ${names}`, 'Ask the owner of the database for `grove team grant`.')]
    }
    const failing = status.last?.projects.find(({ error, setAside }) => error !== undefined || setAside !== undefined)
    if (failing) {
      const { projectId, error, setAside = [] } = failing
      const what =
        error ??
        `${counted(setAside.length, 'row')} of the team ${setAside.length === 1 ? 'was' : 'were'} not accepted (${setAside[0]?.id}: ${setAside[0]?.reason})`
      return [warn('team', `${projectId}: ${what}`, 'Everything else is in sync; `grove team status` shows all.')]
    }
    if (!encrypted) return [warn('team', `${team} is not encrypted`, 'Add sslmode=verify-full, see docs/team.md.')]
    return [ok('team', `${team} answers, ${counted(projects.length, 'project')} known here`)]
  } catch (trouble) {
    return [failure('team', trouble, 'See docs/team.md.')]
  }
}

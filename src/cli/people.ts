import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { peopleRoutes } from '#protocol/api/people.ts'
import { confirmed } from './confirm.ts'
import type { Cli } from './context.ts'
import { askFeatures } from './features.ts'
import { onlyPeople } from './people-only.ts'
import { clean, note, print, printJson } from './print.ts'

/** Who works with this Grove in a browser of their own, as the page shows it. */

interface Json {
  json?: boolean
}

export type People = Awaited<ReturnType<typeof everybody>>

export function definePeople(command: Command, cli: Cli): void {
  command
    .command('people')
    .summary('list who works with this Grove in a browser of their own')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const found = await everybody(cli)
      if (json) return printJson(found)
      print(
        found.me.name
          ? `You are ${clean(found.me.name)}.`
          : 'You have given no name yet. What you say can carry one: grove team name <your name>',
      )
      for (const { id, name } of found.people.filter((one) => one.id !== found.me.id))
        print(`${id}  ${clean(name ?? 'has given no name yet')}`)
    })
  command
    .command('name <name...>')
    .summary('your own name: comments, answers and sign-offs carry it')
    .option('--json', 'print JSON')
    .action(async (words: string[], { json }: Json) => {
      await onlyPeople(cli, 'give a name')
      const body = { name: words.join(' ') }
      const said = await askFeatures<typeof peopleRoutes.name>(cli, 'POST', '/api/people/me', body)
      if (json) printJson(said)
      else print(`You are ${clean(said.me.name ?? '')}.`)
    })
  command
    .command('invite')
    .summary('make a link that lets the browser of one teammate in, once, within a day')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      await onlyPeople(cli, 'invite a teammate')
      const made = await askFeatures<typeof peopleRoutes.invite>(cli, 'POST', '/api/people/invitations', { to: '/' })
      if (json) return printJson(made)
      for (const address of made.addresses) print(`${address}${made.path}`)
      if (made.addresses.length > 0) return note('The link lets one browser in, once, within a day.')
      const { runningListeners } = await import('#daemon/process/listeners.ts')
      print(`${runningListeners(cli.config()).web?.url ?? ''}${made.path}`)
      note(
        'The link lets one browser in, once, within a day. Only this machine can reach Grove now: for a teammate elsewhere, start it with `grove up --host 0.0.0.0`.',
      )
    })
  command
    .command('remove <person>')
    .summary('take the invitation of a teammate back: their browser is not let in any more')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action(async (named: string, { yes, json }: Json & { yes?: boolean }) => {
      await onlyPeople(cli, 'remove a teammate')
      const { id, name } = personIn(await everybody(cli), named)
      if (!yes && !(await confirmed(`Let the browser of ${clean(name ?? id)} in no more?`))) return
      const done = await askFeatures<typeof peopleRoutes.remove>(cli, 'DELETE', `/api/people/${encodeURIComponent(id)}`)
      if (json) printJson(done)
      else print(`${clean(name ?? id)} is not let in any more.`)
    })
}

export function everybody(cli: Cli) {
  return askFeatures<typeof peopleRoutes.list>(cli, 'GET', '/api/people')
}

/** The teammate with this name or id. */
export function personIn({ people }: People, named: string): People['people'][number] {
  const found = people.find(({ id, name }) => id === named || name === named)
  if (found) return found
  throw new Trouble(
    `There is no teammate ${clean(named)}.`,
    people.length > 0
      ? `Choose one of: ${people.map(({ id, name }) => clean(name ?? id)).join(', ')}`
      : 'Invite one: grove team invite',
  )
}

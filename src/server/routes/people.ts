import { outsideHostsOf, urlOf } from '#config/listening-address.ts'
import { OWNER } from '#core/people.ts'
import { refusal } from '#core/refusal.ts'
import type { peopleRoutes } from '#protocol/api/people.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { isLoopback } from '../authenticate.ts'
import { invitationPath } from '../invitations.ts'
import type { OneTimeCodes } from '../one-time-codes.ts'
import type { Handlers } from '../serve-route.ts'
import type { Asker, People } from '../teammates.ts'

interface Needs {
  people: People
  codes: OneTimeCodes
  /** The address that the server listens at, and its port. */
  listening: { host: string; port: number }
}

/** `/api/people`: the owner and the teammates, their names and invitations. */
export function peopleHandlers({ people, codes, listening }: Needs): Handlers<typeof peopleRoutes> {
  const me = ({ id, name }: Asker) => ({ id, name, isOwner: id === OWNER })
  return {
    list: async (_, by) => ({ me: me(by), people: await people.list() }),

    async name({ body }, by) {
      const named = await people.call(by.id, body.name)
      return isRefusal(named) ? named : { me: me(named) }
    },

    async invite({ body }) {
      return { path: invitationPath(codes, body.to), addresses: addressesOf(listening) }
    },

    async remove({ params }) {
      return (await people.remove(params.id))
        ? { removed: true as const }
        : refusal('person_not_found', 'There is no such teammate.', 'GET /api/people lists them.')
    },
  }
}

function addressesOf({ host, port }: Needs['listening']): string[] {
  return isLoopback(host) ? [] : outsideHostsOf(host).map((outside) => urlOf({ host: outside, port }))
}

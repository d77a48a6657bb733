import { randomBytes } from 'node:crypto'
import {
  isNameTaken,
  NOBODY,
  OWNER,
  type PeopleBook,
  type Person,
  readName,
  withoutPerson,
  withPerson,
} from '#core/people.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** The person behind a request: the owner, or an invited teammate. */
export interface Asker {
  id: string
  name: string | null
}

/** The people whose browsers are let in, kept over restarts. The owner has an entry once they have given a name. */
export interface People {
  list(): Promise<Person[]>
  find(id: string): Promise<Person | undefined>
  /** A teammate has come by an invitation and has no name yet. */
  join(): Promise<Person>
  call(id: string, name: string): Promise<Person | Refusal<'bad_name' | 'name_taken'>>
  /** Their browser is not let in any more. */
  remove(id: string): Promise<boolean>
}

const KEY = 'all'

export function peopleIn({ states, clock }: { states: StateStore; clock: Clock }): People {
  const slot = SLOTS.people
  const look = async () => (await states.get(slot, KEY)) ?? NOBODY
  const change = (to: (before: PeopleBook) => PeopleBook) =>
    states.update(slot, KEY, clock.now(), (before) => to(before ?? NOBODY))
  return {
    list: async () => Object.values((await look()).people).sort((a, b) => a.pairedAt - b.pairedAt),
    find: async (id) => (await look()).people[id],
    async join() {
      const person: Person = { id: randomBytes(9).toString('base64url'), name: null, pairedAt: clock.now() }
      await change((book) => withPerson(book, person))
      return person
    },
    async call(id, given) {
      const name = readName(given)
      if (name === undefined) {
        return refusal(
          'bad_name',
          'A name has letters, digits and spaces, 60 characters at most.',
          'Choose another name.',
        )
      }
      let isTaken = false
      const { people } = await change((book) => {
        isTaken = isNameTaken(book, name, id)
        const before = book.people[id] ?? { id, pairedAt: clock.now() }
        return isTaken ? book : withPerson(book, { ...before, name })
      })
      return isTaken
        ? refusal('name_taken', `Another person here is called ${name}.`, 'Add something to tell you apart.')
        : people[id]!
    },
    async remove(id) {
      let wasThere = false
      await change((book) => {
        wasThere = id !== OWNER && id in book.people
        return wasThere ? withoutPerson(book, id) : book
      })
      return wasThere
    },
  }
}

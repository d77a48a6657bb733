/** A person who works with this Grove in a browser of their own. */
export interface Person {
  id: string
  /** Null until they have given one. */
  name: string | null
  pairedAt: number
}

/** All of them, by id. */
export interface PeopleBook {
  people: Record<string, Person>
}

/** Whom this Grove belongs to: every browser that was let in without an invitation, and the command line. */
export const OWNER = 'owner'

export const NOBODY: PeopleBook = { people: {} }

/** Letters of any script, digits and separators: a name is shown beside comments and answers. */
const NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,'\u2019_-]{0,59}$/u

/** The name as it is kept; undefined for what is none. */
export function readName(given: string): string | undefined {
  const name = given.normalize('NFC').replace(/\s+/g, ' ').trim()
  return NAME.test(name) ? name : undefined
}

export function withPerson({ people }: PeopleBook, person: Person): PeopleBook {
  return { people: { ...people, [person.id]: person } }
}

export function withoutPerson({ people }: PeopleBook, id: string): PeopleBook {
  return { people: Object.fromEntries(Object.entries(people).filter(([key]) => key !== id)) }
}

/** Two people of one name could not be told apart. */
export function isNameTaken({ people }: PeopleBook, name: string, by: string): boolean {
  const same = name.toLowerCase()
  return Object.values(people).some((one) => one.id !== by && one.name?.toLowerCase() === same)
}

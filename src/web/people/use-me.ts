import { useAsk } from '../api/queries.ts'

/** Whose browser this is, and who else works with this Grove. */
export function usePeople() {
  const { data } = useAsk('people', 'list', {})
  const me = data?.me
  const people = data?.people ?? []
  return { me, people, others: people.filter(({ id, name }) => id !== me?.id && name !== null) }
}

import { expect, it } from 'vitest'
import { evidenceWords } from './derive-evidence.ts'

it('says what is proven, what fails, and what nobody but a person can tell', () => {
  const of = (...states: Parameters<typeof evidenceWords>[0][number]['state'][]) =>
    evidenceWords(states.map((state) => ({ state })))
  expect(of('passed', 'open')).toBe('1 of 2 proven.')
  expect(of('passed', 'failed', 'for_people', 'for_people', 'no_command')).toBe(
    '1 of 5 proven, 1 fails, 2 are for you to check, 1 has no command in this project.',
  )
  expect(of('no_command', 'no_command')).toBe('0 of 2 proven, 2 have no command in this project.')
})

import { expect, it } from 'vitest'
import { isNameTaken, NOBODY, readName, withoutPerson, withPerson } from './people.ts'

it('takes names of any script, and nothing that could be taken for something else', () => {
  expect(['  Kim  Lee ', "O'Neil-Fox", 'ليلى', '李雷', 'Zoë', 'J. R.'].map(readName)).toEqual([
    'Kim Lee',
    "O'Neil-Fox",
    'ليلى',
    '李雷',
    'Zoë',
    'J. R.',
  ])
  expect(['', ' ', '<b>Kim</b>', 'Kim\u202eeel', '- Kim', 'x'.repeat(61), '# Kim'].map(readName)).toEqual(
    Array.from({ length: 7 }),
  )
})

it('tells people of one name apart by not letting there be two', () => {
  const book = withPerson(NOBODY, { id: 'a', name: 'Kim', pairedAt: 1 })
  expect(isNameTaken(book, 'kim', 'b')).toBe(true)
  expect(isNameTaken(book, 'KIM', 'a')).toBe(false)
  expect(withoutPerson(book, 'a')).toEqual(NOBODY)
})

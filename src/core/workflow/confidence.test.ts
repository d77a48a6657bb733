import { describe, expect, it } from 'vitest'
import { confidenceOf, errorIn } from './confidence.ts'

describe('confidence', () => {
  it.each([
    ['markers', 'The step is over and the report follows.', 1, 70],
    ['a path and a change', 'I added the check to src/auth/login.ts and its test.', 0, 80],
    ['all of it', 'I added the check to src/auth/login.ts and its test.', 2, 100],
    ['hedging', 'It might work now, as far as I can see from here.', 0, 30],
    ['a question without a marker', 'Which of the two libraries do you want here?', 0, 20],
    ['nearly nothing', 'ok', 0, 10],
    ['everything that speaks against it', 'maybe?', 0, 0],
  ])('%s', (_, text, markers, expected) => {
    expect(confidenceOf(text, markers)).toBe(expected)
  })
})

describe('an error in the output', () => {
  it.each([
    'Error: no such file',
    'TypeError: x is undefined',
    'Fatal: not a repository',
    'java.lang.NullPointerException',
    'the command failed with code 2',
  ])('is %s', (text) => {
    expect(errorIn(text)).not.toBe('')
  })

  it.each([
    '"is_error": false',
    'error_count: 0',
    'There were no errors: all good',
    'no error',
    '0 errors',
    'errors: []',
    'The error handling is done.',
    'without any exceptions',
  ])('is not %s', (text) => {
    expect(errorIn(text)).toBe('')
  })

  it('reads the same when only places and numbers differ', () => {
    expect(errorIn('Error: line 12 at 0x1f')).toBe(errorIn('Error: line 90 at 0xab'))
  })
})

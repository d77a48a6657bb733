import { describe, expect, it } from 'vitest'
import type { Question } from './question.ts'
import { answerWords, heldBack, readAnswer, released } from './questions.ts'

const options = [
  { value: 'jwt', label: 'JWT tokens', description: '', recommended: true },
  { value: 'cookie', label: 'Cookies', description: '', recommended: false },
]

function asked(priority: 1 | 2 | 3, state: Question['state'] = 'open', immediate = false) {
  return { priority, state, immediate }
}

describe('questions', () => {
  it('are released by priority, blockers at once', () => {
    const questions = [asked(2), asked(1), asked(3), asked(3, 'open', true), asked(1, 'answered')]
    expect(released(questions)).toEqual([asked(1), asked(3, 'open', true)])
    expect(heldBack(questions)).toBe(2)
    expect(released([asked(1, 'answered'), asked(2), asked(3)])).toEqual([asked(2)])
    expect(released([])).toEqual([])
  })

  it.each([
    ['single_choice', { value: 'jwt' }, { value: 'jwt', text: null }],
    ['single_choice', { value: 'JWT tokens' }, { value: 'jwt', text: null }],
    ['single_choice', { value: '', text: 'neither' }, { value: '', text: 'neither' }],
    ['single_choice', { value: 'basic' }, 'There is no option "basic".'],
    ['single_choice', { value: ['jwt', 'cookie'] }, 'Only one option can be chosen.'],
    ['single_choice', { value: '' }, 'No option is chosen.'],
    ['multiple_choice', { value: ['jwt', 'cookie', 'jwt'] }, { value: ['jwt', 'cookie'], text: null }],
    ['multiple_choice', { value: [] }, 'No option is chosen.'],
    ['confirmation', { value: 'Yes' }, { value: 'yes', text: null }],
    ['confirmation', { value: 'perhaps' }, 'The answer is yes or no.'],
    ['text', { value: '$(rm -rf /) `x` \u202e' }, { value: '$(rm -rf /) `x` \u202e', text: null }],
    ['text', { value: ' ' }, 'The answer is empty.'],
  ] as const)('of kind %s take %j', (questionType, given, expected) => {
    expect(readAnswer({ questionType, options, isRequired: true }, given as { value: string })).toEqual(expected)
  })

  it('tell their answer in words', () => {
    expect(answerWords({ options, answer: { value: ['jwt', 'cookie'], text: 'both for now' } })).toBe(
      'JWT tokens, Cookies — both for now',
    )
  })
})

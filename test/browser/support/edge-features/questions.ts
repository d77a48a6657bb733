import type { Question } from '../../../../src/protocol/workflow/questions.ts'
import { iso } from './ago.ts'

export function question(id: string, more: Partial<Question>): Question {
  return {
    id,
    stage: 'review',
    questionType: 'single_choice',
    questionText: 'What happens when a refresh token is used twice?',
    context: 'A reused token means that two parties hold it. The plan (step 2.1) has to say who loses the session.',
    options: [
      {
        value: 'family',
        label: 'Revoke the whole token family',
        description: 'Both the thief and the person are signed out.',
        recommended: true,
      },
      {
        value: 'second',
        label: 'Refuse the second use only',
        description: 'The first holder keeps the session, even if that is the thief.',
        recommended: false,
      },
      {
        value: 'grace',
        label: 'Allow a second use within 10 s',
        description: 'Tolerates lost answers on mobile.',
        recommended: false,
      },
    ],
    answer: null,
    isRequired: true,
    priority: 1,
    category: 'security',
    file: 'src/auth/refresh.ts',
    line: 42,
    immediate: false,
    state: 'open',
    validation: null,
    askedBy: 'tool',
    batch: 'b1',
    todoId: null,
    stepId: '2.1',
    askedAt: iso(6),
    answeredAt: null,
    ...more,
  }
}

/** One of each kind. */
export const FOUR_KINDS: Question[] = [
  question('q1', {}),
  question('q2', {
    questionType: 'multiple_choice',
    priority: 1,
    category: 'architecture',
    file: null,
    line: null,
    questionText: 'Which clients must keep working without an update?',
    context: '',
    options: [
      { value: 'web', label: 'Web', description: '', recommended: true },
      { value: 'new', label: 'Handheld app 3.8 and newer', description: '', recommended: true },
      {
        value: 'old',
        label: 'Handheld app 3.6 and 3.7',
        description: '14 % of the sign-ins of last week.',
        recommended: false,
      },
    ],
  }),
  question('q3', {
    questionType: 'confirmation',
    category: 'integration',
    questionText: 'May the migration lock the table for up to two seconds?',
    context: 'At night there are about 3 sign-ins a second.',
    options: [],
    stepId: '2.2',
  }),
  question('q4', {
    questionType: 'text',
    category: 'wording',
    questionText: 'What should a person read who was signed out by this?',
    context: '',
    options: [],
    isRequired: false,
  }),
]

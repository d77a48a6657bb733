import type { StageName } from './stage.ts'

export const QUESTION_TYPES = ['single_choice', 'multiple_choice', 'text', 'confirmation'] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]
export type Priority = 1 | 2 | 3

export interface QuestionOption {
  value: string
  label: string
  description: string
  recommended: boolean
}

export const QUESTION_STATES = ['validating', 'open', 'answered', 'filtered', 'withdrawn'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

/** Something that a person decides. */
export interface Question {
  id: string
  stage: StageName
  questionType: QuestionType
  questionText: string
  /** Why it matters: issue, impact, context. */
  context: string
  options: QuestionOption[]
  answer: Answer | null
  isRequired: boolean
  priority: Priority
  category: string
  file: string | null
  line: number | null
  /** A blocker: shown at once, whatever its validation says later. */
  immediate: boolean
  state: QuestionState
  /** What the validation found; a person may restore what it filtered. */
  validation: { valid: boolean; reason: string; at: string } | null
  askedBy: 'tool' | 'native' | 'marker' | 'judge' | 'todo'
  /** Questions of one call belong together: their answers go back together. */
  batch: string
  todoId: string | null
  stepId: string | null
  askedAt: string
  answeredAt: string | null
}

export interface Answer {
  /** Values of options; several for multiple choice; `yes` or `no` for a confirmation; the words for a text. */
  value: string | string[]
  /** In the person's own words, beside or instead of an option. */
  text: string | null
  /** Who said it; absent for the owner as long as they have given no name. */
  by?: string
}

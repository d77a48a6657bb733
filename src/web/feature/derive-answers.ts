import type { Question } from '#protocol/workflow/questions.ts'
import { capital } from '../ui/format.ts'

/** What a person has chosen so far, by question; kept while it is not sent. */
export interface AnswerDraft {
  value: string | string[]
  text: string
}

/** The value that stands for "something else": an answer in own words. */
export const OTHER = ' other'

/** What a question begins with: what is recommended, so that reading and agreeing is enough. */
export function firstDraft({ questionType, options }: Question): AnswerDraft {
  const recommended = options.filter((option) => option.recommended).map(({ value }) => value)
  if (questionType === 'multiple_choice') return { value: recommended, text: '' }
  if (questionType === 'text') return { value: '', text: '' }
  return { value: recommended[0] ?? '', text: '' }
}

/** Whether there is something to send for it. */
export function isAnswered({ questionType, isRequired }: Question, { value, text }: AnswerDraft): boolean {
  if (questionType === 'text') return text.trim() !== '' || !isRequired
  if (value === OTHER) return text.trim() !== ''
  return value.length > 0 || text.trim() !== '' || !isRequired
}

/** The answers as they are sent; an own word replaces the option or goes beside it. */
export function answersOf(questions: Question[], drafts: Record<string, AnswerDraft>) {
  return questions.flatMap((question) => {
    const draft = drafts[question.id] ?? firstDraft(question)
    if (!isAnswered(question, draft)) return []
    const own = draft.text.trim()
    if (question.questionType === 'text') return [{ questionId: question.id, value: own }]
    const value = draft.value === OTHER ? '' : draft.value
    return [{ questionId: question.id, value, ...(own && { text: own }) }]
  })
}

/** What the button will do, in words. */
export function sendLabel(count: number, stage: Question['stage'] | undefined): string {
  const answers = `Send ${count} ${count === 1 ? 'answer' : 'answers'}`
  if (stage === 'discovery') return `${answers} and go on with discovery`
  if (stage === 'review') return `${answers} and refine the plan`
  return `${answers} and update the plan`
}

/** The category of a question as it is read: `code quality`, `CI`. */
export function categoryWords(category: string): string {
  return category.replaceAll('_', ' ').replace(/\b(?:ci|api|ui)\b/g, (letters) => letters.toUpperCase())
}

/** What is said beside a question, without the category that stands above it already. */
export function contextWords({ context, category }: Pick<Question, 'context' | 'category'>): string {
  const sign = context.charAt(category.length)
  const says = context.toLowerCase().startsWith(category.toLowerCase()) && (sign === ',' || sign === ':')
  return says ? capital(context.slice(category.length + 1).trim()) : context
}

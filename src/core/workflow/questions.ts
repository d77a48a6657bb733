import type { Answer, Question } from './question.ts'

/** Blockers, and of the others those of the most urgent priority: the next appear when these are answered. */
export function released<Q extends Pick<Question, 'state' | 'priority' | 'immediate'>>(questions: readonly Q[]): Q[] {
  const open = questions.filter(({ state }) => state === 'open')
  const first = Math.min(...open.map(({ priority }) => priority))
  return open.filter(({ priority, immediate }) => immediate || priority === first)
}

/** Open, but not shown yet. */
export function heldBack(questions: readonly Pick<Question, 'state' | 'priority' | 'immediate'>[]): number {
  return questions.filter(({ state }) => state === 'open').length - released(questions).length
}

/** The answer as it is kept, or what is wrong with it. Own words are always an answer. */
export function readAnswer(
  question: Pick<Question, 'questionType' | 'options' | 'isRequired'>,
  given: { value: string | string[]; text?: string | undefined },
): Answer | string {
  const text = given.text?.trim() || null
  const values = [given.value].flat().filter((value) => value.trim() !== '')
  const known = (value: string) => question.options.find((one) => one.value === value || one.label === value)?.value
  switch (question.questionType) {
    case 'text': {
      const words = values.join('\n') || text || ''
      return words === '' && question.isRequired ? 'The answer is empty.' : { value: words, text: null }
    }
    case 'confirmation': {
      const [value] = values.map((one) => one.toLowerCase())
      if (value === undefined && text) return { value: '', text }
      return value === 'yes' || value === 'no' ? { value, text } : 'The answer is yes or no.'
    }
    case 'single_choice': {
      if (values.length > 1) return 'Only one option can be chosen.'
      const [value] = values
      if (value === undefined) return text || !question.isRequired ? { value: '', text } : 'No option is chosen.'
      const option = known(value)
      return option === undefined ? `There is no option "${value}".` : { value: option, text }
    }
    case 'multiple_choice': {
      const chosen = values.map(known)
      const unknown = values.find((_, index) => chosen[index] === undefined)
      if (unknown !== undefined) return `There is no option "${unknown}".`
      if (chosen.length === 0 && !text && question.isRequired) return 'No option is chosen.'
      return { value: [...new Set(chosen as string[])], text }
    }
  }
}

/** An answer in words that stand by themselves: the labels of options, and what the person added. */
export function answerWords({ options, answer }: Pick<Question, 'options' | 'answer'>): string {
  if (!answer) return 'No answer.'
  const labels = [answer.value].flat().map((value) => options.find((one) => one.value === value)?.label ?? value)
  return [labels.filter((label) => label !== '').join(', '), answer.text].filter(Boolean).join(' — ') || 'No answer.'
}

/** Question and answer as a sentence that can be sent long after the question was asked. */
export function decisionText(question: Pick<Question, 'questionText' | 'options' | 'answer' | 'context'>): string {
  const context = question.context ? `\nContext: ${question.context}` : ''
  return `Question: ${question.questionText}${context}\nDecision: ${answerWords(question)}`
}

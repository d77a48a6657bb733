import { clip } from './limit.ts'

/** What is put before the words where a limit of the task is shown, and where it is known again. */
const ANSWER_ONLY = 'Answer only: '

/** No limit was spoken, but the instruction is a question and nothing else. */
const QUESTION_ONLY = 'Question only: '

/** Words that may well begin work too: "check the menu". They are shown, and close nothing. */
export const PERHAPS = 'Perhaps a question: '

/** Whether a limit asks for an answer and for no change at all. */
export function onlyAnswers(limit: string): boolean {
  return limit.startsWith(ANSWER_ONLY) || limit.startsWith(QUESTION_ONLY) || limit.startsWith(PERHAPS)
}

/** Whether the user said it outright; what only follows from a question is no proof. */
export function isOutright(limit: string): boolean {
  return !limit.startsWith(QUESTION_ONLY)
}

export function answerOnly(words: string, certainty: 'outright' | 'asked' | 'perhaps'): string {
  const before = { outright: ANSWER_ONLY, asked: QUESTION_ONLY, perhaps: PERHAPS }[certainty]
  return clip(`${before}${words}`)
}

/** A limit without what was put before it: the user's own words. */
export function wordsOf(limit: string): string {
  return onlyAnswers(limit) ? limit.slice(limit.indexOf(': ') + 2) : limit
}

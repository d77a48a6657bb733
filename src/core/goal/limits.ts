/** Words that ask for an answer and for no change at all. */
const ONLY_ANSWERS = /^(?:Answer only:)/

/** Whether a limit forbids every write. */
export function onlyAnswers(limit: string): boolean {
  return ONLY_ANSWERS.test(limit)
}

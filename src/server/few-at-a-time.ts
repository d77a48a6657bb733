/** Each piece of work may start git and read files: of hundreds, only so many at once, so that hooks and the proxy go on in between. */
const AT_ONCE = 4

/** Does the work for every item, a few at a time; the answers in the order of the items. */
export async function fewAtATime<T, Answer>(
  items: readonly T[],
  work: (item: T) => Answer | Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  async function workOn(): Promise<void> {
    for (let n = next++; n < items.length; n = next++) {
      answers[n] = await work(items[n]!)
      // What answers from memory would otherwise follow without a pause.
      await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workOn))
  return answers
}

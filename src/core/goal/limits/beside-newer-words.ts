import { targetsAskedFor } from '../asked.ts'
import { sentencesOf, withoutPasted } from '../prose.ts'
import { isWide, stopped } from './left-open.ts'
import { clip, LONGEST } from './limit.ts'
import { meantBy } from './limits-in.ts'

/** An older limit beside newer words: what they ask for is open, and the rest stays closed. */
export function sparing(said: string, newer: string): string {
  if (!meantBy(said).some(isWide)) return said
  return sentencesOf(withoutPasted(newer))
    .filter((sentence) => targetsAskedFor(sentence).length > 0)
    .reduce((words, sentence) => {
      const joined = `${stopped(words)} ${clip(sentence)}`
      return joined.length <= LONGEST ? joined : words
    }, said)
}

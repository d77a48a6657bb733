import type { Language } from '../languages/grammar.ts'
import { ASKS_BESIDE, AUX, EXPLAINS, FOLLOWS, IF_ASKED, INVERTED, isRelative, WH } from './question-words.ts'
import { isPoliteRequest, WANTS_PLAN } from './requests.ts'

/** The same, where hardly anything else is said. */
const REVIEWS =
  /^(?:(?:please|pls|so|and|ok|now|just|also|hey|hi)[, ]+)*(?:(?:can|could|would|will) (?:you|u) (?:please )?)?(?:analy[sz]e|audit(?! (?:only|logs?|trail|entr|passed|failed|is|was|found|says|done))|review|estimate|assess|evaluate|clarify|confirm|proof ?read|advise|recommend|go through)\b(?![./(-]\w|\(\))/i

/** Asked in the form of a question, or with a verb that wants nothing but words. */
export function isPlainQuestion(sentence: string, foreign: readonly Language[], isShort: boolean): boolean {
  const asks = /[?？]["')\]]*\s*$/.test(sentence)
  if (EXPLAINS.test(sentence) || (isShort && REVIEWS.test(sentence))) return !FOLLOWS.test(sentence)
  if (WH.test(sentence) && asks) return !/^(?:\w+\s+)?(?:how about|what about|why (?:don|not))/i.test(sentence)
  if (WANTS_PLAN.test(sentence) || isPoliteRequest(sentence)) return false
  if (asks && IF_ASKED.test(sentence)) return true
  const isForeign =
    foreign.some(({ asks, wishes }) => asks.test(sentence) && !wishes.test(sentence)) && (asks || !isRelative(sentence))
  if (asks) return foreign.length === 0 || isForeign || WH.test(sentence)
  return isForeign || INVERTED.test(sentence) || AUX.test(sentence) || ASKS_BESIDE.test(sentence)
}

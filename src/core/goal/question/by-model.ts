import { answerWanted, sentenceFeatures } from '../answer-model.ts'
import { languagesOf } from '../languages/all.ts'
import type { Language } from '../languages/grammar.ts'
import { wholeIn } from '../limits/whole.ts'
import { sentencesOf, withoutPasted } from '../prose.ts'
import { goesOnWithOrder, isOrdered, isWished } from '../wishes.ts'
import { isAnswerAlone } from './answer-alone.ts'
import { EXPLAINS, INQUIRES, INVERTED, TO_EXPLAIN, TO_LOOK, WH } from './question-words.ts'
import { isPoliteRequest, REQUESTED, WANTS_PLAN } from './requests.ts'
import { FAULT, readingOf, WRITES_DOWN } from './sentence-reading.ts'
import type { Wanted } from './wants-answer.ts'

/** What no rule knows as a question and the trained reader does. */
export function wantedLikely(text: string): Wanted | undefined {
  const sentences = sentencesOf(withoutPasted(text))
  const { likely, asking } = answerWanted(featuresOf(text))
  if (likely < LIKELY) return undefined
  // "Kannst du die Texte kürzen?" asks for a change, whatever the rest sounds like.
  if (sentences.some((sentence) => REQUESTED.test(sentence) && !TO_EXPLAIN.test(sentence) && !TO_LOOK.test(sentence)))
    return undefined
  // "A payment that fails should be tried again": what is to hold from now on is a change, however it sounds.
  if (sentences.some((sentence) => REQUIRED.test(sentence) && !isAboutWords(sentence))) return undefined
  const words = sentences[asking.indexOf(Math.max(...asking))]!
  // An edit is corrected only where the rules hear a question too, and no order.
  const foreign = languagesOf(text)
  const read = sentences.map((sentence) => readingOf(sentence, foreign))
  // "The answer is not shown at once": trouble that is told of, where nobody asks, is to go away.
  if (!read.includes('question') && (read.includes('fault') || sentences.some(isWished))) return undefined
  const isSure =
    read.includes('question') &&
    !read.includes('order') &&
    !sentences.some((one) => isWished(one) || isPoliteRequest(one) || WANTS_PLAN.test(one))
  return { words, certainty: isSure ? 'asked' : 'perhaps' }
}

/** What a thing, and not one of those who speak, has to do. */
const REQUIRED = /(?<!(?<!\p{L})(?:i|we|you|u) )(?<!\p{L})(?:should|must|ought to|needs to|has to|shall)(?!\p{L})/iu

function isAboutWords(sentence: string): boolean {
  return /[?？]["')\]]*\s*$/.test(sentence) || WH.test(sentence) || TO_EXPLAIN.test(sentence) || TO_LOOK.test(sentence)
}

/** From here on it is pointed out; where the rules agree, an edit is corrected. */
const LIKELY = 0.5

/** What the trained reader is told of each sentence. */
export function featuresOf(text: string): number[][] {
  const sentences = sentencesOf(withoutPasted(text))
  const foreign = languagesOf(text)
  return sentences.map((sentence, at) => sentenceFeatures(sentence, at, sentences.length, rulesOn(sentence, foreign)))
}

function rulesOn(sentence: string, foreign: readonly Language[]): string[] {
  const signs: [string, boolean][] = [
    ['ordered', isOrdered(sentence)],
    ['wished', isWished(sentence)],
    ['inquires', INQUIRES.test(sentence)],
    ['explains', EXPLAINS.test(sentence)],
    ['wh', WH.test(sentence)],
    ['inverted', INVERTED.test(sentence)],
    ['fault', FAULT.test(sentence)],
    ['foreign asks', foreign.some(({ asks }) => asks.test(sentence))],
    ['foreign wishes', foreign.some(({ wishes }) => wishes.test(sentence))],
    ['requested', REQUESTED.test(sentence)],
    ['alone', isAnswerAlone(sentence, foreign, [])],
    ['written down', WRITES_DOWN.test(sentence)],
    ['goes on', goesOnWithOrder(sentence)],
  ]
  const whole = wholeIn(sentence)
  return [
    `reads ${readingOf(sentence, foreign)}`,
    ...(whole ? [`whole ${whole}`] : []),
    ...signs.filter(([, is]) => is).map(([name]) => name),
  ]
}

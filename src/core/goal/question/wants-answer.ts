import { clausesOf, wordsIn } from '../clauses/clauses-of.ts'
import { languagesOf } from '../languages/all.ts'
import { REFUSING } from '../languages/refusing.ts'
import { wholeIn } from '../limits/whole.ts'
import { pathsIn } from '../paths-in.ts'
import { sentencesOf, withoutPasted } from '../prose.ts'
import { isOrdered } from '../wishes.ts'
import { isAnswerAlone, isPartly } from './answer-alone.ts'
import { wantedLikely } from './by-model.ts'
import { isPlainQuestion } from './plain-question.ts'
import { EXPLAINS, INQUIRES } from './question-words.ts'
import { WANTS_PLAN } from './requests.ts'
import { readingOf } from './sentence-reading.ts'

const REFUSED_IT =
  /\b(?:do not|don['’]?t|dont|without) (?:chang(?:e|ing)|edit(?:ing)?|touch(?:ing)?|modify(?:ing)?|fix(?:ing)?) (?:it|them|that|this|anything)(?: (?:yet|for now|now|please|though))?\s*[.!]?$/i

/** An answer, and the words that ask for it: outright for nothing else, as a question does, or in words that may begin work. */
export interface Wanted {
  words: string
  certainty: 'outright' | 'asked' | 'perhaps'
}

/**
 * Whether these words want an answer, and no change at all: the sentence that says so. Where changes are expected because a
 * part of the project is closed to them, in the sentences given, only words that ask for an answer alone will do; those that
 * only likely close a part ask for none by it.
 */
export function wantsAnswer(
  text: string,
  closed: readonly string[],
  likely: readonly string[] = closed,
): Wanted | undefined {
  const ruled = wantedByRule(text, closed, likely)
  if (ruled && ruled.certainty !== 'perhaps') return ruled
  const read = closed.length > 0 ? undefined : wantedLikely(text)
  // Where the rules hesitate, a reader that is sure decides.
  return ruled && read?.certainty === 'asked' ? { ...ruled, certainty: 'asked' } : (ruled ?? read)
}

function wantedByRule(text: string, closed: readonly string[], likely: readonly string[]): Wanted | undefined {
  const asked = /^[ \t]*((?:@\w{1,20} )?\/(?:ask|explain)\b.*)/m.exec(text)?.[1]
  if (asked !== undefined) return { words: asked, certainty: 'outright' }
  const sentences = sentencesOf(withoutPasted(text))
  // Who forbids every change has asked for none, whatever else is to be done; who forbids it in a place may want one elsewhere.
  const banned = sentences.find((sentence) => {
    const whole = wholeIn(sentence)
    return whole === 'project' || (whole === 'place' && !isPartly(sentence, closed) && !sentences.some(ordersChange))
  })
  if (banned !== undefined) return { words: banned, certainty: 'outright' }
  const foreign = languagesOf(text)
  // "The total in src/cart.ts is off. Don't change anything else": what is wanted stands beside it; "no further edits" stops it.
  const isWanted = (sentence: string) => {
    const reading = readingOf(sentence, foreign)
    if (reading === 'question') return false
    return pathsIn(sentence).length > 0 || (reading !== 'other' && sentence.split(/\s+/).length > 2)
  }
  const isRest = (sentence: string, at: number) =>
    (foreign.length > 0 || /\b(?:else|other)\b/i.test(sentence)) &&
    wholeIn(sentence) === 'rest' &&
    (pathsIn(sentence).length > 0 || sentences.some((other, place) => place !== at && isWanted(other)))
  const alone = sentences.map(
    (sentence, at) => isAnswerAlone(sentence, foreign, likely) && !isRest(sentence, at) && !ordersChange(sentence),
  )
  if (alone.includes(true)) {
    const isOrder = (sentence: string, at: number) =>
      !alone[at] &&
      !/[?？]\s*$/.test(sentence) &&
      ((isOrdered(sentence) && !READS.test(sentence)) ||
        foreign.some(({ wishes }) => wishes.test(sentence)) ||
        WRITINGS.test(sentence))
    if (!sentences.some(isOrder)) return { words: sentences[alone.indexOf(true)]!, certainty: 'outright' }
  }
  // "Change the logic. Explain it to me before implementing": it may be done in one go.
  const explained = sentences.find((sentence) => EXPLAINS.test(sentence) && BEFOREHAND.test(sentence))
  if (explained !== undefined) return { words: explained, certainty: 'perhaps' }
  if (alone.includes(true)) return undefined
  const read = sentences.map((sentence) => readingOf(sentence, foreign))
  // "Tell me what is outdated in a.md. Don't change it yet": whoever asks, and refuses what they asked about, wants words.
  const refused = sentences.find((sentence) => REFUSED_IT.test(sentence) && pathsIn(sentence).length === 0)
  const rest = read.filter((_, at) => sentences[at] !== refused)
  if (refused !== undefined && rest.includes('question') && !rest.includes('order') && !rest.includes('fault'))
    return { words: refused, certainty: 'outright' }
  if (closed.length > 0) return undefined
  if (read.includes('order') || read.includes('fault')) return undefined
  const question = read.indexOf('question')
  if (question < 0) return undefined
  const plain = sentences.map((sentence) => isPlainQuestion(sentence, foreign, sentences.length <= 2))
  // What else is said in English is known to be no order; of other languages too little is known.
  const isAsked = foreign.length > 0 ? plain.slice(question).every(Boolean) : plain.includes(true)
  const isFollowed = sentences.slice(question + 1).some(isShortOrder)
  return { words: sentences[question]!, certainty: isAsked && !isFollowed ? 'asked' : 'perhaps' }
}

/** "Why can I submit it twice? Block that": what so few words order behind a question is wanted, and not only an answer. */
function isShortOrder(sentence: string): boolean {
  return sentence.split(/\s+/).length <= 5 && SHORT_ORDER.test(sentence) && !/[?？]["')]*\s*$/.test(sentence)
}

const SHORT_ORDER =
  /^(?!.{0,60}\b(?:explain|tell|show|describe|answer|clarify|confirm|help|advise|check|review)\b)(?:(?!(?:i|we|you|they|he|she|it|that|this|who|what|how|why)\b)\p{L}+ (?:it|that|them|those|this)(?: (?:back|up|out|down|away|now|please|pls|again))?\s*[.!]?$|.{0,60}\b(?:please|pls|bitte|svp|por favor)\s*[.!]?$|.{0,60}\b(?:should(?:n['’]t)?|must(?:n['’]t)?|supposed to)\s*[.!]?$|(?:if not|if so|otherwise|wenn nicht|sinon|si no|se não|zo niet)\b)/iu

/** "Read the spec. No code yet": to take it in, where nothing is to be written. */
const READS = /^(?:(?:first|please|now|then|also|and|ok|so|just|next)[,.]? ){0,3}(?:re-?)?read\b/i

const BEFOREHAND =
  /\bbefore (?:implementing|coding|writing|changing|making|starting|touching|building|doing|(?:you|u|we) (?:implement|code|write|change|make|start|touch|build|do))\b/i

/** "Write failing tests, no implementation yet": a change is ordered beside what is refused, and not only words. */
function ordersChange(sentence: string): boolean {
  return clausesOf(sentence).some(
    (clause) =>
      isOrdered(clause) &&
      !READS.test(clause) &&
      !INQUIRES.test(clause) &&
      !WANTS_PLAN.test(clause) &&
      (pathsIn(clause).length > 0 || !A_TEXT.test(clause)) &&
      !wordsIn(clause).some(({ text }) => REFUSING.has(text)),
  )
}

/** What is handed over in the answer. */
const A_TEXT =
  /\b(?:plans?|proposals?|summar(?:y|ies)|lists?|overviews?|reports?|analysis|findings|notes|thoughts|ideas|suggestions?|recommendations?|questions?|answers?|estimates?|explanations?|outline|steps|options|opinion|table|diagram|sketch|draft)\b/i

/** "I just want the readme translated. No code changes": a change, and no code. */
const WRITINGS =
  /\b(?:want|need|like|please|update|write|add|improve|translate|fix|get)\b.{0,40}\b(?:readme|docs?|documentation|changelog|comments?|docstrings?|translations?|css|styles(?:heet)?|wording|markdown|\w{1,30}\.(?:mdx?|css|scss|rst|txt))\b/i

import { clausesOf, wordsIn } from '../clauses/clauses-of.ts'
import { languagesOf } from '../languages/all.ts'
import { EXECUTES_NOTHING } from '../languages/no-changes.ts'
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
    if (OF_PROGRAM.test(sentence)) return false
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
      !OF_THE_ANSWER.test(sentence) &&
      !/[?？]\s*$/.test(sentence) &&
      ((isOrdered(sentence) && !READS.test(sentence)) ||
        foreign.some(({ wishes }) => wishes.test(sentence)) ||
        WRITINGS.test(sentence))
    if (!sentences.some(isOrder)) return { words: sentences[alone.indexOf(true)]!, certainty: 'outright' }
  }
  // "Change the logic. Explain it to me before implementing": it may be done in one go.
  const explained = sentences.find(
    (sentence, at) =>
      (EXPLAINS.test(sentence) && BEFOREHAND.test(sentence)) ||
      (isToldFirst(sentence) && !sentences.slice(at + 1).some(ordersChange)),
  )
  if (explained !== undefined) return { words: explained, certainty: 'perhaps' }
  if (alone.includes(true)) return undefined
  const read = sentences.map((sentence) => readingOf(sentence, foreign))
  // "Tell me what is outdated in a.md. Don't change it yet": whoever asks, and refuses what they asked about, wants words.
  const isRefused = (sentence: string) => REFUSED_IT.test(sentence) || EXECUTES_NOTHING.test(sentence)
  const refused = sentences.find((sentence) => isRefused(sentence) && pathsIn(sentence).length === 0)
  if (refused !== undefined && sentences.length === 1 && EXECUTES_NOTHING.test(refused) && !ordersChange(refused))
    return { words: refused, certainty: 'outright' }
  const rest = read.filter((_, at) => sentences[at] !== refused)
  if (refused !== undefined && rest.includes('question') && !rest.includes('order') && !rest.includes('fault'))
    return { words: refused, certainty: 'outright' }
  if (closed.length > 0) return undefined
  // "What is left is to implement the orders. Planifica lo que hay que hacer": the last word is what is wanted now.
  const last = sentences.at(-1)!
  if (PLANS.test(last) && !sentences.slice(0, -1).some(ordersChange)) return { words: last, certainty: 'perhaps' }
  const isDetail = detailsOfPlan(sentences)
  if (read.some((one, at) => (one === 'order' && !isDetail(at)) || one === 'fault')) return undefined
  const question = read.indexOf('question')
  if (question < 0) return undefined
  const plain = sentences.map((sentence) => isPlainQuestion(sentence, foreign, sentences.length <= 2))
  // What else is said in English is known to be no order; of other languages too little is known.
  const isAsked = foreign.length > 0 ? plain.slice(question).every(Boolean) : plain.includes(true)
  const isFollowed = sentences.slice(question + 1).some(isShortOrder)
  // "There is room below. Is there some way to use it?": who says what is not as it should be may well want it done.
  const mayBeWish = HINTS.test(sentences[question]!) && read.slice(0, question).includes('other')
  const isSure = isAsked && !isFollowed && !mayBeWish && !read.includes('order')
  return { words: sentences[question]!, certainty: isSure ? 'asked' : 'perhaps' }
}

const HINTS =
  /^(?:(?:so|and|but|hm+)[, ]+){0,2}(?:is there (?:a|any|some) ?(?:other )?way to|(?:is|would) it (?:be )?possible to)\b/i

/** "Make a plan for the web version. Put the server in web/": where the plan puts it, and no order of its own. */
function detailsOfPlan(sentences: readonly string[]): (at: number) => boolean {
  const plan = sentences.findIndex((sentence) => WANTS_PLAN.test(sentence))
  return (at) => plan >= 0 && at > plan && sentences.slice(plan + 1, at + 1).every((one) => DETAIL.test(one))
}

const DETAIL =
  /^(?:(?:also|please|and|then),? ){0,2}(?:put|use|keep|include|place|consider|cover|assume|split|divide) (?!it\b|this\b|that\b|the plan\b)(?!.{0,200}\b(?:implement|execute|apply|carry out|follow)\b)/i

/** "The --dry-run flag should not write anything": said of a part of a program. */
const OF_PROGRAM =
  /^(?:(?:and|but|also|so),? )?(?:the|an?|our|each|every) (?!(?:code|project|repo|repository|files?|codebase|agent|rest)\b)[^,;.]{2,60}? (?:should|must|needs? to|has to|ought to|shall|will|may)\b/i

/** What has to be made, where a verb alone says that it is to be planned. */
const PLANS =
  /^(?:(?:por favor|bitte|ahora|primero|entonces|así que),? ){0,2}(?:planifica(?:me|nos)?|planea|pianifica|planeja|planeje|planifie[zr]?|zaplanuj|спланируй(?:те)?|сплануй(?:те)?|распланируй(?:те)?|plane? (?:mal |bitte )?(?:was|wie))(?!\p{L})(?!.{0,200}(?<!\p{L})(?:y|e|et|und|and|i|и|і) )/iu

/** "Make it short": said of the answer. */
const OF_THE_ANSWER =
  /^(?:and |please |but ){0,2}(?:make|keep) (?:it|the (?:answer|summary|list|report|plan)|your (?:answer|reply)) (?:very |as |really )?(?:short|brief|concise|simple|detailed|clear|readable)\b[^,;]{0,20}$/i

/** "Add the export, but first tell me what you are going to do": whoever is told may yet say no. */
function isToldFirst(sentence: string): boolean {
  const found = TOLD_FIRST.exec(sentence)
  return found !== null && !THEN.test(sentence.slice(found.index))
}

/** What an agent tells of its work; "show me the newest first" is said of a program. */
const OF_WORK = String.raw`(?= (?:what|how|why|which|where|your|the (?:plan|approach|idea|design|steps|options|changes|diff|proposal)|an? (?:plan|outline|overview|proposal|sketch|summary|list)|(?:any |some |all |a few |more |clarifying )?questions?|whatever|about|if|whether)(?!\p{L})|\s*[.!]?$)`

const TOLD_FIRST = new RegExp(
  [
    String.raw`(?:^|[,;.)] ?|\b(?:but|and|also) )(?:please )?(?:first(?: of all)?|before (?:you |we )?(?:do|start|begin|code|implement|build|change|touch|write)\w*(?: (?:it|that|this|the|a|an|any|anything|coding)\b)?(?: [\w-]{1,30}){0,3}|before that|beforehand),? (?:please )?(?:tell|show|explain|describe|ask|walk|give|present|propose|outline)(?: to)? (?:me|us)${OF_WORK}`,
    String.raw`(?:^|[,;.)] ?|\b(?:but|and|please) )(?:show|tell|explain|describe|ask|present|give)(?: to)? (?:me|us)${OF_WORK}[^.;]{0,80}\b(?:first|beforehand|before (?:you|doing|starting|coding|implementing)[^.;]{0,30})\s*[.!]?$`,
    String.raw`(?<!\p{L})(?:aber|pero|mais|ma|mas|maar|ale|но|але) (?:zuerst|erst|vorher|primero|antes|d['’]abord|avant|prima|primeiro|eerst|najpierw|сначала|сперва|спочатку) (?:sag|zeig|erklär|dime|explícame|muéstrame|pregúntame|dis-moi|explique-moi|montre-moi|dimmi|spiegami|mostrami|me diga|me explique|me mostre|vertel|laat|powiedz|pokaż|скажи|расскажи|покажи|объясни|поясни|розкажи)`,
    String.raw`先(?:告诉我|跟我说|和我说|问我|给我看|向我)|(?:まず|最初に|先に)[^。]{0,20}(?:教えて|説明して|見せて|質問して|聞いて)|먼저 [^.]{0,20}(?:알려|설명해|물어|질문해|보여)`,
  ].join('|'),
  'iu',
)

const THEN =
  /(?<!\p{L})(?:then|afterwards|dann|danach|luego|después|puis|ensuite|poi|depois|daarna|potem|затем|потом|потім)(?!\p{L})|再|然后|その後|てから|그다음|다음에/iu

/** "Why can I submit it twice? Block that": what so few words order behind a question is wanted, and not only an answer. */
function isShortOrder(sentence: string): boolean {
  if (/[?？]["')]*\s*$/.test(sentence)) return false
  return ENDS_IN_ORDER.test(sentence) || (sentence.split(/\s+/).length <= 5 && SHORT_ORDER.test(sentence))
}

/** "Is that how it is meant to be? I don't think so, fix please". */
const ENDS_IN_ORDER =
  /[,;–—-] (?:so |then |and |please |pls )?(?:fix|change|correct|repair|update|adjust|remove|undo)(?: (?:it|this|that|them))?(?: (?:please|pls|plz|thanks))?\s*[.!]?$/i

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

import { languagesOf } from '../languages/all.ts'
import type { Language } from '../languages/grammar.ts'
import { asksAtLast, goesOnWithOrder, isChange, isOrdered, isWished, wordsOf } from '../wishes.ts'
import {
  ASKS_BESIDE,
  AUX,
  FOLLOWS,
  IF_ASKED,
  INQUIRES,
  INVERTED,
  isRelative,
  NOT_INVERTED,
  SUBJECT,
  TO_EXPLAIN,
  TO_LOOK,
  WH,
} from './question-words.ts'
import { REQUESTED, WANTS_PLAN, WISHED } from './requests.ts'

type Reading = 'question' | 'order' | 'fault' | 'other'

/** Whether a sentence orders or wishes for something, in whatever language. */
export function asksForWork(sentence: string): boolean {
  return readingOf(sentence, languagesOf(sentence)) === 'order'
}

export const FAULT =
  /\b(?:doesn['’]?t|does not|don['’]?t work|isn['’]?t|aren['’]?t|wasn['’]?t|can['’]?t|cannot|couldn['’]?t|won['’]?t|hasn['’]?t|haven['’]?t|havne['’]?t|didn['’]?t|fails?|failed|failing|broken|wrong|crash(?:es|ed)?|times? out|timed out|throws?|threw|errors?|missing|empty|hangs?|stuck|too (?:big|small|slow|long|many|much)|not (?:\w{2,20}ing|shown|visible|found)|still|weird|buggy|lost|twice|panics?|leaks?)\b|(?:还是|仍然|依然|仍旧)(?:不|没|无|使用|显示|用|出现|报|是?(?:默认|旧|老|原来|之前|一样))(?![^。]{0,200}[？?吗])|报错|出错|失败|崩溃|不生效|无法|エラーが?(?:出|発生)|動かない|에러가|오류가/i

/** "But do this without running the scripts": how, and not what. */
const MANNER = /^(?:(?:and|but|please|just|also),? ){0,2}do (?:it|this|that|so) (?:without|by|as|with)\b/i

/** "What's left is: the readings of both meters", "all I want is a filter": what is wanted is named, and not asked for. */
const CLEFT =
  /^(?:(?:so|and|but|now|ok)[, ]+){0,2}(?:what|all|the only thing)(?: that)?(?:(?: is|['’]s) (?:left|missing|needed|still (?:left|missing|open|needed))| (?:i|we)(?:['’]d)? (?:still |really |just )?(?:want|need|like))(?: to (?:do|fix|see|have))?(?:\s?:| is\b(?! (?:it|there|this|that)\b)| are\b)/i

/** "Give me an option to hide it": what a program is to have. */
const GIVEN =
  /^(?:(?:please|pls|so|and|ok|now|just|also|then)[, ]+){0,3}(?:(?:can|could) you )?give (?:me|us) (?:an? |the |some |another )?(?:[\w-]+ ){0,2}(?:option (?:to|that|which|where|on|in)|(?:button|toggle|switch|setting|checkbox|dropdown|menu|modal|dialog|popup|field|filter|shortcut|tab|icon|slider)s? (?:to|that|which|for|where|on|in|at|with))\b/i

/** "Search for all old calls in the project": looked for among the files, and not by a program. */
const SEARCHES =
  /^(?:(?:please|pls|bitte|por favor|so|and|ok|now|just|also|can you|could you)[, ]+){0,3}(?:search\b(?! (?:box|bar|field|page|view)\b)(?!.{0,100}\b(?:should|must|has to|needs? to)\b)[^,;]{2,100} (?:in|across|through|throughout|within|of) (?:(?:the|this|our|my|whole|entire|all) ){0,3}(?:project|code ?base|repo|repository|code|workspace)|(?:suche?|finde?) [^,;]{2,100} im (?:ganzen |gesamten )?(?:projekt|code|repo|repository)|(?:cherche|recherche|trouve)[zr]? [^,;]{2,100} dans (?:tout )?(?:le |ce )?(?:projet|code|dépôt)|(?:busca|encuentra|busque|procure|procura|encontre) [^,;]{2,100} (?:en (?:todo )?(?:el |este )?|no |neste |em todo o )(?:proyecto|código|repositorio|projeto|repositório)|(?:cerca|trova) [^,;]{2,100} (?:nel|in tutto il) (?:progetto|codice|repository)|zoek [^,;]{2,100} in (?:het |dit |de )?(?:hele )?(?:project|code|repo)|(?:znajdź|wyszukaj|poszukaj) [^,;]{2,100} w (?:całym )?(?:projekcie|kodzie|repozytorium)|(?:найди|поищи|знайди)(?:те)? [^,;]{2,100} (?:в|во|у) (?:всём |всем |усьому )?(?:проекте|коде|репозитории|проєкті|коді))\s*[.!?]*$/iu

/** "Skulle du kunna sortera listan?": asked of the agent, in languages of which no more is known. */
const ASKED_OF_AGENT =
  /^(?:(?:hej|hei|ahoj|čau|szia|hé|bună|moi),? )?(?:skulle du (?:kunna|kunne)|kunde du|kunne du|kan (?:du|ni)|vil du|mohl[aoi]? bys(?:te)?|můžeš|môžeš|poți|ai putea|voisitko|tudnál|tudnád|yapabilir misin|bisa(?:kah)? (?:kamu|anda)|(?:bạn )?có thể)(?!\p{L})(?!.{0,40}(?:förklar|forklar|berätta|fortæl|fortel|beskriv|visa mig|vysvětl|popsat|popiš|explic|selitt|elmagyaráz|açıkla|jelaskan|giải thích))/iu

export function readingOf(sentence: string, foreign: readonly Language[]): Reading {
  if (MANNER.test(sentence)) return 'other'
  if (ASKED_OF_AGENT.test(sentence)) return 'order'
  const asks = /[?？]["')\]]*\s*$|(?<![好行以成])吗[。!！]?\s*$/.test(sentence)
  if (GIVEN.test(sentence)) return 'order'
  if (SEARCHES.test(sentence) && !goesOnWithOrder(sentence)) return 'question'
  if (WANTS_PLAN.test(sentence) && !WRITES_DOWN.test(sentence) && !goesOnWithOrder(sentence)) return 'question'
  if (asks && IF_ASKED.test(sentence) && !goesOnWithOrder(sentence)) return 'question'
  if (!asks && CLEFT.test(sentence)) return 'order'
  const inquires = (INQUIRES.test(sentence) && isSure(sentence)) || PROVIDES.test(sentence)
  const orders = isOrdered(sentence)
  const words = sentence.split(/\s+/).length
  if (orders && !inquires && !asks) return 'order'
  if (WH.test(sentence) && !/^(?:\w+\s+)?(?:how about|what about|why (?:don['’]?t|not))/i.test(sentence)) {
    if (!asks && !INVERTED.test(sentence)) return isWished(sentence) ? 'order' : 'other'
    return goesOnWithOrder(sentence) ? 'order' : 'question'
  }
  if (
    /^(?:out )?(?:of|among|between) (?:the|all|these|those|my|our)\b[^,?]{2,80}, (?:which|what|who)\b/i.test(sentence)
  )
    return 'question'
  // "The file you wrote, where is it, I can't find it".
  if (/[,;] (?:where|why|how come|since when) (?:is|are|was|were|do|does|did)\b/i.test(sentence))
    return goesOnWithOrder(sentence) ? 'order' : 'question'
  if (asks && /[,;] (?:how|what|where|which|when) (?:should|do|would|can|could|might) (?:i|we|one)\b/i.test(sentence))
    return 'question'
  if (
    asks &&
    /(?<![\w’'])(?:do|would|will|should) (?:i|we) (?:really |even |still )?(?:need|have to|require)\b/i.test(sentence)
  )
    return 'question'
  // "Should the cards not link to something?" is a wish.
  if (
    /^(?:and |also |but |so )?sh(?:ou|uo)(?:ld|dl)(?:\b.{0,120}\bnot\b|n['’]?t (?:this|that|it|these|they|we|the)\b)/i.test(
      sentence,
    )
  )
    return 'other'
  const isInverted = words <= 16 && SUBJECT.test(sentence) && !NOT_INVERTED.test(sentence)
  if (AUX.test(sentence) && (asks || isInverted) && !WISHED.test(sentence) && !orders)
    return goesOnWithOrder(sentence) ? 'order' : 'question'
  if (/^(?:one|a|another|quick|small|my)? ?(?:quick |small )?question\s*[:,-]/i.test(sentence)) return 'question'
  if (
    /^(?:(?:and|so|ok|also|ah|hm+)[ ,]+)*(?:can|could|shall) we\b(?! (?:talk|discuss|get an? (?:overview|idea)))/i.test(
      sentence,
    )
  )
    return 'order'
  if (!asks && changesIt(sentence)) return 'order'
  if (inquires) {
    const isOrder =
      goesOnWithOrder(sentence) || LOOKS_INTO.test(sentence) || WRITES_DOWN.test(sentence) || asksAtLast(sentence)
    return isOrder || (!asks && (SPECIFIES.test(sentence) || arranges(sentence))) ? 'order' : 'question'
  }
  if (orders || isWished(sentence) || (!asks && FILE_SPECIFIES.test(sentence))) return 'order'
  if (ASKS_BESIDE.test(sentence)) return 'question'
  if (REQUESTED.test(sentence) && !TO_EXPLAIN.test(sentence)) return 'order'
  const isWish = foreign.some(({ wishes }) => wishes.test(sentence))
  if (
    !asks &&
    foreign.length > 0 &&
    (goesOnToChange(sentence) || (TO_EXPLAIN.test(sentence) && INTO_A_TEXT.test(sentence)))
  )
    return 'order'
  if (foreign.some((language) => language.asks.test(sentence)) && !(!asks && isRelative(sentence)))
    return isWish && !asks ? 'order' : 'question'
  if (isWish) return 'order'
  // "Still nan after epoch 3, maybe the lr?"
  if (asks && FAULT.test(sentence) && SUPPOSES.test(sentence)) return 'fault'
  if (asks)
    return (words > 2 || isUnspaced(sentence)) && (foreign.length > 0 || ENGLISH.test(sentence)) ? 'question' : 'other'
  // "I can't find it" is why somebody asks.
  return FAULT.test(sentence) && !AT_A_LOSS.test(sentence) && !PASTES.test(sentence) ? 'fault' : 'other'
}

/** "Analysiere die Abfrage und beschleunige sie": what follows the look is a deed. */
function goesOnToChange(sentence: string): boolean {
  const next = AND_DOES.exec(sentence)
  return next !== null && TO_LOOK.test(sentence.slice(0, next.index)) && !WORDS_AGAIN.test(next[0])
}

const AND_DOES =
  /\s(?:und|dann|et|puis|y|luego|e|poi|depois|en|i|potem|и|затем)\s(?:dann\s|puis\s|luego\s)?\p{Ll}{3,30}(?:-(?:la|les?|[oa]s?)|\s(?:die|das|den|sie|ihn|es|la|las|los|lo|le|les|il|gli|ze|het|их|его|её))(?!\p{L})/u

/** Deeds that end in words. */
const WORDS_AGAIN =
  /sag|nenn|erklär|beschreib|zeig|bewert|schätz|fass|gib|liste|vergleich|prüf|expli|décri|montr|évalu|résum|propos|compar|dis|dime|evalú|resum|enumer|muestr|spieg|valut|riassum|elenc|mostr|avali|vertel|beoordeel|powiedz|opisz|oceń|скаж|объясн|опиш|оцен|предлож|перечисл|покаж/u

/** "Erklär im README, wie …": written down, and not told. */
const INTO_A_TEXT =
  /(?<!\p{L})(?:im|ins|in der|in die|dans|en|en el|en la|nel|nella|no|na|in de|in het|w|в|у)\s(?:le |la )?`?(?:readme|changelog|contributing|[\w/-]{1,80}\.(?:mdx?|txt|rst|adoc))(?![\p{L}])|在\s?(?:readme|[\w/-]{1,80}\.md)\s?(?:里|中)/iu

/** A guess at the cause of what was told of before it. */
const SUPPOSES = /[,;–-]\s?(?:maybe|perhaps|probably|possibly|could be|might be|looks like|i guess|i think)\b/i

/** What stands above an output that was pasted. */
const PASTES =
  /^(?:here is |this is )?(?:the |full |an? )*(?:error|stack ?trace|logs?|output)(?: messages?| logs?| output| trace)?\s?:?$/i

const AT_A_LOSS =
  /^(?:(?:and|but|because|since|sorry)[, ]+)?(?:i |we )?(?:(?:can['’]?t|cannot|couldn['’]?t|could not|don['’]?t|do not|didn['’]?t|have(?:n['’]?t| not))(?: really)? (?:find|found|see|seen|spot|locate|remember|know|understand|get|tell|recall|figure)|(?:have )?no (?:idea|clue))\b/i

function isUnspaced(sentence: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af].{3}/.test(sentence)
}

/** "Provide a detailed report on the flow of orders": told, where nobody is said to read it in the program. */
const PROVIDES =
  /^(?:(?:please|pls|so|and|ok|now|just|also|then|only)[, ]+){0,3}(?:provide|give me|deliver)(?: me| us)?(?: (?:with )?(?:an?|the|your))?(?: (?:detailed|comprehensive|concise|short|brief|diagnostic|full|complete|quick|thorough|high-level|clear|written|technical)){0,3} (?:report|summary|analysis|overview|explanation|assessment|diagnosis|breakdown)\b(?! (?:page|screen|view|endpoint|button|tab|widget|for (?:each|every|the (?:user|customer|client|admin))))(?!.{0,120}\b(?:at|on|in|to) (?:the |every |each )?(?:top|bottom|page|header|footer|sidebar|dashboard|ui|screen|checkout|app|users?|customers?)\b)/i

/** Verbs that also begin work: alone they ask for a report only where nothing follows but that. */
const LOOKS =
  /\b(?:look|check|double check|verify|find|go through|go over|investigate|inspect|figure out|research|identify)\b(?<rest>.{0,400})/i

const REPORTS =
  /\b(?:tell|report|list|let me know|say|explain|summari[sz]e|describe|why|whether|if|how|what|which|where|when|who|see if|answer)\b/i

/** "Answer text of the chat is not updating": a noun, and no order to answer. */
const NOUN_FAILS =
  /^(?:(?:and|also|but|now|so|the),? ){0,2}(?:answer|quote|rate|review|audit|list|plan|look|estimate|research) \w+(?: (?:of|in|for|on|from)(?: \w+){1,4})? (?:(?:is|are|does|do|did|was|were) (?:still |also )?not|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|won['’]?t|fails?|breaks?|flickers?|disappears?)\b/i

function isSure(sentence: string): boolean {
  if (/^(?:please )?rate[- ]limit/i.test(sentence) || NOUN_FAILS.test(sentence)) return false
  if (/\b(?:can|could|shall) we\b/i.test(sentence)) return false
  const rest = LOOKS.exec(sentence)?.groups?.rest
  return rest === undefined || REPORTS.test(rest) || !FOLLOWS.test(rest)
}

/** Without it a question mark may end anything. */
const ENGLISH =
  /\b(?:the|is|are|was|a|an|to|of|it|this|that|you|we|i|does|do|did|can|any|there|my|our|be|or|not|what|how|why)\b/i

/** "If it's unused remove it": said of something, and not asked. */
function changesIt(sentence: string): boolean {
  const words = wordsOf(sentence)
  return words.some(
    (_, at) =>
      at > 0 &&
      isChange(words, at) &&
      /^(?:it|them|those|these)$/.test(words[at + 1] ?? '') &&
      !NOT_ORDERED.test(words[at - 1]!),
  )
}

const NOT_ORDERED =
  /^(?:to|i|we|you|they|not|don['’]?t|dont|never|would|will|could|should|can|did|does|do|must|might|may|cannot|can['’]?t)$/

/** "Explain it in a comment", "describe that in docs/cache.md": what is asked for is to be written down. */
export const WRITES_DOWN =
  /\bwith (?:an? |short )?(?:docstrings?|comments?)\b|\b(?:in|into|to|as) (?:an? |the |our )?(?:comments?|docstrings?|readme|changelog|wiki|file|doc|docs|document|[\w/-]+\.(?:md|txt|rst|adoc|html))\b/i

/** "The list view should remember its position": a noun that looks like a verb, and what it is to be like. */
const SPECIFIES = /^\S+(?:\s+\S+){0,4}\s+(?:should|must|needs? to|has to|have to|ought to|shall)\b/i

/** "plan.sh should wait for the lock". */
const FILE_SPECIFIES = /^`?[\w/-]{1,80}(?:\.[\w-]{1,20}){1,3}`? (?:should|must|needs? to|has to|ought to|shall) \w/i

/** "List the plots by name": how a program is to show what it holds; what the project itself is made of is listed to read it. */
function arranges(sentence: string): boolean {
  const what = LISTED.exec(sentence)?.groups?.what
  return what !== undefined && !wordsOf(what).some((word) => OF_PROJECT.test(word))
}

const LISTED =
  /^(?:(?:please|pls|so|and|ok|now|just|also|then)[, ]+){0,3}list (?<what>(?!me\b|us\b)(?:[\w'’-]+ ){1,5}?)(?:(?:sorted |ordered |grouped )?by (?:their |its |the )?[\w-]+|(?:alphabetic|chronologic|numeric)ally|in (?:alphabetical|chronological|numerical|ascending|descending|reverse)(?: \w+)? order|(?:\w+est|most \w+|least \w+|last \w+) (?:ones? )?first|first\b|at the (?:top|bottom|end))(?=\s*(?:[,.;!(]|$|(?:and|then|instead|again|not)\b))/i

const OF_PROJECT =
  /^(?:(?:file|folder|director(?:y|ie)|todo|fixme|bug|issue|error|warning|function|method|class|component|module|package|dependenc(?:y|ie)|librar(?:y|ie)|import|export|endpoint|route|api|test|spec|table|column|migration|model|schema|commit|branch|pr|change|difference|place|usage|caller|call|reference|variable|constant|setting|option|flag|command|script|service|query|querie|step|reason|idea|way|risk|problem|finding|result|candidate|line|type|interface|hook|event|job|secret|key|env|string|comment|feature|gap|improvement|suggestion|open|unused|missing|failing|slow|largest|biggest|top)s?|classes|branches|queries|you)$/i

/** "Can you look into that": trouble was told of, and is to go away. */
const LOOKS_INTO = /\b(?:look into|investigate|figure out|check)\s+(?:that|it|this)\b/i

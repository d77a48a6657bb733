import { answerWanted, sentenceFeatures } from './answer-model.ts'
import { languagesOf } from './languages/all.ts'
import type { Language } from './languages/grammar.ts'
import { OUTSIDE } from './languages/refusing.ts'
import { wholeIn } from './limits/whole.ts'
import { sentencesOf, withoutPasted } from './prose.ts'
import { pathsIn } from './targets.ts'
import { asksAtLast, goesOnWithOrder, isChange, isOrdered, isWished, wordsOf } from './wishes.ts'

/** Verbs that ask for an answer; `list.py` and `check()` are names. */
const INQUIRES =
  /^(?:(?:please|pls|plz|kindly|now|then|also|and|ok(?:ay)?|so|just|first|next|great|good|perfect|alright|well|yes|no|hey|hi|hello|claude|@\w{1,20}|again|but|thanks|hm+|only|simply|quickly|let['’]?s)[,.!:;]*\s+)*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|also\s+|just\s+|first\s+)*)?(?:explain|describe|proof ?read|tell me|tell us|show me|list|compare|summari[sz]e|outline|review|analy[sz]e|audit(?! (?:only|logs?|trail|entr|passed|failed|is|was|found|says|done))|rate|weigh|estimate|clarify|confirm|walk me through|talk me through|give me|give us|let me know|elaborate|discuss|brainstorm|think(?! (?:we|you) could)|advise|recommend|suggest|investigate|find out|figure out|look|check|double check|verify|research|inspect|assess|evaluate|identify|find|answer|help me understand|(?:prepare|make|draft|write up|sketch|outline) (?:me )?a (?:rough |short |detailed )?plan|plan|propose|go through|remind me|quote)\b(?![./(-]\w|\(\))/i
const ASKS_BESIDE =
  /\b(?:thoughts|true|right|correct|or not)\s*\?|\b(?:what (?:do )?(?:you|u) (?:say|think|suggest|recommend)|any (?:ideas?|thoughts|opinions?|suggestions?)|your (?:opinion|thoughts|take) on|your opinion|what['’]s your (?:take|view|opinion)|(?:wonder(?:ing)?|curious) (?:if|whether|why|how|what)|i(?:['’]d| would)? (?:like|want) to (?:know|understand)|need (?:some |an )?explanation|i (?:don['’]?t|do not) (?:get|understand|see|know) (?:why|how|what|where|when|whether|if)|i don['’]?t understand)\b/i

/** Asks outright for an answer and nothing else, or forbids to change anything at all. */
const ANSWER_ALONE = [
  /\b(?:do not|don['’]?t|dont) (?:take|perform) (?:any |further |other ){0,2}actions?\b(?! (?:on|in|for|to|against)\b)|\bno (?:further |other )?actions? (?:beyond|other than|except|besides|apart from)\b/im,
  /^(?:(?:first|please|pls|now|ok|to start|before anything(?: else)?),? ){0,3}(?:explain|describe|outline|present|show|tell|give|share|walk me through) (?:me |us )?(?:your|the|a|an) (?:\w{1,20} )?(?:plan|approach|proposal|strategy)(?: to me| to us| with me)?(?: first)?\s?[.!]?$/im,
  /\bi(?:['’]ll| will) (?:fix|change|do|implement|write|edit|apply) (?:it|them|that|this|those) ?(?:by )?myself\b|\b(?:implementation|coding) (?:comes|follows|starts) (?:later|after|once|when)\b|\bnothing in the repo\b/im,
  /^(?:@\w{1,20} )?\/(?:ask|explain)\b|^[ \t]*(?:question|q)[ \t]*:|\bnot a task\b/im,
  /\b(?:just|only|simply) (?:answer|explain|tell|describe|discuss|think|brainstorm|report|look|analy[sz]e|review|advise|give me (?:your|an?) (?:opinion|answer|explanation|overview|plan|estimate)|your (?:opinion|thoughts|view)|an? (?:question|fyi|idea|plan|opinion|thought|answer|explanation))\b/im,
  /\b(?:answer|answers|explanation|plan|planning|audit|review|analysis|discussion|estimate|opinion|question|reading|research|brainstorming|advice)(?: |-)(?:only|alone)\b(?! (?:on|in|for|to|if|when|with|from|at)\b)|\bonly (?:an? )?(?:answer|explanation|plan|audit|review|analysis|estimate|opinion|question)\b/im,
  /\bno fix(?:es|ing) yet\b|\bnot asking you to\b|\bno (?:writes(?! at all in| in| when| during| to)|(?:further|more) (?:edits?|changes?|code))\b|\bstop (?:editing|coding|changing (?:files|code))\b|\b(?:do not|don['’]?t) (?:edit|change|touch|modify|write) anything (?:more|else|further|any ?more)\s*(?:[.,;!]|$)/im,
  /\bno (?:code|coding|implementation|implementing|edits?|changes?|modifications?)(?: (?:changes?|edits?|yet|for now|now|here|please|at all|needed|required|necessary|tho|though))*\s*(?:[.,;:!?)\n]|$|(?:coz|cause|because|since|just|only|u\b|until|till))/im,
  /\b(?:nothing to (?:implement|change|code|fix|edit)|hold off (?:on|with) (?:the )?(?:coding|implement\w+|changes?|edits?|code|writing)|before (?:you|u|we) (?:code|implement|write|start|change|touch|do anything|make any)\b(?! \S{1,20} (?:in|to|under|inside)\b)|plan first|not yet (?:code|implement)|leave (?:everything|every file|all files|the code) (?:as (?:it )?is|alone|untouched|unchanged)|look,? (?:but )?don['’]?t (?:modify|touch|change|edit)|you (?:do not|don['’]?t) (?:need|have) to (?:do|change|implement) anything|read[- ]only (?:please|task|review)|(?:stay|work|be|remain) (?:in )?read[- ]only|without (?:making|doing) (?:any )?(?:changes?|edits?))\b/im,
]

/** "Just wondering why it is slow"; "just asking for a smaller gap" and "just wondering why, make it faster" want work. */
const JUST_ASKS =
  /\b(?:just|only|merely) (?:asking\b(?! (?:(?:you|u|it|him|her|them|claude) )?(?:for|to)\b)|curious|wondering|a question)\b|\bi (?:only|just) (?:want|need|wanted|wish|would like) to (?:understand|know|learn|find out|see) (?:why|(?:the|its) (?:root )?(?:reasons?|causes?|difference)|what (?:causes?|caused|happens|happened|went wrong))\b|\band (?:only|just) want to (?:understand|know) (?:why|the (?:root )?(?:reason|cause))\b/i

/** The same as a refusal without an object, unless it stands beside one: "src/legacy - do not modify". */
const BARE_REFUSAL =
  /\b(?:do not|don['’]?t|dont|never|no need to|without|not going to|refrain from|please no|(?:do not|don['’]?t) (?:want|wish|need)(?: you| u)?(?: to)?)(?: (?:actually|yet|please|even|you|to|start|begin|go|try|ever|rush|jump|dive|hurry|straight|into))*\s+(?:writ(?:e|ing)|implement(?:ing)?|cod(?:e|ing)|start(?:ing)? (?:coding|to code|implementing|writing)|chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|touch(?:ing)?|fix(?:ing)?|do(?:ing)?|mak(?:e|ing)|apply(?:ing)?|sav(?:e|ing)|creat(?:e|ing)|generat(?:e|ing)|build(?:ing)?)(?:\s+(?:(?:any|the|some|actual|your|more)\s+)?(?:code|implementation|anything|things?|it|files?|changes?|edits?|modifications?|stuff)(?:\s+(?:changes?|yourself|yet|for (?:it|this|that|now)|at all|about it|at this (?:point|time|stage)|now|here))*)?\s*(?:[.,;:!?)\n]|$|(?:yet|until|till|before|now|just|but|however)\b)/im

function isAnswerAlone(sentence: string, foreign: readonly Language[], closed: readonly string[]): boolean {
  // "Move them out so that others can edit them without touching code": an order, with a manner.
  if (WHENEVER.test(sentence)) return false
  // "Plan only, I'll apply it": what a tool prints before it acts, and not a text.
  if (/(?<!\p{L})plan(?!\p{L})/iu.test(sentence) && /(?<!\p{L})apply(?!\p{L})/iu.test(sentence)) return false
  // "Change only analysis/forecast.py": what a path is called says nothing.
  const bare = withoutPaths(sentence)
  const said = isOrdered(sentence) ? bare.replace(/\bwithout\b.{0,200}/i, ' ') : bare
  if (ANSWER_ALONE.some((words) => words.test(said))) return true
  if (JUST_ASKS.test(said) && !goesOnWithOrder(said)) return true
  if (BARE_REFUSAL.test(said) && !isPartly(sentence, closed)) return true
  // "Nothing outside reports/" leaves something to change.
  if (OUTSIDE.test(sentence)) return false
  return foreign.some(({ answerAlone, asks, wishes }) => {
    if ((isPartly(sentence, closed) || isSaidOfFile(sentence, answerAlone)) && !asks.test(sentence)) return false
    const rest = sentence.replace(new RegExp(answerAlone.source, 'gi'), ' ')
    return rest !== sentence && !wishes.test(rest)
  })
}

/** Whether one of the limits that close a part of the project was read from this sentence. */
function isPartly(sentence: string, closed: readonly string[]): boolean {
  return closed.some((limit) => limit.includes(sentence.replace(/[.!。]$/, '').slice(0, 200)))
}

/** A sign in place of each path that is no word and ends no thought. */
function withoutPaths(sentence: string): string {
  return pathsIn(sentence).reduce((text, path) => text.replaceAll(path, '/'), sentence)
}

/** "When nothing is selected do not change anything": said of the program. */
const WHENEVER =
  /^(?:and |but |so )?(?:when(?:ever)?|if|once|unless) (?!you\b|u\b|i\b|we\b|possible\b|not\b|so\b|in doubt\b|unsure\b|anything\b|that\b|it['’]s ok)[^,;.]{3,80}/i

/** "Dann soll speichern.ts nichts schreiben": a file is what the refusal speaks of. */
function isSaidOfFile(sentence: string, refusal: RegExp): boolean {
  const clause = sentence.split(/[,;，、]\s?/).find((one) => new RegExp(refusal.source, 'i').test(one))
  return clause !== undefined && pathsIn(clause).length > 0 && !TO_EXPLAIN.test(clause)
}

const REFUSED_IT =
  /\b(?:do not|don['’]?t|dont|without) (?:chang(?:e|ing)|edit(?:ing)?|touch(?:ing)?|modify(?:ing)?|fix(?:ing)?) (?:it|them|that|this|anything)(?: (?:yet|for now|now|please|though))?\s*[.!]?$/i

/** An answer, and the words that ask for it: outright for nothing else, as a question does, or in words that may begin work. */
interface Wanted {
  words: string
  certainty: 'outright' | 'asked' | 'perhaps'
}

type Reading = 'question' | 'order' | 'fault' | 'other'

/**
 * Whether these words want an answer, and no change at all: the sentence that says so. Where changes are expected because a
 * part of the project is closed to them, in the sentences given, only words that ask for an answer alone will do.
 */
export function wantsAnswer(text: string, closed: readonly string[]): Wanted | undefined {
  const ruled = wantedByRule(text, closed)
  if (ruled && ruled.certainty !== 'perhaps') return ruled
  const likely = closed.length > 0 ? undefined : wantedLikely(text)
  // Where the rules hesitate, a reader that is sure decides.
  return ruled && likely?.certainty === 'asked' ? { ...ruled, certainty: 'asked' } : (ruled ?? likely)
}

/** What no rule knows as a question and the trained reader does. */
function wantedLikely(text: string): Wanted | undefined {
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

/** Whether a sentence orders or wishes for something, in whatever language. */
export function asksForWork(sentence: string): boolean {
  return readingOf(sentence, languagesOf(sentence)) === 'order'
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

function wantedByRule(text: string, closed: readonly string[]): Wanted | undefined {
  const asked = /^[ \t]*((?:@\w{1,20} )?\/(?:ask|explain)\b.*)/m.exec(text)?.[1]
  if (asked !== undefined) return { words: asked, certainty: 'outright' }
  const sentences = sentencesOf(withoutPasted(text))
  // Who forbids every change has asked for none, whatever else is to be done.
  const banned = sentences.find((sentence) => {
    const whole = wholeIn(sentence)
    return whole === 'project' || (whole === 'place' && !isPartly(sentence, closed))
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
  const alone = sentences.map((sentence, at) => isAnswerAlone(sentence, foreign, closed) && !isRest(sentence, at))
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
  return { words: sentences[question]!, certainty: isAsked ? 'asked' : 'perhaps' }
}

/** "Read the spec. No code yet": to take it in, where nothing is to be written. */
const READS = /^(?:(?:first|please|now|then|also|and|ok|so|just|next)[,.]? ){0,3}(?:re-?)?read\b/i

const BEFOREHAND =
  /\bbefore (?:implementing|coding|writing|changing|making|starting|touching|building|doing|(?:you|u|we) (?:implement|code|write|change|make|start|touch|build|do))\b/i

/** "I just want the readme translated. No code changes": a change, and no code. */
const WRITINGS =
  /\b(?:want|need|like|please|update|write|add|improve|translate|fix|get)\b.{0,40}\b(?:readme|docs?|documentation|changelog|comments?|docstrings?|translations?|css|styles(?:heet)?|wording|markdown|\w{1,30}\.(?:mdx?|css|scss|rst|txt))\b/i

const EXPLAINS =
  /^(?:(?:please|pls|so|and|ok|now|just|also|hey|hi)[, ]+)*(?:(?:can|could|would|will) (?:you|u) (?:please )?)?(?:explain|describe|tell me|show me|list|compare|summari[sz]e|walk me through|talk me through|give me (?:an?|the|some|your) (?:\w+ )?(?:overview|summary|list|table|explanation|opinion|feedback|idea))\b(?![./(-]\w|\(\))/i
/** The same, where hardly anything else is said. */
const REVIEWS =
  /^(?:(?:please|pls|so|and|ok|now|just|also|hey|hi)[, ]+)*(?:(?:can|could|would|will) (?:you|u) (?:please )?)?(?:analy[sz]e|audit(?! (?:only|logs?|trail|entr|passed|failed|is|was|found|says|done))|review|estimate|assess|evaluate|clarify|confirm|proof ?read|advise|recommend|go through)\b(?![./(-]\w|\(\))/i

/** Asked in the form of a question, or with a verb that wants nothing but words. */
function isPlainQuestion(sentence: string, foreign: readonly Language[], isShort: boolean): boolean {
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

const OPENING = String.raw`^(?:(?:and|but|so|ok(?:ay)?|hm+|well|yes|no|also|btw|then|now|great|thanks|unrelated question|question|quick question|before you start|before that|out of curiosity)\s{0,4}[-,:.!]{0,4}\s{1,4})*`
/** "In what order do the hooks run", "for how long is it kept". */
const PREPOSED = String.raw`${OPENING}(?:in|on|at|for|from|to|with|by|under|since|until|through|of) (?:what|which|whom|whose|where|when|how(?: (?:long|many|much|often|far))?)(?: \w+){0,2} (?:is|are|was|were|do|does|did|can|could|should|will|would|has|have)\b`
const WH = new RegExp(
  String.raw`${OPENING}(?:what|whats|why|how|hows|where|wheres|when|who|whose|which|whom)\b|${PREPOSED}`,
  'i',
)
/** Without a question mark, only where the verb comes first. */
const INVERTED = new RegExp(
  String.raw`${OPENING}(?:whats|what['’]s|hows|wheres|why|(?:what|where|when|who|which(?: \w+)?|how(?: (?:long|many|much|often|come|far))?(?: \w+)?) (?:is|are|was|were|do|does|did|would|will|can|could|should|has|have|happens|happened|makes|went|to|would it take))\b|${PREPOSED}`,
  'i',
)
const AUX = new RegExp(
  String.raw`${OPENING}(?:is|are|isn['’]?t|aren['’]?t|was|were|does|doesn['’]?t|do|did|didn['’]?t|has|have|had|should|shouldn['’]?t|would|wouldn['’]?t|could|couldn['’]?t|can|will|am)\b`,
  'i',
)
const SUBJECT =
  /^\S+(?:\s+\S+)?\s+(?:it|this|that|there|we|you|they|he|she|i|the|a|an|my|our|any\w*|these|those|someone)\b/i
/** "Shouldn't show anything": a wish without its subject. */
const NOT_INVERTED = /^\w+n['’]?t (?!it|this|that|there|we|you|they|he|she|i|the|a|an|my|our|these|those|someone)\w+/i
const WISHED =
  /\b(?:can|could|would|will)\s+(?:you|u|we)\b|\b(?:can|could)\s+the\b|\bany chance\b|\bwould you mind\b|\bthink we could\b|\bwhy don['’]?t (?:we|you)\b/i
/** "Is it possible to sort by date?", "can the header stay in view?", 「選択できますか」: a change may well be meant. */
const PERHAPS_WISHED =
  /\b(?:is|was|would|might|will) (?:it|there) (?:also |maybe |perhaps |be )*(?:possible|feasible|ok(?:ay)?|an? (?:easy |good |simple )?(?:way|option|chance)|any (?:way|chance|option)) (?:to|of|for|that|we|you|if)\b|(?:でき|出来)(?:ます|る|ません|ない)(?:でしょう)?か|(?:할|될) 수 (?:있|없)(?:나요|을까요|어요|니)/i

/** A request in the form of a question, or one that may well be meant: no reader may close anything for it. */
function isPoliteRequest(sentence: string): boolean {
  return (
    WISHED.test(sentence) || PERHAPS_WISHED.test(sentence) || (REQUESTED.test(sentence) && !TO_EXPLAIN.test(sentence))
  )
}

/** "If I rename the bucket, will the old links still work?" */
const IF_ASKED = new RegExp(
  String.raw`${OPENING}(?:if|once|after|before|unless|assuming|suppose|supposing|given|as soon as|while|since|because|with|without|until)\b[^?]{3,200}[,;] (?:then )?(?:(?:is|are|was|were|isn['’]?t|aren['’]?t|does|doesn['’]?t|do|did|has|have|had|will|won['’]?t|would|can|could|should|shall|am|must) (?:it|this|that|these|those|they|he|she|i|the|an?|any\w*|there|my|our|your|all|every\w*|someone)|what|why|how|where|who|which)\b`,
  'i',
)

/** A plan is words, unless it is to be written into a file. */
const WANTS_PLAN =
  /^(?:(?:please|pls|so|and|ok|now|just|also|then|hey|hi|first|can you|could you|bitte|por favor|per favore)[, ]+){0,3}(?:(?:create|make|write|draft|prepare|come up with|sketch|propose|work out|put together|generate|give|devise)(?: up| out)?(?: me| us)? (?:an? |the |your )?(?:[\w-]+ ){0,3}(?:plan|proposal|roadmap)|(?:mach|erstell|schreib|entwirf|erarbeite|gib|skizzier|entwickle)\p{L}{0,2} (?:mir |uns |bitte |mal )*eine?n? (?:\p{L}+ )?\p{L}*plan|(?:fais|faites|prépare[zr]?|propose[zr]?|établis|donne[zr]?|rédige[zr]?|génère[zr]?|crée[zr]?|élabore[zr]?)(?:[- ]moi|[- ]nous)? un (?:\p{L}+ )?plan|(?:haz|has|genera|crea|prepara|da|propón|elabora|escribe)(?:me|nos)? un (?:\p{L}+ )?plan|(?:fai|fa|prepara|crea|genera|proponi|scrivi|da)(?:m?mi)? un (?:\p{L}+ )?piano|(?:me )?(?:fa[çz]a?|crie|cria|prepare|prepara|gere|gera|monte|monta|elabore|dê|proponha)(?: me)? um (?:\p{L}+ )?plano|(?:maak|schrijf|geef|bedenk)(?: me| mij)? een (?:\p{L}+ )?\p{L}*plan|(?:zrób|przygotuj|napisz|stwórz|zaproponuj)(?: mi)? plan|(?:составь|напиши|сделай|подготовь|предложи|дай|придумай|распиши|склади|напиши|зроби)(?:те)? (?:мне |мені )?(?:\p{L}+ )?план)(?!\p{L})(?! (?:page|model|class|table|entity|field|type|tier)\b)|^(?:请|先|帮我|给我){0,3}(?:给我|制定|写|出|做|列|拟|设计)(?:出|一)?(?:个|份|下)?[^，。,]{0,14}(?:计划|方案|规划)(?:$|[，。,！!])|(?:計画|プラン|方針)を(?:立て|考え|提案|出し)|계획(?:을|를)? (?:세워|짜|작성해)/iu

const FAULT =
  /\b(?:doesn['’]?t|does not|don['’]?t work|isn['’]?t|aren['’]?t|wasn['’]?t|can['’]?t|cannot|couldn['’]?t|won['’]?t|hasn['’]?t|haven['’]?t|havne['’]?t|didn['’]?t|fails?|failed|failing|broken|wrong|crash(?:es|ed)?|times? out|timed out|throws?|threw|errors?|missing|empty|hangs?|stuck|too (?:big|small|slow|long|many|much)|not (?:\w{2,20}ing|shown|visible|found)|still|weird|buggy|lost|twice|panics?|leaks?)\b|报错|出错|失败|崩溃|不生效|无法|エラーが?(?:出|発生)|動かない|에러가|오류가/i

/** "But do this without running the scripts": how, and not what. */
const MANNER = /^(?:(?:and|but|please|just|also),? ){0,2}do (?:it|this|that|so) (?:without|by|as|with)\b/i

function readingOf(sentence: string, foreign: readonly Language[]): Reading {
  if (MANNER.test(sentence)) return 'other'
  const asks = /[?？]["')\]]*\s*$/.test(sentence)
  if (WANTS_PLAN.test(sentence) && !WRITES_DOWN.test(sentence) && !goesOnWithOrder(sentence)) return 'question'
  if (asks && IF_ASKED.test(sentence) && !goesOnWithOrder(sentence)) return 'question'
  const inquires = INQUIRES.test(sentence) && isSure(sentence)
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
  if (foreign.some((language) => language.asks.test(sentence)) && !(!asks && isRelative(sentence)))
    return isWish && !asks ? 'order' : 'question'
  if (isWish) return 'order'
  if (asks)
    return (words > 2 || isUnspaced(sentence)) && (foreign.length > 0 || ENGLISH.test(sentence)) ? 'question' : 'other'
  // "I can't find it" is why somebody asks.
  return FAULT.test(sentence) && !AT_A_LOSS.test(sentence) && !PASTES.test(sentence) ? 'fault' : 'other'
}

/** "Was veraltet ist, gleich mit ersetzen": the verb at its end makes it a part of the sentence, and no question. */
function isRelative(sentence: string): boolean {
  return RELATIVE.test(sentence) && !TO_EXPLAIN.test(sentence) && !TO_LOOK.test(sentence)
}

const RELATIVE =
  /^(?:und |aber |also )?(?:was|wo|wer|welche[rsnm]?)\s(?!(?:ist|sind|war|hat|macht|passiert|wird)\s)[^,?]{2,80}\s(?:ist|sind|wird|werden|hat|haben|\p{L}{2,20}(?:t|en)),\s/iu

/** What stands above an output that was pasted. */
const PASTES =
  /^(?:here is |this is )?(?:the |full |an? )*(?:error|stack ?trace|logs?|output)(?: messages?| logs?| output| trace)?\s?:?$/i

const AT_A_LOSS =
  /^(?:(?:and|but|because|since|sorry)[, ]+)?(?:i |we )?(?:(?:can['’]?t|cannot|couldn['’]?t|could not|don['’]?t|do not|didn['’]?t|have(?:n['’]?t| not))(?: really)? (?:find|found|see|seen|spot|locate|remember|know|understand|get|tell|recall|figure)|(?:have )?no (?:idea|clue))\b/i

function isUnspaced(sentence: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af].{3}/.test(sentence)
}

/** Verbs that also begin work: alone they ask for a report only where nothing follows but that. */
const LOOKS =
  /\b(?:look|check|double check|verify|find|go through|go over|investigate|inspect|figure out|research|identify)\b(?<rest>.{0,400})/i
const REPORTS =
  /\b(?:tell|report|list|let me know|say|explain|summari[sz]e|describe|why|whether|if|how|what|which|where|when|who|see if|answer)\b/i
const FOLLOWS =
  /(?:,|\band|\bthen|&)\s+(?!(?:tell|report|list|let me know|say|explain|summari[sz]e|describe|give|show|also list|see if|especially|find any|find out|let['’]?s (?:figure|find|see)|line by line|which|what|how|why|whether|also|potentially|identify|evaluate|compare|check)\b)/i

/** "Answer text of the chat is not updating": a noun, and no order to answer. */
const NOUN_FAILS =
  /^(?:(?:and|also|but|now|so|the),? ){0,2}(?:answer|quote|rate|review|audit|list|plan|look|estimate|research) \w+(?: (?:of|in|for|on|from)(?: \w+){1,4})? (?:(?:is|are|does|do|did|was|were) (?:still |also )?not|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|won['’]?t|fails?|breaks?|flickers?|disappears?)\b/i

function isSure(sentence: string): boolean {
  if (/^(?:please )?rate[- ]limit/i.test(sentence) || NOUN_FAILS.test(sentence)) return false
  if (/\b(?:can|could|shall) we\b/i.test(sentence)) return false
  const rest = LOOKS.exec(sentence)?.groups?.rest
  return rest === undefined || REPORTS.test(rest) || !FOLLOWS.test(rest)
}

/** "Kannst du …?", "peux-tu …?": a request in the form of a question. */
const REQUESTED =
  /(?<!\p{L})(?:könnten wir|können wir|pourrait-on|pourrions-nous|podríamos|podemos|possiamo|potremmo|poderíamos|kunnen we|możemy|можем|kannst du|könntest du|können sie|könnten sie|kun je|kunt u|kan je|zou je|peux-tu|tu peux|pouvez-vous|vous pouvez|pourrais-tu|pourriez-vous|puedes|podrías|podrias|puede|podés|puoi|potresti|può|pode|poderia|consegue|możesz|mógłbyś|можешь|можете|мог бы|могли бы|можеш|kan du|kunne du|můžeš|mohl bys)(?!\p{L})|(?:주|줄|주실) 수 (?:있|없)|주시겠|(?:もらえ|いただけ|くれ)(?:ます|ません|ない|る)|\b(?:misin|mısın|musun|müsün)\b|(?:可以|能不能|能否|可不可以|可否|能)(?!.{0,4}(?:解释|说明|介绍|告诉|看出|讲)).{1,60}吗?[？?]?$/iu
const TO_EXPLAIN =
  /erklär|beschreib|\bsag|\bnenn|uitleg|vertel|expli|décri|descri|\bdime|\bdecir|\bdirmi|spieg|\bconta|wyjaśni|powiedz|объясн|расскаж|подскаж|сказ|поясн|розкаж|説明|教え|설명|알려|(?:me|mir|uns|nous) (?:\S+ ){0,3}(?:zeig|m[ou]e?n?str)|(?:zeig|m[ou]e?n?str|покаж|pokaż)\S*[- ]?(?:mir|uns|moi|nous|mi|me|мне|wie|wo|was|welch|où|comment|quel|cómo|dónde|qué|come|dove|quale|como|onde|как|где|что)/i
const TO_LOOK =
  /anlat|açıkla|förklar|forklar|vysvětl|설명|説明|schau|guck|prüf|analys|anseh|nachseh|vérifi|regard|\bmira|revis|guarda|controll|verific|kijk|bekijk|sprawdź|zobacz|посмотр|провер|проанализ|глян|переві|[看查]|分析|確認|調べ|확인|봐/i
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
const WRITES_DOWN =
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

import type { Language } from '../languages/grammar.ts'
import { CHANGES_NONE } from '../languages/no-changes.ts'
import { OUTSIDE } from '../languages/refusing.ts'
import { pathsIn } from '../paths-in.ts'
import { goesOnWithOrder, isOrdered } from '../wishes.ts'
import { TO_EXPLAIN } from './question-words.ts'

/** Asks outright for an answer and nothing else, or forbids to change anything at all. */
const ANSWER_ALONE = [
  /\b(?:do not|don['’]?t|dont) (?:take|perform) (?:any |further |other ){0,2}actions?\b(?! (?:on|in|for|to|against)\b)|\bno (?:further |other )?actions? (?:beyond|other than|except|besides|apart from)\b/im,
  /^(?:(?:first|please|pls|now|ok|to start|before anything(?: else)?),? ){0,3}(?:explain|describe|outline|present|show|tell|give|share|walk me through) (?:me |us )?(?:your|the|a|an) (?:\w{1,20} )?(?:plan|approach|proposal|strategy)(?: to me| to us| with me)?(?: first)?\s?[.!]?$/im,
  /\bi(?:['’]ll| will) (?:fix|change|do|implement|write|edit|apply) (?:it|them|that|this|those) ?(?:by )?myself\b|\b(?:implementation|coding) (?:comes|follows|starts) (?:later|after|once|when)\b|\bnothing in the repo\b/im,
  /^(?:@\w{1,20} )?\/(?:ask|explain)\b|^[ \t]*(?:question|q)[ \t]*:|\bnot a task\b/im,
  /\b(?:just|only|simply) (?:answer|explain|tell|describe|discuss|think|brainstorm|report|(?<!then just |then only |then simply )summari[sz]e (?:the|this|our|your) (?:chat|conversation|session|discussion|project|code|codebase|design|situation|findings)|investigate|diagnose|look|analy[sz]e|review|advise|give me (?:your|an?) (?:opinion|answer|explanation|overview|plan|estimate)|your (?:opinion|thoughts|view)|an? (?:question|fyi|idea|plan|opinion|thought|answer|explanation))\b/im,
  /\b(?:answer|answers|explanation|plan|planning|audit|review|analysis|discussion|estimate|opinion|question|reading|research|brainstorming|advice)(?: |-)(?:only|alone)\b(?! (?:on|in|for|to|if|when|with|from|at)\b)|\bonly (?:an? )?(?:answer|explanation|plan|audit|review|analysis|estimate|opinion|question)\b/im,
  /\bno fix(?:es|ing) yet\b|\bnot asking you to\b|\bno (?:writes(?! at all in| in| when| during| to)|(?:further|more) (?:edits?|changes?|code))\b|\bstop (?:editing|coding|changing (?:files|code))\b|\b(?:do not|don['’]?t) (?:edit|change|touch|modify|write) anything (?:more|else|further|any ?more)\s*(?:[.,;!]|$)/im,
  /\bno (?:code|coding|implementation|implementing|edits?|changes?|modifications?)(?: (?:changes?|edits?|yet|for now|now|here|please|at all|whatsoever|of any kind|needed|required|necessary|tho|though))*\s*(?:[.,;:!?)\n]|$|(?:coz|cause|because|since|just|only|u\b|until|till))/im,
  /\b(?:nothing to (?:implement|change|code|fix|edit)|hold off (?:on|with) (?:the )?(?:coding|implement\w+|changes?|edits?|code|writing)|before (?:you|u|we) (?:code|implement|write|start|change|touch|do anything|make any)\b(?! \S{1,20} (?:in|to|under|inside)\b)|plan first|not yet (?:code|implement)|leave (?:everything|every file|all (?:of )?(?:the |my |our )?files|the (?:code|repo|repository|project|codebase)) (?:as (?:it )?is|alone|untouched|unchanged)|look,? (?:but )?don['’]?t (?:modify|touch|change|edit)|you (?:do not|don['’]?t) (?:need|have) to (?:do|change|implement) anything|read[- ]only (?:please|task|review)|(?<=(?:^|[.,;:!]|\b(?:please|just|but|you (?:must|should|have to|are to)|let['’]?s)) {0,2})(?:stay|work|be|remain) (?:in )?read[- ]only|(?<=(?:^|[.,;:!]|\b(?:please|just|but|you (?:must|should|are)|we (?:are|stay)|we['’]re|let['’]?s)) {0,2})(?:(?:stay|work|be|remain) )?in plan(?:ning)? mode(?=,| (?:for now|please|until|here)|[.!]?$)|without (?:making|doing) (?:any )?(?:changes?|edits?))\b/im,
]

/** "Just a list in the chat, please". */
const IN_THE_ANSWER =
  /^(?!.{0,200}\b(?:should|must|needs?|has to)\b).{0,200}(?:\b(?:just|only|simply) (?:give me |write |post |send |put )?(?:an? |the |your )?(?:short |quick |brief |plain )?(?:list|summary|table|overview|report|answer|reply|explanation)\b[^.,;]{0,40}?\b(?:here|in (?:the|this|our|your) (?:chat|answer|reply|response|conversation))(?: please| pls)?\s*(?:[.,;!]|$)|\b(?:an? )?(?:list|summary|answer|reply|overview|report) (?:here|in (?:the|this|our) (?:chat|conversation)) (?:is|will be|would be) (?:enough|fine|all)\b)/i

/** "Just wondering why it is slow"; "just asking for a smaller gap" and "just wondering why, make it faster" want work. */
const JUST_ASKS =
  /\b(?:just|only|merely) (?:asking\b(?! (?:(?:you|u|it|him|her|them|claude) )?(?:for|to)\b)|curious|wondering|a question)\b|\bi (?:only|just) (?:want|need|wanted|wish|would like) to (?:understand|know|learn|find out|see) (?:why|(?:the|its) (?:root )?(?:reasons?|causes?|difference)|what (?:causes?|caused|happens|happened|went wrong))\b|\band (?:only|just) want to (?:understand|know) (?:why|the (?:root )?(?:reason|cause))\b/i

/** The same as a refusal without an object, unless it stands beside one: "src/legacy - do not modify". */
const BARE_REFUSAL =
  /\b(?:do not|don['’]?t|dont|never|no need to|without|not going to|refrain from|please no|(?:do not|don['’]?t) (?:want|wish|need)(?: you| u)?(?: to)?)(?: (?:actually|yet|please|even|you|to|start|begin|go|try|ever|rush|jump|dive|hurry|straight|into))*\s+(?:writ(?:e|ing)|implement(?:ing)?|cod(?:e|ing)|start(?:ing)? (?:coding|to code|implementing|writing)|chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|touch(?:ing)?|fix(?:ing)?|do(?:ing)?|mak(?:e|ing)|apply(?:ing)?|sav(?:e|ing)|creat(?:e|ing)|generat(?:e|ing)|build(?:ing)?)(?:\s+(?:(?:any|the|some|actual|your|more)\s+)?(?:code|implementation|anything|things?|it|files?|changes?|edits?|modifications?|stuff)(?:\s+(?:to (?:fix|solve|change|do) (?:it|this|that|them)|changes?|yourself|yet|for (?:it|this|that|now)|at all|about it|at this (?:point|time|stage)|now|here))*)?\s*(?:[.,;:!?)\n]|$|(?:yet|until|till|before|now|just|but|however)\b)/im

export function isAnswerAlone(sentence: string, foreign: readonly Language[], closed: readonly string[]): boolean {
  // "Move them out so that others can edit them without touching code": an order, with a manner.
  if (WHENEVER.test(sentence)) return false
  // "Plan only, I'll apply it": what a tool prints before it acts, and not a text.
  if (/(?<!\p{L})plan(?!\p{L})/iu.test(sentence) && /(?<!\p{L})apply(?!\p{L})/iu.test(sentence)) return false
  // "Change only analysis/forecast.py": what a path is called says nothing.
  const bare = withoutPaths(sentence)
  const said = isOrdered(sentence) ? bare.replace(/\bwithout\b.{0,200}/i, ' ') : bare
  // "a.ts and b.ts are done, no more edits in those": a refusal of a part, unless words are asked for beside it.
  if (ANSWER_ALONE.some((words) => words.test(said))) return !isPartly(sentence, closed) || WORDS_WANTED.test(said)
  // "Just a list in the chat, don't add any tests": the answer is the place, whatever is refused beside it.
  if (IN_THE_ANSWER.test(said)) return true
  if (CHANGES_NONE.test(bare) && pathsIn(sentence).length === 0 && !isPartly(sentence, closed)) return true
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

const WORDS_WANTED =
  /\b(?:explain|explanation|answers?|tell|describe|review|analy[sz]e|analysis|audit|plan|questions?|discuss\w*|report|advi[sc]e|think|estimate|opinion|investigate|understand|why|how)\b/i

/** Whether one of the limits that close a part of the project was read from this sentence. */
export function isPartly(sentence: string, closed: readonly string[]): boolean {
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

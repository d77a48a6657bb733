import { stem, words } from '../text/words.ts'
import { clausesOf } from './clauses/clauses-of.ts'
import { isClosing } from './clauses/refuses.ts'
import { type Closing, readClosing } from './closing.ts'
import { drivenGoal } from './driven.ts'
import { keywordsOf } from './goal.ts'
import { pathsIn } from './paths-in.ts'
import { asksForWork } from './question/sentence-reading.ts'

/** What an instruction means for the work in hand, and what an answer says about its end, without a model. */
export type TaskAction = 'continue' | 'new_task' | 'subtask' | 'parallel_task' | 'task_complete' | 'subtask_complete'

export interface CurrentWork {
  goal: string
  keywords: string[]
  kind: 'main' | 'subtask' | 'parallel'
  /** Files of the recent steps: a follow-up often names only those. */
  recentFiles: readonly string[]
}

/** Called with the user's own words, wrappers already stripped. */
export function onInstruction(
  current: CurrentWork | undefined,
  instruction: string,
  simple: boolean,
): Exclude<TaskAction, 'task_complete' | 'subtask_complete'> {
  if (!current) return 'new_task'
  const text = instruction.trim()
  const driven = drivenGoal(text)
  if (driven !== undefined) return driven.startsWith(current.goal.replace(/…$/, '')) ? 'continue' : 'new_task'
  if (simple || text === '') return 'continue'
  if (SETS_ASIDE.test(text) || isGivenUp(current, text)) return 'new_task'
  if (REACTS.test(text) || isHandling(text)) return 'continue'
  if (BEFOREHAND.test(text)) return 'subtask'
  if (ALONGSIDE.test(text)) return 'parallel_task'
  const tie = overlap(current, text)
  if (SAME_AGAIN.test(text)) return 'continue'
  if (NEXT.test(text)) return tie >= 0.34 ? 'continue' : 'new_task'
  if (asksOnly(text) || refersBack(text) || goesOn(text)) return 'continue'
  // "Now fix the login bug" names work of its own, "now a monthly one" does not.
  if (MOVES_ON.test(text) && WORK.test(text)) return tie >= 0.34 ? 'continue' : 'new_task'
  return tie > 0 || isShort(text) ? 'continue' : 'new_task'
}

/** Called with the closing words of a turn that used no tool; `closing` where they were read before. */
export function onAnswer(
  current: CurrentWork | undefined,
  answer: { text: string; wroteFiles: boolean; closing?: Closing },
): 'continue' | 'task_complete' | 'subtask_complete' {
  if (!current || (answer.closing ?? readClosing(answer.text)) !== 'finished') return 'continue'
  if (!answer.wroteFiles && !SAYS_TASK_DONE.test(answer.text)) return 'continue'
  return current.kind === 'main' ? 'task_complete' : 'subtask_complete'
}

/** In so many words it stands by itself; softer phrases need work that was really done. */
const SAYS_TASK_DONE = /\b(?:task|work|subtask) (?:is )?(?:now )?(?:complete[d]?|done|finished)\b/i

const REACTS =
  /^(?:no\b|nope|yes\b|yep|ok(?:ay)?[,.!]? (?:but|so|and)|actually|hmm|wait|that(?:['’]s| is| was| does| did)|this (?:is|still|does|fails)|it(?:['’]s| is| still| does| fails| seems| looks)|still\b|why (?:did|do|are|is) (?:you|it|this|that)|you (?:forgot|missed|broke|did|should|also)|undo|revert (?:that|this|it)|try again|same|not (?:what|quite|working)|i (?:get|got|see|still|meant|mean|said)\b)/i
const SETS_ASIDE =
  /^(?:(?:ok(?:ay)?|great|good|perfect|nice|thanks?|thank you|thx|cool|alright|all right|phew|hm+|done|merged|works)[\w ]{0,20}[,.! ]+)*(?:new (?:task|ticket|issue|topic|bug)\b|forget (?:that|it|about|the)|never ?mind|nvm\b|drop (?:that|it|this|the)\b|scrap (?:that|it|the)\b|let['’]?s (?:switch|move on|do something else)|switch(?:ing)? (?:to|over|topics?)|moving on|(?:a )?(?:different|another|separate|unrelated) (?:topic|task|question|thing|issue|problem|bug|matter)|there['’]s another (?:thing|issue|problem|bug)|unrelated\b|stop (?:that|this)(?! (?:from|when|if|\w+ing)\b)|on another (?:note|topic)|next up|now on to)/i
/** "Stop, leave the dashboard. Fix the retries instead": work that has nothing of the work before takes its place. */
function isGivenUp(current: CurrentWork, text: string): boolean {
  const isStopped = STOPS.test(text)
  if (!isStopped && !(INSTEAD.test(text) && pathsIn(text).length > 0)) return false
  const asked = clausesOf(text.replace(/…|\.{3}/g, '. ')).filter((clause) => !isClosing(clause) && !STOPS.test(clause))
  const wanted = asked.filter((clause) => asksForWork(clause) || /\b(?:should|must|needs to|has to)\b/i.test(clause))
  const names = wanted.flatMap(keywordsOf).filter((word) => word !== 'instead')
  // "Stop, use German" says how.
  const isNamed = names.length > 1 || pathsIn(wanted.join(' ')).length > 0
  return isNamed && wanted.every((clause) => overlap(current, clause) === 0 && !refersBack(clause))
}

const STOPS =
  /^(?:(?:ok(?:ay)?|no|nope|wait|hm+|actually|sorry|please|hey|oh|ah|argh)[,.! ]+){0,3}(?:stop|halt|cancel)(?: (?:it|that|this|here|there|now|everything|all of (?:it|that|this)|working on (?:it|that|this)))?(?=\s*(?:[,.;:!…–—-]|$))/i
const INSTEAD = /\binstead\s*[.!]?$/i
/** What is done with finished work: it belongs to the work. */
const HANDLES =
  /^(?:(?:ok(?:ay)?|great|good|perfect|nice|thanks|cool|please|pls|now|then|and|also|can you|could you|just|(?:all )?(?:tests|it|that|everything|all)(?: (?:are|is))? (?:green|good|fine|works?|passed|pass(?:es)?))[,.! ]+)*(?:(?:git )?(?:commit|push|pull|merge|rebase|squash|stash|tag|amend)\b|(?:re-?)?run\b|(?:re-?)?(?:build|deploy|lint|test|compile|start) (?:it|this|that|them|again|everything|the (?:app|project|server|tests?|build))\b|(?:add|write|put|create) (?:a |an |some |the |more |unit |a unit |regression |a regression )*(?:tests?|specs?)\b|(?:open|create|make) (?:a |the )?(?:pr|pull request|mr|merge request|branch)\b)/i
const SAME_AGAIN =
  /\b(?:option|variant|approach|alternative|step|phase|number) (?:\d|[a-d]\b|one|two|three)|\btoo[.!]?$|^(?:and|also) \S+(?: \S+){0,8} (?:needs?|should|is|are)\b|^(?:ci|the build|build|tests?|lint|pipeline) (?:failed|fails|is red|broke|is broken|still fails)|\byour changes\b|\b(?:(?:do|did|apply|use|repeat) (?:the )?same|same (?:thing|for|with|way|here)|as well|likewise)\b/i
const LONGEST_HANDLING = 80

function isHandling(text: string): boolean {
  return text.length <= LONGEST_HANDLING && HANDLES.test(text) && !/[\w-]\/[\w-]/.test(text)
}

const BEFOREHAND =
  /^(?:first\b|before (?:that|you|we|doing|continuing)\b|but first|as a (?:prerequisite|first step)|(?:i|we|you)(?:['’]ll| will)? (?:first )?need to .{3,80}\bfirst\b|let['’]?s first|to do that,? (?:first|we need))/i
const ALONGSIDE =
  /^(?:also\b|and also\b|additionally\b|in addition\b|while you(?:['’]re| are) (?:at it|there)|in parallel\b|meanwhile\b|by the way|btw\b|separately\b|on the side|at the same time|one more thing|another (?:thing|small))/i
const MOVES_ON =
  /^(?:(?:ok(?:ay)?|great|good|perfect|nice|thanks|thank you|cool|alright|all right)[,.! ]+)?(?:now|next|then|after that)\b/i

/** What comes after the work in hand, in so many words. */
const NEXT =
  /^(?:[\p{L}\p{S}'’]{1,12}[,.!。、！ ]{1,3}){0,3}(?:next\b|(?:an)?other thing\b|on to\b|als nächstes|nächstes thema|neues thema|anderes thema|passons à|autre chose|siguiente\b|otra cosa|pasemos a|passiamo|altra cosa|próxim[oa]\b|outra coisa|volgende|iets anders|następn|inna sprawa|nästa|nu till|næste|další\b|sıradaki|следующ|дальше|другое|наступн|接下来|下一个|另外一个|换个|次は|次に|別件|다음은|다음으로)/iu

/** Words that add to what was asked, or speak of how it stands now, in the languages that people write. */
const GOES_ON =
  /^(?:and|but|plus|or|und|aber|oder|et|mais|ou|y|pero|ma|però|mas|maar|ale|och|men|og|ve|ama|а|и|но|і|та|але|あと|それと|でも|那|那就|但|不过|还有|그리고|그런데)(?![\p{Ll}\p{Lu}])|(?<!\p{L})(?:also|too|instead|rather|anyway|again|ones|they|auch|noch|stattdessen|wieder|reicht|aussi|encore|plutôt|également|también|además|todavía|sigue|anche|ancora|invece|também|ainda|faltou|ook|nog|toch|też|także|jeszcze|też|också|även|fortfarande|taky|ještě|тоже|также|ещё|еще|теж|також|ще)(?!\p{L})|[也还再]|も[^う]|도\s|^(?:now|ahora|agora|adesso|ora|jetzt|maintenant|теперь|тепер|nu|teraz|现在|今度は|이제)\s(?:it|they|\p{Ll}+s\s|a\s|the\s)/iu

const LONGEST_WORD_IN_PASSING = 6

const WORK =
  /\b(?:now|next|then|after that)\s(?:\w+ly\s)?(?:add|fix|implement|create|build|write|update|refactor|rename|remove|move|migrate|replace|do|work|look|start|set|change)\b/i

function goesOn(text: string): boolean {
  return GOES_ON.test(text.slice(0, 160))
}

/** A few words, and no file or function among them, are said to what is on the table. */
export function isShort(text: string): boolean {
  if (/[\w-][./][\w-]|\w\(\)|[A-Z]{2}-\d/.test(text)) return false
  const signs = text.match(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return signs > 0 ? signs <= 16 : text.split(/\s+/).length <= LONGEST_WORD_IN_PASSING
}

function asksOnly(text: string): boolean {
  const asks = /^(?:what|why|how|where|when|who|which|is|are|does|do|did|can|could|should|would|will|has|have)\b/i.test(
    text,
  )
  const orders = /^(?:can|could|would|will) you\b/i.test(text)
  return (asks || text.endsWith('?')) && !orders && text.length < 400
}

/** So few words hardly name anything new. */
const FEW_WORDS = 8

function refersBack(text: string): boolean {
  const said = words(text)
  const opening = said.slice(0, said.length <= FEW_WORDS ? FEW_WORDS : 3)
  return opening.some((word) =>
    ['it', 'that', 'this', 'those', 'these', 'them', 'above', 'same', 'previous'].includes(word),
  )
}

/** The share of the instruction's telling words that the work in hand already knows. */
function overlap(current: CurrentWork, text: string): number {
  const asked = keywordsOf(text).map(stem)
  if (asked.length === 0) return 1
  const known = new Set(
    [...words(current.goal), ...current.keywords.flatMap(words), ...current.recentFiles.flatMap(words)].map(stem),
  )
  return asked.filter((word) => known.has(word)).length / asked.length
}

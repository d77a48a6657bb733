import { stem, words } from '../text/words.ts'
import { clausesOf } from './clauses/clauses-of.ts'
import { refusesChange } from './clauses/refuses.ts'
import { WORKS } from './clauses/work-verbs.ts'
import { drivenGoal } from './driven.ts'
import { onlyAnswers } from './limits/answer-only.ts'
import { ordersIn } from './orders.ts'
import { ownLines, sentencesOf } from './prose.ts'

/** What the user asked for, as far as words alone tell: a model may refine it later, nothing waits for that. */
export interface Goal {
  goal: string
  /** Paths and folders the instruction names. */
  expectedScope: string[]
  /** What must not happen, each in the user's words it came from: "don't touch the schema". */
  constraints: string[]
  keywords: string[]
}

const MAX_GOAL = 240
const MAX_KEYWORDS = 24

/** Reads goal, scope, constraints and keywords out of an instruction (already stripped of wrappers and logs). */
export function extractGoal(instruction: string): Goal {
  const orders = ordersIn(instruction)
  const driven = drivenGoal(instruction)
  return {
    goal: driven === undefined ? headline(instruction, orders.constraints) : clip(driven, MAX_GOAL),
    ...orders,
    keywords: keywordsOf(driven ?? instruction),
  }
}

/**
 * The request in one line, with what it is about: limits stand apart from it, greetings and thanks are left out, and what
 * was pasted counts only where the user's own words name nothing.
 */
function headline(instruction: string, limits: readonly string[]): string {
  const said = sentencesOf(ownLines(instruction)).filter((sentence) => !isPolite(sentence))
  const apart = said.filter((sentence) => !limits.some((limit) => isSame(limit, sentence)))
  const own = apart.length > 0 ? apart : said
  const telling = own.filter((sentence) => keywordsOf(sentence).length > 0)
  const pasted = telling.join(' ').length < SHORT ? pastedLine(instruction) : []
  const chosen = fitting([...(telling.length > 0 ? telling : own), ...pasted])
  return clip(`${bareOrder(own, telling)}${chosen.join(' ')}` || instruction, MAX_GOAL)
}

/** "It is off by one month. Fix it.": the order names nothing by itself, and makes the rest a goal. */
function bareOrder(own: readonly string[], telling: readonly string[]): string {
  if (telling.length === 0 || telling.some((sentence) => ASKS.test(sentence))) return ''
  const verb = own
    .filter((sentence) => !telling.includes(sentence))
    .map((sentence) =>
      /^(?:please |pls |so |and |ok,? )*(fix|solve|repair|resolve|handle|improve|change|remove)\b/i.exec(sentence),
    )
    .find((match) => match !== null)?.[1]
  return verb === undefined ? '' : `${verb[0]!.toUpperCase()}${verb.slice(1).toLowerCase()}: `
}

/** So few words of one's own hardly name what they are about. */
const SHORT = 60

/** A limit that stands in a sentence of its own; where the same sentence also asks for something, it is the goal too. */
function isSame(limit: string, sentence: string): boolean {
  const said = clip(sentence, 300).replace(/(?<![.!。])[.!。]+$/, '')
  if (limit !== said && !limit.endsWith(`. ${said}`)) return false
  // "The auditors want them" is why.
  const beside = clausesOf(sentence.slice(0, 60)).filter(
    (clause) => !/\b(?:want|need) (?:it|them|that|those)\b/i.test(clause),
  )
  return !beside.some((clause) => ASKS.test(clause) && !refusesChange(clause))
}

/** Whether nothing is said but what must not happen: it holds for the work, and names none. */
export function isLimitAlone(instruction: string): boolean {
  const said = sentencesOf(ownLines(instruction)).filter((sentence) => !isPolite(sentence))
  const limits = ordersIn(instruction).constraints.filter((limit) => !onlyAnswers(limit))
  return said.length > 0 && said.every((sentence) => limits.some((limit) => isSame(limit, sentence)))
}

/** The first line of what was pasted that says something: mostly the error. */
function pastedLine(instruction: string): string[] {
  const own = new Set(ownLines(instruction).split('\n'))
  const line = instruction
    .split('\n')
    .find((text) => !own.has(text) && !text.trimStart().startsWith('```') && keywordsOf(text).length > 1)
  return line ? [clip(line, 120)] : []
}

/** As many sentences as one line holds: the first that asks for something, those of the beginning, more that ask, and the rest. */
function fitting(sentences: readonly string[]): string[] {
  const first = sentences.findIndex(asks)
  const isLong = sentences.join(' ').length > MAX_GOAL
  const rank = (index: number) => {
    const sentence = sentences[index]!
    if (NEGATED.test(sentence)) return 5
    if (index === first) return 0
    // Where there is no room for all, the head of a list says less than its items.
    if (isLong && /[:：]$/.test(sentence)) return 4
    return index < 2 ? 1 : asks(sentence) ? 2 : 3
  }
  const ranked = [...sentences.keys()].sort((a, b) => rank(a) - rank(b) || a - b)
  const kept = new Set<number>()
  let length = 0
  for (const index of ranked) {
    const size = sentences[index]!.length + 1
    if (kept.size > 0 && length + size > MAX_GOAL) continue
    kept.add(index)
    length += size
  }
  return sentences.filter((_, index) => kept.has(index))
}

function asks(sentence: string): boolean {
  return ASKS.test(sentence) || WORKS.test(sentence)
}

const NEGATED = /^(?:please )?(?:do not|don['’]?t|never|no)\b/i
const ASKS =
  /\b(add|fix|implement|create|write|build|make|update|change|refactor|rename|remove|delete|move|support|improve|migrate|replace|investigate|debug|explain|review|test|document|convert|extract|integrate|upgrade|optimi[sz]e|handle|ensure|find|check|set up|clean up|look into|why|how|what|can you|could you|please|should|need|want)\b/i
const POLITE =
  /^(?:hi|hello|hey|hallo|hola|bonjour|ciao|olá|привет|здравствуйте|你好|您好|こんにちは|안녕하세요|good (?:morning|evening|afternoon)|thanks?|thank you|thx|ty|cheers|great|nice|cool|good|ok|okay|alright|lgtm|super|sweet|perfect|awesome|excellent|danke|merci|gracias|grazie|obrigado|спасибо|谢谢|ありがとう)(?:[\s,!.]+(?:there|claude|all|again|a lot|so much|everyone|hope you['’]re well|very much))*[\s,!.:]*$/i

function isPolite(sentence: string): boolean {
  return sentence.length < 60 && POLITE.test(sentence)
}

/** The words that tell this instruction from another, most telling first kept in order of appearance. */
export function keywordsOf(text: string): string[] {
  const seen = new Map<string, string>()
  for (const word of words(text)) {
    if (isShort(word) || COMMON.has(word) || /^\d+$/.test(word)) continue
    const root = stem(word)
    if (!seen.has(root)) seen.set(root, word)
  }
  return [...seen.values()].slice(0, MAX_KEYWORDS)
}

/** Two signs are a word in scripts without spaces. */
function isShort(word: string): boolean {
  return word.length < 3 && !(word.length === 2 && word > '\u3040')
}

function clip(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).trimEnd()}…`
}

const COMMON = new Set(
  `the and for that this with from have has had not are was were will would can could should shall may might must been being
  but you your yours our ours their them they there here what when where which while who whom why how all any both each few more
  most other some such only own same than then too very just now also into onto over under again further once about after before
  between during through above below out off let lets please want wants need needs make makes made sure use uses used using get
  gets got see look like new way work works working thing things something anything code file files add adds added fix fixes fixed
  update updates change changes changed create implement write still instead without because able well good first next last one two
  does doing done did don doesn isn aren its it's i'm we're hey hello thanks thank would try tries help give take put set run
  currently think know maybe okay`.split(/\s+/),
)

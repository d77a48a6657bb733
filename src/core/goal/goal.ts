import { pathsIn } from '../text/paths.ts'
import { stem, words } from '../text/words.ts'

/** What the user asked for, as far as words alone tell: a model may refine it later, nothing waits for that. */
export interface Goal {
  goal: string
  /** Paths and folders the instruction names. */
  expectedScope: string[]
  /** What must not happen, in the user's words: "don't touch the schema". */
  constraints: string[]
  keywords: string[]
}

const MAX_GOAL = 240
const MAX_KEYWORDS = 24

/** Reads goal, scope, constraints and keywords out of an instruction (already stripped of wrappers and logs). */
export function extractGoal(instruction: string): Goal {
  const constraints = constraintsIn(instruction)
  return {
    goal: headline(instruction),
    expectedScope: pathsIn(withoutAll(instruction, constraints)),
    constraints,
    keywords: keywordsOf(instruction),
  }
}

/**
 * The first sentence that asks for something; greetings and background come before it in many prompts. "Please fix it" alone
 * would fit any goal: then the one that says what is wrong.
 */
function headline(instruction: string): string {
  const sentences = sentencesOf(instruction)
  const telling = sentences.filter((sentence) => keywordsOf(sentence).length > 0)
  const asking =
    telling.find((sentence) => ASKS.test(sentence)) ??
    telling.find((sentence) => words(sentence).length > 2) ??
    sentences.find((sentence) => words(sentence).length > 2)
  return clip(asking ?? sentences[0] ?? instruction.trim(), MAX_GOAL)
}

const ASKS =
  /\b(add|fix|implement|create|write|build|make|update|change|refactor|rename|remove|delete|move|support|improve|migrate|replace|investigate|debug|explain|review|test|document|convert|extract|integrate|upgrade|optimi[sz]e|handle|ensure|find|check|set up|clean up|look into|why|how|what|can you|could you|please|should|need|want)\b/i

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'`(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

const FORBIDS =
  /\b(?:do not|don['’]?t|dont|never|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|avoid|without|no need to|leave\b[^.,;\n]*\balone|keep\b[^.,;\n]*\b(?:as is|unchanged|intact|untouched)|only (?:touch|change|edit|modify|use|in|under)|no (?:new|changes?|breaking|extra|third)|must (?:stay|remain|keep))\b/i

/** The clauses of the instruction that forbid or limit something. */
function constraintsIn(instruction: string): string[] {
  const clauses = sentencesOf(instruction).flatMap((sentence) =>
    sentence.split(/[;,](?=\s)|\s+(?:but|and)\s+(?=do|don|never|without|avoid|keep|leave|only|no\b)/i),
  )
  const found = clauses
    .filter((clause) => FORBIDS.test(clause))
    .map((clause) => clip(clause.trim().replace(/[.!]+$/, ''), 160))
  return [...new Set(found)].slice(0, 10)
}

/** The words that tell this instruction from another, most telling first kept in order of appearance. */
export function keywordsOf(text: string): string[] {
  const seen = new Map<string, string>()
  for (const word of words(text)) {
    if (word.length < 3 || COMMON.has(word) || /^\d+$/.test(word)) continue
    const root = stem(word)
    if (!seen.has(root)) seen.set(root, word)
  }
  return [...seen.values()].slice(0, MAX_KEYWORDS)
}

function withoutAll(text: string, parts: string[]): string {
  return parts.reduce((rest, part) => rest.replace(part, ' '), text)
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

import { stepsInMarkdown } from '../plan/text.ts'
import { markerCutShort } from './markers.ts'
import type { Priority, QuestionOption } from './question.ts'
import { type AskedQuestion, optionsIn, type Report, reportsOf, typeOf } from './reports.ts'

/** What an agent said when it reported nothing that could be read, and what it was asked for. */
export interface FreeText {
  wanted: 'plan' | 'review' | 'step'
  text: string
  /** Markers that began and never ended. */
  unclosed: readonly string[]
}

/** The report that is meant, by rules alone; undefined when there is none to be seen, and a person reads the text. */
export function reportByRules({ wanted, text, unclosed }: FreeText): Report | undefined {
  const begun = reportsOf(unclosed.flatMap((one) => markerCutShort(one) ?? []))
  const meant = begun.find(({ type }) => type === 'questions') ?? begun[0]
  if (meant) return asked(wanted, meant)
  switch (wanted) {
    case 'plan':
      return planOrQuestion(text)
    case 'review':
      return reviewIn(text)
    case 'step':
      // Whether a step is done is never read from words, and what Claude asks in passing is no blocker.
      return undefined
  }
}

/** Questions of a review are its findings. */
function asked(wanted: FreeText['wanted'], report: Report): Report {
  if (wanted !== 'review' || report.type !== 'questions') return report
  return { type: 'review', findings: report.questions, clean: false, summary: '' }
}

function planOrQuestion(text: string): Report | undefined {
  const question = questionIn(text)
  if (question && question.options.length > 1) return { type: 'questions', questions: [question] }
  const steps = stepsInMarkdown(text)
  if (steps) return { type: 'plan', summary: '', steps }
  return question && { type: 'questions', questions: [question] }
}

const LIST_ITEM = /^\s*(?:[-*•]|\(?[a-z0-9][.)])\s+\S/i
const CHOOSES = /\b(?:which|prefer|choose|pick|option|either|or)\b/i

/** The last question of a text: with the list below it, or above it when it asks to choose. */
function questionIn(text: string): AskedQuestion | undefined {
  const lines = text.trimEnd().split('\n')
  const at = lines.findLastIndex((line) => line.trim().endsWith('?') && !LIST_ITEM.test(line))
  if (at < 0) return undefined
  const below = itemsFrom(lines.slice(at + 1))
  const above = CHOOSES.test(lines[at]!) ? itemsFrom(lines.slice(0, at).reverse()).reverse() : []
  const items = below.length > 1 ? below : above
  // A question without options counts only as the last words: text after it goes on with something else.
  const isLast = lines.slice(at + 1).every((line) => line.trim() === '' || LIST_ITEM.test(line))
  if (!isLast && below.length < 2) return undefined
  const paragraph = lines
    .slice(0, at + 1)
    .join('\n')
    .split(/\n\s*\n/)
    .at(-1)!
    .split('\n')
    .filter((line) => !items.includes(line))
  return question(paragraph.join('\n').trim(), optionsIn(items, text), priorityIn(text))
}

/** The items of a list that begins here, whatever blank lines are between. */
function itemsFrom(lines: string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (LIST_ITEM.test(line)) items.push(line)
    else if (line.trim() !== '') break
  }
  return items
}

const PRESSING = /\b(?:block(?:s|ed|er|ing)|cannot (?:go on|continue|proceed)|security|data loss|breaking)\b/i
const OPTIONAL = /\b(?:optional|nice to have|minor|cosmetic|naming|polish)\b/i

function priorityIn(text: string): Priority {
  return PRESSING.test(text) ? 1 : OPTIONAL.test(text) ? 3 : 2
}

const FINDING =
  /^\s*(?:[-*•]|\d+[.)])\s+(?:\*\*)?\[?(critical|major|minor|suggestion|blocker|security|performance|architecture|integration|p[123])\]?(?:\*\*)?\s*[:–—-]\s*(\S.*)$/i
const RANK: Record<string, Priority> = { critical: 1, blocker: 1, security: 1, p1: 1, minor: 3, suggestion: 3, p3: 3 }

/**
 * Findings as a list with a severity or a category in front of each. That there are none is not read from words: a clean review
 * may start the work.
 */
function reviewIn(text: string): Report | undefined {
  const findings = text.split('\n').flatMap((line) => {
    const [, word, said] = FINDING.exec(line) ?? []
    if (!word || !said) return []
    const rank = RANK[word.toLowerCase()] ?? 2
    const category = /^(?:security|performance|architecture|integration)$/i.test(word) ? word.toLowerCase() : ''
    return [{ ...question(said.trim(), ACCEPT_OR_CHANGE, rank), category }]
  })
  return findings.length > 0 ? { type: 'review', findings, clean: false, summary: '' } : undefined
}

const ACCEPT_OR_CHANGE: QuestionOption[] = [
  { value: 'A', label: 'Change the plan', description: '', recommended: true },
  { value: 'B', label: 'Accept the risk', description: '', recommended: false },
]

/** A question of which no more is known than what it says. */
export function question(text: string, options: QuestionOption[], priority: Priority): AskedQuestion {
  return {
    text,
    context: '',
    questionType: typeOf(undefined, options),
    options,
    required: true,
    priority,
    category: '',
    file: null,
    line: null,
    immediate: false,
  }
}

import { cap } from '../context/fence.ts'
import type { Reasoning, WorkQuestion } from '../ports/judge.ts'
import type { Step } from '../step.ts'

/** What a finished piece of work leaves behind, drawn from what was done and said, without a model. */
export function reasoningFrom(work: WorkQuestion): Reasoning {
  const sentences = [...new Set(sentencesOf(work.closingWords))]
  // What is told as a decision is not told again.
  const told = sentences.filter(
    (sentence) => TELLS.test(sentence) && isSpecific(sentence) && decisionIn(sentence).length === 0,
  )
  const outcome = sentencesOf(work.outcome ?? '')
    .slice(0, 2)
    .filter((sentence, at) => at === 0 || decisionIn(sentence).length === 0)
  const trace = [...new Set([...outcome, ...told.slice(0, 8)])]
  return {
    reasoningTrace: [...trace.map((sentence) => cap(sentence, 300)), ...work.actions].slice(0, 16),
    decisions: sentences.flatMap(decisionIn).slice(0, 8),
    constraints: sentences
      .filter((sentence) => LIMITS.test(sentence))
      .map((sentence) => cap(sentence, 240))
      .slice(0, 8),
  }
}

/** One line per file or command: what was done to it and, where the excerpt shows it, to which function. */
export function actionsInWords(steps: Step[]): string[] {
  const lines = new Map<string, Set<string>>()
  for (const step of steps) {
    // What did not run was not done.
    if (step.outcome || step.kind === 'read' || step.kind === 'search' || step.kind === 'other') continue
    for (const line of doneBy(step)) {
      const names = lines.get(line) ?? new Set()
      for (const name of definitionsIn(step.excerpt ?? '')) names.add(name)
      lines.set(line, names)
    }
  }
  return [...lines].map(([line, names]) => (names.size === 0 ? line : `${line}: ${[...names].slice(0, 6).join(', ')}`))
}

/** What a command changed says more than the command. */
function doneBy({ kind, command, files, changes = [], earlierWork }: Step): string[] {
  if (kind === 'bash' && changes.length > 0)
    return changes.map((path) => `${earlierWork?.removed?.includes(path) ? 'Removed' : 'Changed'} ${path}`)
  if (kind === 'bash') return command === undefined ? [] : [`Ran \`${cap(command.replace(/\s+/g, ' '), 100)}\``]
  const target = changes[0] ?? files[0]
  return target === undefined ? [] : [`${VERBS[kind] ?? 'Used'} ${target}`]
}

const VERBS: Partial<Record<Step['kind'], string>> = {
  edit: 'Changed',
  write: 'Wrote',
  agent: 'Delegated',
}

const DEFINES =
  /(?:^|[\s+])(?:function\*?|def|fn|func|class|interface|type|enum|struct|trait|impl|module)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)|(?:^|[\s+])(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:\(|function)/g

/** Names of functions and types that a piece of code defines. */
export function definitionsIn(code: string): string[] {
  return [...code.matchAll(DEFINES)].map((match) => (match[1] ?? match[2])!)
}

const TELLS =
  /\b(?:because|caused|cause|root|found|turned out|fixed|changed|added|moved|replaced|removed|renamed|instead|so that|now)\b/i
const LIMITS =
  /\b(?:must(?: not)?|cannot|can['’]t|only works|requires?|limited to|not supported|incompatible|rate limit|at most|at least|deprecated)\b/i

/** A sentence worth keeping names something: a path, an identifier, code, a number. */
function isSpecific(sentence: string): boolean {
  return /[`/]|\w\.\w|\w_\w|[a-z][A-Z]|\d|\(\)/.test(sentence)
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}`])/u)
    .map((sentence) => sentence.replace(/^(?:[\s\-*#>•]|\d{1,3}[.)](?=\s))+/, '').trim())
    .filter((sentence) => sentence.length > 15)
}

const CHOICE =
  /\b(?:chose|decided|went with|picked|opted|used?|using|kept|switched to|instead of|rather than|prefer(?:red)?)\b/gi
const REASON = /(?<!\s)\s+(?:because|since|as it|so that|to avoid|in order to)\s/gi

/** The last choice that a reason follows, and the first reason behind it. */
function decisionIn(sentence: string): { choice: string; reason: string }[] {
  const reasons = [...sentence.matchAll(REASON)]
  const verb = [...sentence.slice(0, reasons.at(-1)?.index ?? 0).matchAll(CHOICE)].at(-1)
  const because = verb && reasons.find(({ index }) => index >= verb.index + verb[0].length)
  if (!because) return []
  const choice = sentence
    .slice(0, because.index)
    .trim()
    .replace(/[,;:]$/, '')
  const reason = sentence
    .slice(because.index + because[0].length)
    .trim()
    .replace(/\.$/, '')
  return reason === '' ? [] : [{ choice: cap(choice, 200), reason: cap(reason, 240) }]
}

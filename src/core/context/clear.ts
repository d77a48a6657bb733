import { changedFiles } from '../memory/changed-files.ts'
import { definitionsIn, reasoningFrom } from '../memory/reasoning.ts'
import type { Step } from '../step.ts'
import { cap } from './fence.ts'

/** What the agent needs to go on after its history was cut: goal, progress, decisions, files, state, next action. */
export interface WorkSoFar {
  goal: string
  instruction: string
  constraints: string[]
  /** Oldest first, valid ones only. */
  steps: Step[]
  lastWords: string
}

/** Some 2,500 tokens: enough to go on with, and little beside what it stands for. */
const MAX_SUMMARY = 10_000

/**
 * What was asked for, where the work stands and what comes next are always there. The lists between share what room is
 * left, the more telling first; of a long one the newest lines stay.
 */
export function sessionSummary(state: WorkSoFar): string {
  const { goal, instruction, constraints, steps, lastWords } = state
  const ran = steps.filter((step) => !step.outcome)
  const written = changedFiles(steps)
  const read = filesOf(ran, ['read', 'search']).filter((file) => !written.includes(file))
  const commands = [...new Set(ran.flatMap((step) => step.command ?? []))].slice(-8)
  const next = nextIn(lastWords)
  const opening = [
    'The earlier part of this conversation was set aside to keep the context window free. What matters of it:',
    `Goal: ${cap(goal, 500)}`,
    ...(instruction !== goal ? [`The user's own words: ${cap(instruction, 1500)}`] : []),
    section('Limits the user set', constraints, 1200),
  ]
  const closing = [
    ...(lastWords ? [`Where it stands, in your own last words: ${cap(lastWords, 1500)}`] : []),
    next === undefined
      ? 'Next action: go on from there; read a file again before changing it, since its text is no longer in view.'
      : `Next action, as you announced it: ${cap(next, 300)} Read a file again before changing it, since its text is no longer in view.`,
  ]
  const lists: List[] = [
    { title: 'Key decisions', lines: keyDecisions(steps).slice(-12), share: 0.3 },
    { title: 'Files changed, and how', lines: written.slice(-30).map((file) => howChanged(file, ran)), share: 0.55 },
    { title: 'What failed or was refused', lines: failuresOf(steps).slice(-8), share: 0.4 },
    { title: 'Progress', lines: progressOf(ran), share: 0.4 },
    { title: 'Files looked at', lines: read.slice(-20), share: 0.5 },
    { title: 'Commands run last', lines: commands.map((command) => cap(command, 160)), share: 1 },
  ]
  const kept = joined([...opening, ...closing])
  const parts = [...opening, ...within(lists, MAX_SUMMARY - kept.length - lists.length), ...closing]
  return cap(joined(parts), MAX_SUMMARY)
}

interface List {
  title: string
  lines: string[]
  /** How much of the room that is left it may take. */
  share: number
}

function within(lists: List[], room: number): string[] {
  let left = room
  return lists.map(({ title, lines, share }) => {
    const text = section(title, lines, Math.floor(left * share))
    left -= text.length
    return text
  })
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** The newest sentence in which the agent says what it is going to do. */
function nextIn(words: string): string | undefined {
  const sentences = words.split(/\n+|(?<=[.!?:])\s+/).map((sentence) => sentence.trim())
  return sentences.findLast((sentence) => ANNOUNCES.test(sentence))
}

const ANNOUNCES =
  /\b(?:next\b|now i(?:['’]ll| will)|i(?:['’]ll| will| am going to)|let me|remaining|still (?:to do|needs?))/i

/** What was done to a file: how often, which functions and types, and the newest lines. */
function howChanged(file: string, steps: Step[]): string {
  const mine = steps.filter((step) => step.changes?.includes(file) || (isEdit(step) && step.files.includes(file)))
  const names = [...new Set(mine.flatMap(({ excerpt }) => definitionsIn(excerpt ?? '')))].slice(0, 5)
  const newest = mine.findLast(({ excerpt }) => excerpt)?.excerpt?.replace(/\s+/g, ' ')
  const command = mine.findLast((step) => step.command)?.command
  const how = newest ?? (command && `\`${command}\``)
  const times = mine.length > 1 ? ` (${mine.length} times)` : ''
  return `${file}${times}${names.length > 0 ? `: ${names.join(', ')}` : ''}${how ? `; last: ${cap(how, 110)}` : ''}`
}

function isEdit({ kind }: Step): boolean {
  return kind === 'edit' || kind === 'write'
}

function failuresOf(steps: Step[]): string[] {
  const failed = steps.filter(({ outcome }) => outcome !== undefined)
  const lines = failed.map(({ kind, files, command, query, tool, outcome }) => {
    const what = command ? `\`${cap(command, 120)}\`` : `${kind} ${files[0] ?? query ?? tool}`
    return `${what}: ${outcome === 'denied' ? 'was not allowed' : 'failed'}`
  })
  return [...new Set(lines)]
}

/** What the agent decided on the way, with its reasons where it gave them. */
export function keyDecisions(steps: Step[]): string[] {
  const told = steps.flatMap(({ keyDecision, reasoning }) => (keyDecision && reasoning ? [reasoning] : []))
  const decisions = told.flatMap((reasoning) => {
    const words = { goal: '', instruction: '', actions: [], files: [], closingWords: reasoning }
    const found = reasoningFrom(words).decisions.map(({ choice, reason }) => `${choice}: ${reason}`)
    return found.length > 0 ? found : [cap(reasoning.replace(/\s+/g, ' '), 240)]
  })
  return [...new Set(decisions)]
}

/** Runs of work on the same file are one line; the latest lines matter most. */
function progressOf(steps: Step[]): string[] {
  const lines: { text: string; times: number }[] = []
  for (const step of steps) {
    const text = `${step.kind} ${step.changes?.[0] ?? step.files[0] ?? cap(step.command ?? step.query ?? step.tool, 80)}`
    const last = lines.at(-1)
    if (last?.text === text) last.times++
    else lines.push({ text, times: 1 })
  }
  return lines.slice(-30).map(({ text, times }) => (times > 1 ? `${text} (${times} times)` : text))
}

function filesOf(steps: Step[], kinds: Step['kind'][]): string[] {
  return [...new Set(steps.filter((step) => kinds.includes(step.kind)).flatMap((step) => step.files))]
}

/** A titled list within so many characters; of a longer one the newest lines, and how many came before them. */
function section(title: string, lines: string[], room: number): string {
  let left = room - title.length - OMITTED
  const kept: string[] = []
  for (const line of lines.toReversed()) {
    left -= line.length + 3
    if (left < 0) break
    kept.unshift(`- ${line}`)
  }
  if (kept.length === 0) return ''
  const before = lines.length - kept.length
  return [`${title}:`, ...(before > 0 ? [`- (${before} before these)`] : []), ...kept].join('\n')
}

const OMITTED = 30

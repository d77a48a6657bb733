import { changedFiles } from '../memory/changed-files.ts'
import { definitionsIn, reasoningFrom } from '../memory/reasoning.ts'
import type { Step } from '../step.ts'
import { cap } from './fence.ts'

/** What the agent needs to go on after its history was cut: goal, progress, decisions, files, state, next action. */
export interface SessionState {
  goal: string
  instruction: string
  constraints: string[]
  /** Oldest first, valid ones only. */
  steps: Step[]
  lastWords: string
}

/** Some 2,500 tokens: enough to go on with, and little beside what it stands for. */
const MAX_SUMMARY = 10_000

export function sessionSummary(state: SessionState): string {
  const { goal, instruction, constraints, steps, lastWords } = state
  const ran = steps.filter((step) => !step.outcome)
  const written = changedFiles(steps)
  const read = filesOf(ran, ['read', 'search']).filter((file) => !written.includes(file))
  const commands = [...new Set(ran.flatMap((step) => step.command ?? []))].slice(-8)
  const next = nextIn(lastWords)
  const parts = [
    'The earlier part of this conversation was set aside to keep the context window free. What matters of it:',
    `Goal: ${goal}`,
    ...(instruction !== goal ? [`The user's own words: ${cap(instruction, 1500)}`] : []),
    section('Limits the user set', constraints),
    section('Key decisions', keyDecisions(steps).slice(-12)),
    section(
      'Files changed, and how',
      written.slice(-30).map((file) => howChanged(file, ran)),
    ),
    section('What failed or was refused', failuresOf(steps).slice(-8)),
    section('Progress', progressOf(ran)),
    section('Files looked at', read.slice(-20)),
    section(
      'Commands run last',
      commands.map((command) => cap(command, 160)),
    ),
    ...(lastWords ? [`Where it stands, in your own last words: ${cap(lastWords, 1500)}`] : []),
    next === undefined
      ? 'Next action: go on from there; read a file again before changing it, since its text is no longer in view.'
      : `Next action, as you announced it: ${cap(next, 300)} Read a file again before changing it, since its text is no longer in view.`,
  ]
  return cap(parts.filter((part) => part !== '').join('\n'), MAX_SUMMARY)
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

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`
}

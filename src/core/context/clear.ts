import { reasoningFrom } from '../memory/reasoning.ts'
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

const MAX_SUMMARY = 10_000

export function sessionSummary(state: SessionState): string {
  const { goal, instruction, constraints, steps, lastWords } = state
  const written = filesOf(steps, ['edit', 'write'])
  const read = filesOf(steps, ['read', 'search']).filter((file) => !written.includes(file))
  const commands = [...new Set(steps.flatMap((step) => step.command ?? []))].slice(-8)
  const parts = [
    'The earlier part of this conversation was set aside to keep the context window free. What matters of it:',
    `Goal: ${goal}`,
    ...(instruction !== goal ? [`The user's own words: ${cap(instruction, 1500)}`] : []),
    ...(constraints.length > 0 ? [`Limits the user set: ${constraints.join('; ')}`] : []),
    section('Progress', progressOf(steps)),
    section('Key decisions', keyDecisions(steps).slice(-12)),
    section('Files changed', written.slice(-40)),
    section('Files looked at', read.slice(-20)),
    section(
      'Commands run last',
      commands.map((command) => cap(command, 160)),
    ),
    ...(lastWords ? [`Where it stands: ${cap(lastWords, 1200)}`] : []),
    `Next action: go on from there; read a file again before changing it, since its text is no longer in view.`,
  ]
  return cap(parts.filter((part) => part !== '').join('\n'), MAX_SUMMARY)
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
    const text = `${step.kind} ${step.files[0] ?? cap(step.command ?? step.query ?? step.tool, 80)}`
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

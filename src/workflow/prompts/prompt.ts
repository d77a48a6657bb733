import { RUN_GOAL } from '#core/goal/driven.ts'

/** Incremented whenever a prompt's text changes, so that a record tells which one Claude was given. */
export const PROMPTS_VERSION = 2

/**
 * A message to Claude. `parts` are texts from elsewhere (form, plan, diff, answers) and come before Grove's own words;
 * the driver keeps both from being read as commands or file references.
 */
export interface Prompt {
  parts: string[]
  text: string
}

/** A foreign text under a heading; nothing when it is empty. */
export function part(heading: string, text: string | readonly string[]): string[] {
  const body = typeof text === 'string' ? text.trim() : text.map((line) => `- ${line}`).join('\n')
  return body === '' ? [] : [`# ${heading}\n\n${body}`]
}

/** What the run is for, in one line: supervision takes it as the goal, and nothing else of the message. */
export function runGoal(sentence: string): string[] {
  return part(RUN_GOAL, sentence.replace(/\s+/g, ' ').trim())
}

/** What every run is told of the reports that Grove understands besides its tools. */
export const ASKING = `Ask with the tool ask_decision: one call that holds every question you have now, the last call of your answer. Each
question has two to five options with exactly one recommended (or none for free text), and a priority: 1 for what everything
else depends on, 2 for what shapes the work, 3 for details. If the tool is not there, write each question as

[DECISION_NEEDED priority="1" category="architecture"]
The question
- Option A: … (recommended)
- Option B: …
[/DECISION_NEEDED]

on lines of their own, and end your answer.`

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Closing } from '#core/goal/closing.ts'
import { readJsonLines } from '../support/json-lines.ts'

/** What people say to a coding agent and what it does, with what a reader of both would say about it. */

export type Verdict = 'wanted' | 'fine' | 'forbidden'

export interface InstructionStory {
  id: string
  source: string
  lang: string
  files: string[]
  earlier: string[]
  instruction: string
  probes: { path: string; verdict: Verdict }[]
  question: boolean
  goal_words: string[]
  continues: boolean | null
}

export interface ClosingStory {
  id: string
  source: string
  lang: string
  instruction: string
  closing: string
  label: Closing
}

export type SessionEvent =
  | { type: 'user'; text: string; midTurn: boolean }
  | {
      type: 'action'
      tool: string
      input: Record<string, unknown>
      result: 'ok' | 'error' | 'denied'
      label: 'on' | 'off' | 'neutral'
    }
  | { type: 'answer'; text: string }

export interface SessionStory {
  id: string
  kind: 'drift' | 'legit'
  files: string[]
  events: SessionEvent[]
  expect: {
    due_by: number | null
    finished: boolean
    memory_files: string[]
    memory_not: string[]
    memory_may?: string[]
  }
}

export interface Stories {
  folder: string
  instructions: InstructionStory[]
  closings: ClosingStory[]
  sessions: SessionStory[]
}

const FILES = ['instructions.jsonl', 'closings.jsonl', 'sessions.jsonl'] as const
const LAYOUT = `A folder of stories holds one or more of ${FILES.join(', ')}; a folder of such folders is read whole.`

/** The stories of a folder, or of each folder in it. */
export function loadStories(folder: string): Stories[] {
  if (holdsStories(folder)) return [storiesIn(folder)]
  const inside = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  const found = inside.filter(holdsStories).map(storiesIn)
  if (found.length > 0) return found
  console.error(`There are no stories in ${folder}.\n${LAYOUT}`)
  process.exit(1)
}

function holdsStories(folder: string): boolean {
  return FILES.some((name) => existsSync(join(folder, name)))
}

function storiesIn(folder: string): Stories {
  const read = <T>(name: (typeof FILES)[number]): T[] =>
    existsSync(join(folder, name)) ? readJsonLines<T>(folder, name, LAYOUT) : []
  return {
    folder,
    instructions: read(FILES[0]),
    closings: read(FILES[1]),
    sessions: read(FILES[2]),
  }
}

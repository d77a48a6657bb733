/** What the scorer remembers of a task: the goal, and a bounded list of what each telling action was about. */
import type { Gist } from './gist.ts'
import { type GoalWords, goalWords } from './goal.ts'

/** One remembered action. Plain numbers and words, so that a trail can live in a database row. */
export interface Note extends Gist {
  /** How it met the goal and the work before it, when it happened. */
  goal: number[]
  link: number[]
}

/** What stage one said so far. */
export interface Marks {
  /** For each of the last actions, oldest first: the risk that a foreign run began there, as seen at each action since. */
  tracks: number[][]
  /** For each action since the first: the highest of these risks at that time. */
  peaks: number[]
}

export interface DriftTrail {
  goal: string
  context: string[]
  /** Both in words, so that they are taken apart only once. */
  aim: GoalWords
  /** Risk and score after the latest telling action; an action that could belong to any task leaves them as they are. */
  risk: number
  score: number
  notes: Note[]
  marks: Marks
  /** Files that commands have complained of; undefined as long as none has complained. */
  complaints?: readonly string[]
  /** The command that complained last: once it passes, there is nothing left to see to. */
  complainedBy?: string
  /** The tests have passed since something was changed: more work may well be other work. */
  tested?: true
  /** What the user said to have the work handed over, once the agent has done that and met no trouble since. */
  delivered?: string
  /** The request ended with having the work handed over, and that is done: what comes now is beside it sooner. */
  handedOver?: true
}

const FIRST_KEPT = 12
const MOST_KEPT = 60
const LONGEST_GOAL = 4000

/** `context`: the prompts just before this one; two count. */
export function startTrail(goal: string, context: string[] = []): DriftTrail {
  const before = context.slice(0, 2).map((prompt) => prompt.slice(0, LONGEST_GOAL))
  const now = goal.slice(0, LONGEST_GOAL)
  return {
    goal: now,
    context: before,
    aim: goalWords(now, before),
    risk: 0,
    score: 10,
    notes: [],
    marks: { tracks: [], peaks: [] },
  }
}

/** Whether an action has changed a file. */
export function isChange({ kind }: Note): boolean {
  return kind === 'edit' || kind === 'write'
}

/** The first notes anchor the task and the latest carry it on; what lies between is forgotten first. */
export function remember(notes: Note[], note: Note): Note[] {
  const all = [...notes, note]
  return all.length > MOST_KEPT ? all.toSpliced(FIRST_KEPT, 1) : all
}

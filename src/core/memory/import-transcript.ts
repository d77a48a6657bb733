import { type Outcome, type ReadShell, readToolCall, recordOf } from '../action/reading.ts'
import { extractGoal } from '../goal/goal.ts'
import { isSimplePrompt, realInstruction } from '../goal/instruction.ts'
import { onAnswer, onInstruction } from '../goal/orchestrate.ts'
import { redact } from '../redact/redact.ts'
import type { Step } from '../step.ts'
import { changedFiles } from './changed-files.ts'
import type { Memory } from './memory.ts'
import { actionsInWords, reasoningFrom } from './reasoning.ts'

/** What an old conversation holds, line by line, as far as it matters here. */
export type Told =
  | { said: 'prompt'; content: unknown; at: number; cwd?: string; branch?: string; key: string }
  | { said: 'text'; text: string }
  | { said: 'tool'; id: string; name: string; input: Record<string, unknown> }
  /** What became of a call. */
  | { said: 'result'; id: string; outcome: Outcome }

/** One piece of work in it: an instruction, what was done, and how it was closed. */
export interface Episode {
  /** The place of its first prompt: the same in every copy of the transcript. */
  key: string
  instruction: string
  goal: string
  constraints: string[]
  keywords: string[]
  cwd?: string
  branch?: string
  at: number
  steps: Step[]
  files: string[]
  /** The last words of each turn. What follows a thank-you must not take the place of what was found out. */
  closings: string[]
}

/** Cuts a conversation into its pieces of work, by the same rules that are used while an agent works. */
export function episodesOf(sessionId: string, lines: Iterable<Told>, readShell: ReadShell): Episode[] {
  const episodes: Episode[] = []
  for (const line of lines) {
    if (line.said === 'prompt') takePrompt(episodes, line)
    else if (line.said === 'tool') takeTool(episodes.at(-1), sessionId, line, readShell)
    else if (line.said === 'result') takeResult(episodes.at(-1), line)
    else takeText(episodes.at(-1), line.text)
  }
  return episodes
}

const MOST_WORDS = 4_000

function takeText(episode: Episode | undefined, text: string) {
  if (episode && text.trim() !== '') episode.closings.splice(-1, 1, redact(text).slice(-MOST_WORDS))
}

function takePrompt(episodes: Episode[], { content, at, cwd, branch, key }: Extract<Told, { said: 'prompt' }>) {
  const said = realInstruction(content)
  if (said === undefined) return
  // Before anything is cut out of it: half a secret is not recognised any more.
  const instruction = redact(said)
  const current = episodes.at(-1)
  const work = current && {
    goal: current.goal,
    keywords: current.keywords,
    kind: 'main' as const,
    recentFiles: current.files.slice(-12),
  }
  if (current && onInstruction(work, instruction, isSimplePrompt(instruction)) === 'continue') {
    current.constraints.push(...extractGoal(instruction).constraints)
    if (current.closings.at(-1) !== '') current.closings.push('')
    return
  }
  const { goal, constraints, keywords } = extractGoal(instruction)
  const place = { ...(cwd && { cwd }), ...(branch && { branch }) }
  episodes.push({ key, instruction, goal, constraints, keywords, ...place, at, steps: [], files: [], closings: [''] })
}

function takeTool(
  episode: Episode | undefined,
  sessionId: string,
  { id, name: tool, input }: Extract<Told, { said: 'tool' }>,
  readShell: ReadShell,
) {
  if (!episode) return
  const reading = readToolCall({ id, tool, input, outcome: 'ran' }, { cwd: episode.cwd }, readShell)
  const { changes, earlierWork } = reading
  const step = { id, sessionId, taskId: '', ...recordOf(reading), keywords: [], keyDecision: false, at: episode.at }
  episode.steps.push({ ...step, ...(changes.length > 0 && { changes }), ...(earlierWork && { earlierWork }) })
  episode.files = changedFiles(episode.steps)
}

/** A call that failed or was not let run has changed nothing. */
function takeResult(episode: Episode | undefined, { id, outcome }: Extract<Told, { said: 'result' }>) {
  const step = episode?.steps.findLast((one) => one.id === id)
  if (!episode || !step || (outcome !== 'failed' && outcome !== 'denied')) return
  step.outcome = outcome
  episode.files = changedFiles(episode.steps)
}

/** The episode as a memory; undefined when nothing was changed in it. */
export function memoryOfEpisode(
  episode: Episode,
  { id, projectId, sessionId, user }: Pick<Memory, 'id' | 'projectId' | 'sessionId' | 'user'>,
): Memory | undefined {
  const { instruction, goal, files, steps, closings, at, branch, keywords } = episode
  if (files.length === 0) return undefined
  const closingWords = closings.join('\n').slice(-MOST_WORDS)
  const outcome = closings.findLast((text) => text !== '') ?? ''
  const work = { goal, instruction, actions: actionsInWords(steps), files, closingWords, outcome }
  const { reasoningTrace, decisions, constraints } = reasoningFrom(work)
  const current = { goal, keywords, kind: 'main' as const, recentFiles: files }
  const ended = closings.slice(-2).some((text) => onAnswer(current, { text, wroteFiles: true }) !== 'continue')
  return {
    id,
    projectId,
    ...(sessionId && { sessionId }),
    ...(user && { user }),
    instruction,
    goal,
    reasoningTrace,
    decisions,
    constraints: [...new Set([...episode.constraints, ...constraints])],
    files,
    tags: ['transcript'],
    status: ended ? 'complete' : 'partial',
    trigger: 'import',
    ...(branch && { branch }),
    createdAt: at,
  }
}

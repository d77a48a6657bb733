import type { AgentDetail } from './api/agents.ts'

/** What an agent did, as people read it: page and terminal show the same. */

/** One action of an agent, kept or rejected, in the order of time. */
export interface Action {
  /** Its place in the session, from 1. */
  number: number
  id: string
  tool: string
  /** What it was done to: a path, a command or a question. */
  what: string
  isPath: boolean
  score?: number
  level?: AgentDetail['driftEvents'][number]['level']
  /** It was not kept as a step. */
  isRejected: boolean
  reason?: string
  /** What Grove said about it. */
  correction?: string
  subagent?: string
  at: number
}

/** Steps and rejected actions together, oldest first. A rejected one that is also a step counts once, as rejected. */
export function actionsOf({ steps, driftEvents }: Pick<AgentDetail, 'steps' | 'driftEvents'>): Action[] {
  const rejected = new Set(driftEvents.map(({ stepId }) => stepId))
  const kept = steps
    .filter(({ id }) => !rejected.has(id))
    .map(({ id, tool, files, folders, command, query, driftScore, reasoning, correction, agentId, at }) => ({
      id,
      tool,
      what: command ?? files[0] ?? query ?? folders[0] ?? '',
      isPath: command === undefined && files.length > 0,
      ...(driftScore !== undefined && { score: driftScore }),
      isRejected: false,
      ...(reasoning !== undefined && { reason: reasoning }),
      ...(correction !== undefined && { correction }),
      ...(agentId !== undefined && { subagent: agentId }),
      at,
    }))
  const off = driftEvents.map(({ stepId, tool, files, score, level, reason, correction, at }) => ({
    id: stepId,
    tool,
    what: files[0] ?? '',
    isPath: files.length > 0,
    score,
    level,
    isRejected: score < 5,
    reason,
    correction,
    at,
  }))
  return [...kept, ...off].sort((a, b) => a.at - b.at).map((action, index) => ({ number: index + 1, ...action }))
}

/** What a score means, in a word. */
export function scoreWord({ score, isRejected }: Pick<Action, 'score' | 'isRejected'>): string {
  if (score === undefined) return 'not scored'
  if (isRejected) return 'refused'
  if (score >= 8) return 'on goal'
  return score >= 7 ? 'near the goal' : 'beside the goal'
}

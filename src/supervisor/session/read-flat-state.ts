import type { RecoveryPlan } from '#core/drift/correction.ts'
import { type DriftTrail, startTrail } from '#core/drift/score.ts'
import type { Task } from '#core/task.ts'
import type { Conversation } from '../inject/conversation.ts'
import type { Deliveries } from './deliveries.ts'
import type { Drift, Standing } from './drift.ts'
import type { Injected } from './injected.ts'
import type { SessionState } from './session-state.ts'
import type { CurrentTask } from './work.ts'

/** The state as Grove stored it before it had slices: every field at the top. Only those that are read here are named. */
interface FlatState {
  cwd: string
  projectId: string
  root: string
  task: Task
  finished: Task
  trail: DriftTrail
  lastScore: number
  drift: { mode: Task['mode']; escalation: number; failedRecoveries?: number }
  plan: RecoveryPlan
  forcedAsked: boolean
  corrections: string[]
  astray: Drift['astray']
  drifted: string[]
  pending: Deliveries['pending']
  delivered: string[]
  notices: string[]
  system: string
  systemWhy: string
  conversations: Conversation[]
  seen: string[]
  onGoalFiles: string[]
  prompt: { text: string; index?: number }
  contextTokens: number
  window: number
  longWindow: string
  warned: boolean
  transcript: { path: string; offset: number }
  answers: string[]
  closingWords: string
  closed: string
}

/**
 * Takes a flat state over into slices. What was injected must stand where it stood, and the transcript is not read
 * twice; questions to the judge and lookups are asked anew.
 */
export function readFlatState(stored: object, fresh: SessionState): SessionState {
  const flat: Partial<FlatState> = stored
  const { cwd, projectId, root, prompt } = flat
  const { pending = [], delivered = [], notices = [] } = flat
  return {
    ...fresh,
    ...(cwd !== undefined && projectId !== undefined && root !== undefined && { place: { cwd, projectId, root } }),
    work: {
      current: currentOf(flat),
      ...(prompt && { instruction: prompt }),
      onGoalFiles: flat.onGoalFiles ?? [],
      notedActions: flat.seen ?? [],
    },
    drift: {
      standing: standingOf(flat),
      ...(flat.lastScore !== undefined && { lastScore: flat.lastScore }),
      corrections: flat.corrections ?? [],
      astray: flat.astray ?? [],
      driftedTasks: flat.drifted ?? [],
    },
    deliveries: { pending, delivered, notices },
    injected: readFlatInjected(flat),
    window: {
      ...fresh.window,
      ...(flat.contextTokens !== undefined && { tokens: flat.contextTokens }),
      ...(flat.window !== undefined && { size: flat.window }),
      ...(flat.longWindow !== undefined && { longModel: flat.longWindow }),
      ...(flat.warned && { warned: true }),
    },
    transcript: {
      ...(flat.transcript && { file: flat.transcript }),
      answers: flat.answers ?? [],
      lastWords: flat.closingWords ?? '',
      turn: flat.closed === undefined ? { status: 'open' } : { status: 'closed', words: flat.closed },
    },
  }
}

/** What was left of a flat state when its session had ended. */
export function readFlatInjected(left: object): Injected {
  const { system, systemWhy: why = 'session start', conversations = [] }: Partial<FlatState> = left
  return { ...(system !== undefined && { system: { text: system, why } }), conversations }
}

function currentOf({ task, trail, finished }: Partial<FlatState>): CurrentTask {
  if (task) return { status: 'active', task, trail: trail ?? startTrail(task.instruction, [task.goal]) }
  return finished ? { status: 'ended', task: finished } : { status: 'none' }
}

/** An agent that is off its goal without a plan that leads back starts afresh. */
function standingOf({ drift, plan, forcedAsked = false }: Partial<FlatState>): Standing {
  const escalation = drift?.escalation ?? 0
  if (drift?.mode === 'drifted' && plan) {
    return { mode: 'drifted', escalation, failedRecoveries: drift.failedRecoveries ?? 0, plan }
  }
  if (drift?.mode === 'forced' && plan) return { mode: 'forced', escalation, plan, judgeAsked: forcedAsked }
  return { mode: 'normal', escalation: drift?.mode === 'normal' ? escalation : 0 }
}

import type { Injection, Store } from '#core/ports/store.ts'
import type { AgentSession, TokenUsage } from '#core/session.ts'
import type { DriftEvent, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { judgeCost } from '#supervisor/judge/budget.ts'
import { readSessionState } from '#supervisor/session/read-session-state.ts'
import { SESSION_STATE } from '#supervisor/session/session-store.ts'

/** An agent session counts as live this long after it was last seen: a person may read for a while between two prompts. */
const LIVE_FOR = 30 * 60 * 1000
const NEWEST_STEPS = 500
const NEWEST_DRIFT_EVENTS = 100
const NEWEST_INJECTIONS = 100

/** A live agent session in one line. */
export interface AgentSummary {
  sessionId: string
  projectId?: string
  /** The project's name, or the folder the agent works in. */
  project?: string
  cwd?: string
  goal?: string
  mode?: Task['mode']
  model?: string
  /** How many tokens are in the window now, and how many fit. */
  contextTokens: number
  window?: number
  steps: number
  /** The score of the latest action that could be scored. */
  lastScore?: number
  corrections: number
  /** What Grove has put before the agent, and about how many tokens that was. */
  injections: { count: number; tokens: number }
  /** What the judge has cost in this session, in dollars. */
  judgeCostUsd: number
  attachments: AgentSession['attachments']
  startedAt: number
  lastSeenAt: number
}

/** All that is known about one agent session. Steps and drift events are newest first. */
export interface AgentDetail {
  session: AgentSession
  tasks: Task[]
  steps: Step[]
  driftEvents: DriftEvent[]
  /** What Grove has put into the conversation, and why; newest first. */
  injections: Injection[]
  tokens: TokenUsage & { turns: number }
}

/** What the server asks about agents. */
export interface Agents {
  live(): Promise<AgentSummary[]>
  /** What the judge has cost today in all, in dollars. */
  costToday(): Promise<number>
  detail(sessionId: string): Promise<AgentDetail | undefined>
}

/** Agents as the store knows them. */
export function agentsIn(store: Store, now: () => number): Agents {
  return {
    async live() {
      const sessions = await store.sessions.live(now() - LIVE_FOR)
      return Promise.all(sessions.map((session) => summarise(store, session, now())))
    },
    async costToday() {
      return (await judgeCost(store.states, now())).today
    },
    async detail(sessionId) {
      const session = await store.sessions.get(sessionId)
      if (!session) return undefined
      const [tasks, steps, driftEvents, injections, tokens] = await Promise.all([
        store.tasks.ofSession(sessionId),
        store.steps.recent(sessionId, NEWEST_STEPS),
        store.driftEvents.ofSession(sessionId, NEWEST_DRIFT_EVENTS),
        store.injections.ofSession(sessionId, NEWEST_INJECTIONS),
        store.turns.totals(sessionId),
      ])
      return { session, tasks, steps, driftEvents, injections, tokens }
    },
  }
}

async function summarise(store: Store, session: AgentSession, now: number): Promise<AgentSummary> {
  const [task, project, stored, injections, cost] = await Promise.all([
    store.tasks.current(session.id),
    session.projectId === undefined ? undefined : store.projects.get(session.projectId),
    store.states.get(SESSION_STATE, session.id),
    store.injections.ofSession(session.id, NEWEST_INJECTIONS),
    judgeCost(store.states, now, session.id),
  ])
  const state = readSessionState(stored)
  const lastScore = state?.drift.lastScore
  const steps = task ? (await store.steps.ofTask(task.id)).length : 0
  const { id: sessionId, projectId, cwd, model, contextTokens, attachments, startedAt, lastSeenAt } = session
  return {
    sessionId,
    ...(projectId === undefined ? {} : { projectId }),
    ...nameOf(project?.name ?? cwd?.split(/[\\/]/).at(-1)),
    ...(cwd === undefined ? {} : { cwd }),
    ...(task ? { goal: task.goal, mode: task.mode } : {}),
    ...(model === undefined ? {} : { model }),
    contextTokens,
    ...(state ? { window: state.window.size } : {}),
    steps,
    ...(lastScore === undefined ? {} : { lastScore }),
    corrections: injections.filter(({ kind }) => kind === 'correction').length,
    injections: { count: injections.length, tokens: injections.reduce((sum, { tokens }) => sum + tokens, 0) },
    judgeCostUsd: cost.session ?? 0,
    attachments,
    startedAt,
    lastSeenAt,
  }
}

function nameOf(project: string | undefined): { project: string } | object {
  return project ? { project } : {}
}

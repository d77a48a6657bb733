import type { Store } from '#core/ports.ts'
import type { AgentSession, TokenUsage } from '#core/session.ts'
import type { DriftEvent, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'

/** An agent session counts as live this long after it was last seen: a person may read for a while between two prompts. */
const LIVE_FOR = 30 * 60 * 1000
const NEWEST_STEPS = 500
const NEWEST_DRIFT_EVENTS = 100

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
  /** How many tokens are in the window now. */
  contextTokens: number
  steps: number
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
  tokens: TokenUsage & { turns: number }
}

/** What the server asks about agents. */
export interface Agents {
  live(): Promise<AgentSummary[]>
  detail(sessionId: string): Promise<AgentDetail | undefined>
}

/** Agents as the store knows them. */
export function agentsIn(store: Store, now: () => number): Agents {
  return {
    async live() {
      const sessions = await store.sessions.live(now() - LIVE_FOR)
      return Promise.all(sessions.map((session) => summarise(store, session)))
    },
    async detail(sessionId) {
      const session = await store.sessions.get(sessionId)
      if (!session) return undefined
      const [tasks, steps, driftEvents, tokens] = await Promise.all([
        store.tasks.ofSession(sessionId),
        store.steps.recent(sessionId, NEWEST_STEPS),
        store.driftEvents.ofSession(sessionId, NEWEST_DRIFT_EVENTS),
        store.turns.totals(sessionId),
      ])
      return { session, tasks, steps, driftEvents, tokens }
    },
  }
}

async function summarise(store: Store, session: AgentSession): Promise<AgentSummary> {
  const [task, project] = await Promise.all([
    store.tasks.current(session.id),
    session.projectId === undefined ? undefined : store.projects.get(session.projectId),
  ])
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
    steps,
    attachments,
    startedAt,
    lastSeenAt,
  }
}

function nameOf(project: string | undefined): { project: string } | object {
  return project ? { project } : {}
}

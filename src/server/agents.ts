import type { MemoryUse } from '#core/memory/use.ts'
import type { Store } from '#core/ports/store.ts'
import { placeName } from '#core/project.ts'
import type { AgentSession } from '#core/session.ts'
import type { AgentDetail, AgentGate, AgentSummary, FinishedWork } from '#protocol/api/agents.ts'
import type { InsightDay } from '#protocol/api/insights.ts'
import { inbox } from '#supervisor/guard/approvals/approvals.ts'
import { judgeCost } from '#supervisor/judge/budget.ts'
import { sessionResults } from '#supervisor/session-results.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { fewAtATime } from './few-at-a-time.ts'
import { type GateTimes, insightDays } from './insight-days.ts'
import { type MemoryUseTold, memoryUses } from './memory-uses.ts'

/** An agent session counts as live this long after it was last seen: a person may read for a while between two prompts. */
const LIVE_FOR = 30 * 60 * 1000
/** Only those that were seen last are told: each takes a dozen questions to the store, and an hour of headless runs leaves thousands. */
const MOST_LIVE = 200
const FINISHED_FOR = 7 * 24 * 60 * 60 * 1000
const NEWEST_STEPS = 500
const NEWEST_DRIFT_EVENTS = 100
const NEWEST_INJECTIONS = 100

/** What the server asks about agents. */
export interface Agents {
  live(): Promise<AgentSummary[]>
  /** What the judge has cost today in all, in dollars. */
  costToday(): Promise<number>
  detail(sessionId: string): Promise<AgentDetail | undefined>
  /** The work that was finished lately, newest first. */
  finished(): Promise<FinishedWork[]>
  /** The sessions that a memory was shown to, newest first. */
  shownTo(memoryId: string): Promise<MemoryUseTold[]>
  /** What happened on each of the last days, oldest first. */
  days(count: number, project: string | undefined, gate?: GateTimes): Promise<InsightDay[]>
}

/** Agents as the store knows them. */
export function agentsIn(store: Store, now: () => number): Agents {
  return {
    async live() {
      const sessions = await store.sessions.live(now() - LIVE_FOR)
      const [folders, requests] = await Promise.all([store.projects.folders(), inbox(store)])
      const pending = requests.filter(({ status }) => status === 'pending')
      return fewAtATime(sessions.slice(0, MOST_LIVE), async (session) => {
        const own = pending.filter(({ sessionId }) => sessionId === session.id)
        const summary = await summarise(store, session, folders, now())
        return own.length > 0 ? { ...summary, waitsFor: { what: own.at(-1)!.what, count: own.length } } : summary
      })
    },
    async finished() {
      const all = await sessionResults(store, now() - FINISHED_FOR)
      const work = all.flatMap(({ sessionId, project, memory, uses, corrections, stoppedWrites }) => {
        if (!memory) return []
        const { goal, status: outcome, createdAt: at } = memory
        return [{ sessionId, goal, project, outcome, memories: uses.length, corrections, stoppedWrites, at }]
      })
      return work.sort((a, b) => b.at - a.at)
    },
    async costToday() {
      return (await judgeCost(store.states, now())).today
    },
    async detail(sessionId) {
      const session = await store.sessions.get(sessionId)
      if (!session) return undefined
      const [tasks, actions, steps, driftEvents, injections, tokens, gate, uses, cost] = await Promise.all([
        store.tasks.ofSession(sessionId),
        store.steps.actions(sessionId),
        store.steps.recent(sessionId, NEWEST_STEPS),
        store.driftEvents.ofSession(sessionId, NEWEST_DRIFT_EVENTS),
        store.injections.ofSession(sessionId, NEWEST_INJECTIONS),
        store.turns.totals(sessionId),
        gateOf(store, sessionId),
        store.memoryUses.ofSession(sessionId),
        judgeCost(store.states, now(), sessionId),
      ])
      const memories = await shownMemories(store, uses)
      const judgeCostUsd = cost.session ?? 0
      const told = { actions, steps, driftEvents, injections, tokens, memories, judgeCostUsd }
      return { session, tasks, ...told, ...(gate && { gate }) }
    },
    shownTo: (memoryId) => memoryUses(store, memoryId),
    days: (count, project, gate) => insightDays(store, { days: count, project, now: now(), ...(gate && { gate }) }),
  }
}

async function summarise(
  store: Store,
  session: AgentSession,
  folders: Map<string, string[]>,
  now: number,
): Promise<AgentSummary> {
  const [active, tasks, actions, project, state, injections, cost, gate, totals, uses, stopped] = await Promise.all([
    store.tasks.current(session.id),
    store.tasks.ofSession(session.id),
    store.steps.actions(session.id),
    session.projectId === undefined ? undefined : store.projects.get(session.projectId),
    store.states.get(SLOTS.session, session.id),
    store.injections.ofSession(session.id, NEWEST_INJECTIONS),
    judgeCost(store.states, now, session.id),
    gateOf(store, session.id),
    store.turns.totals(session.id),
    store.memoryUses.ofSession(session.id),
    store.states.get(SLOTS.stoppedInSession, session.id),
  ])
  // Finished work is shown as that, until other work begins.
  const task = active ?? tasks.at(-1)
  const lastScore = state?.drift.lastScore
  const { id: sessionId, projectId, cwd, model, contextTokens, attachments, startedAt, lastSeenAt } = session
  return {
    sessionId,
    ...(projectId === undefined ? {} : { projectId }),
    ...nameOf(project ? placeName(project, folders.get(project.id) ?? [], cwd) : cwd?.split(/[\\/]/).at(-1)),
    ...(cwd === undefined ? {} : { cwd }),
    ...(task ? { goal: task.goal, mode: task.mode } : {}),
    ...(task && task.status !== 'active' ? { finished: task.status } : {}),
    ...(model === undefined ? {} : { model }),
    contextTokens,
    ...(state ? { window: state.window.size } : {}),
    actions,
    ...(lastScore === undefined ? {} : { lastScore }),
    corrections: injections.filter(({ kind }) => kind === 'correction').length,
    memories: uses.length,
    stoppedWrites: stopped ?? 0,
    injections: { count: injections.length, tokens: injections.reduce((sum, { tokens }) => sum + tokens, 0) },
    judgeCostUsd: cost.session ?? 0,
    tokens: totals.input + totals.output + totals.cacheRead + totals.cacheWrite,
    ...(gate && { gate }),
    attachments,
    startedAt,
    lastSeenAt,
  }
}

/** The memories that a session was shown; those deleted since have no name any more and are left out. */
async function shownMemories(store: Store, uses: MemoryUse[]): Promise<AgentDetail['memories']> {
  const known = new Map((await store.memories.byIds(uses.map(({ memoryId }) => memoryId))).map((one) => [one.id, one]))
  return uses.flatMap(({ memoryId: id, shownAt, usedAt, how }) => {
    const goal = known.get(id)?.goal
    return goal === undefined
      ? []
      : [{ id, goal, shownAt, ...(usedAt !== undefined && { usedAt }), ...(how !== undefined && { how }) }]
  })
}

/** The state of the learning gate; undefined for a session that it has not seen. */
async function gateOf({ states }: Store, sessionId: string): Promise<AgentGate | undefined> {
  const kept = await states.get(SLOTS.gate, sessionId)
  if (kept === undefined || kept === 'unreadable') return undefined
  const { gate, attended, injected } = kept
  return {
    status: gate.status,
    ...('ticket' in gate && gate.ticket !== undefined && { ticket: gate.ticket }),
    ...(attended !== undefined && { attended }),
    learnings: injected.map(({ id, outcome }) => ({ id, outcome })),
  }
}

function nameOf(project: string | undefined): { project: string } | object {
  return project ? { project } : {}
}

import { startTrail } from '../../src/core/drift/score.ts'
import { newGateSession } from '../../src/core/gate/session.ts'
import { NO_STATS } from '../../src/core/learning/stats.ts'
import type { Slot } from '../../src/core/ports/state.ts'
import { newTask } from '../../src/core/task.ts'
import { freshSessionState } from '../../src/supervisor/session/session-state.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'

type Samples = { [Name in keyof typeof SLOTS]: (typeof SLOTS)[Name] extends Slot<infer Value> ? Value : never }

/** A value for every slot, with a text wherever the slot takes one that an agent or a person has written. */
export function stateSamples(text: string): Samples {
  const session = { sessionId: 's1', agentId: 'a1' }
  const selection = { intentId: 'INT-1', at: 1 }
  const conversation = {
    ...{ key: 'k', sessionId: 's1', count: 1 },
    inserted: [{ index: 0, print: 'p', as: 'block' as const, text }],
    cut: { index: 0, print: 'p', summary: text },
  }
  const task = newTask(
    { id: 't1', sessionId: 's1', kind: 'main', instruction: text, goal: text, constraints: [text] },
    1,
  )
  const candidate = {
    ...{ category: 'convention' as const, summary: text, detail: text, confidence: 'high' as const },
    ...{ scope: 'project' as const, criteriaMet: ['stable_fact' as const], tags: [text], contextFiles: [text] },
  }
  const injected = { conversations: [conversation] }
  const ticket = { id: text, source: 'tasks' as const, title: text, description: text, tags: [text], detectedAt: 1 }
  return {
    session: {
      ...freshSessionState('s1'),
      work: {
        ...{ current: { status: 'active', task, trail: startTrail(text) }, instruction: { text } },
        ...{ heard: [text], onGoalFiles: [], changed: [], notedActions: [] },
        declared: { taskId: 't1', goal: text, files: [], limits: [text] },
      },
      drift: {
        ...{ corrections: [], reminders: [], astray: [], driftedTasks: [], unheededTasks: [] },
        standing: { mode: 'drifted', escalation: 1, failedRecoveries: 0, plan: { backTo: [], steps: [text] } },
      },
      deliveries: { pending: [{ key: 'k', kind: 'context', text, why: text }], delivered: [], notices: [text] },
      injected,
      window: { tokens: 1, size: 1, warned: false, summary: { status: 'ready', text } },
      transcript: { answers: [], lastWords: text, turn: { status: 'closed', words: text, reads: 'finished' } },
      lookups: { prompt: text, likeWork: { about: text, files: [] } },
    },
    endedSession: injected,
    agentCalls: { hour: 491_000, calls: 3 },
    judgeCost: 0.5,
    stoppedWrites: 3,
    stoppedInSession: 1,
    gate: {
      ...newGateSession('s1', '/p', 1, {
        status: 'skipped',
        reason: text,
        decider: 'user',
        breaker: { blocks: 0, lastBlockedAt: 0 },
      }),
      ...{ ticket, tasks: { 1: { title: text, description: text } }, trouble: [text] },
      closing: { toolu_1: [{ system: 'tasks', does: 'close', ids: [text] }] },
      observations: [{ note: text, at: 1 }],
      trace: [{ at: 1, what: text }],
    },
    answered: { status: 200, answer: { text } },
    decay: 1,
    rejectedLearnings: {
      candidates: [{ id: 'rej_1', at: 1, stage: 'schema', reasons: [text], summary: text, raw: text, candidate }],
    },
    seenLearnings: { ids: ['lrn_4be1c0ffee00'] },
    stats: {
      ...{ version: 4, size: 1, tail: '', damaged: 0 },
      stats: { ...NO_STATS, rejected: [{ summary: text, stage: 'schema', reasons: [text], at: 1 }] },
    },
    intent: selection,
    approval: {
      ...{ id: 'apr-1', kind: 'action', sessionId: 's1', root: '/p', intentId: 'INT-1', tool: 'Bash', askedAt: 1 },
      ...{ what: text, detail: text, reason: text, note: text, status: 'rejected' },
    },
    guardAsked: { approvalId: 'apr-1', sessionId: 's1' },
    guardHome: { root: '/p', since: 1 },
    guardSeen: { '/p/a.ts': { hash: 'sha256:a', at: 1 } },
    guardWrote: { ...session, hash: 'sha256:a', at: 1 },
    guardWindow: {
      ...{ ...session, tool: 'Bash', toolUseId: 'toolu_1', startedAt: 1, inBackground: false, selection },
      ...{ project: { root: '/p', orchestration: '/p/.orchestration' }, leases: [], scope: ['src/**'], copies: {} },
      ...{ tree: { kind: 'git', files: {} }, command: text },
    },
    guardWaiting: { ...session, root: '/p', files: [] },
    guardViolation: { ...session, root: '/p', intentId: 'INT-1', at: 1, files: [] },
    guardDeclared: { at: 1, reading: ['mcp__wiki__peek'] },
    lease: { holder: 's1', until: 1 },
    mcpCaller: session,
    git: { at: 1, stamp: 's', answer: { branch: 'main', user: text } },
    memoryImport: { head: 'abc', skip: 1 },
    team: {
      at: 1,
      failures: 1,
      error: text,
      projects: [{ projectId: 'p', rights: 'none', pushed: 0, pulled: 0, error: text }],
    },
    teamShares: { projects: { p: { team: 'localhost:5432/grove', at: 1 } }, exchanges: {} },
    teamTakenBack: { ids: ['mem_1'] },
    teamLearnings: { sent: { lrn_1: 1 } },
    teamSetAside: { rows: [{ id: 'mem_1', reason: text }] },
    pauses: { pauses: { all: { at: 1, sessions: ['s1'] } }, unread: [] },
    people: { people: { p1: { id: 'p1', name: 'Kim', pairedAt: 1 } } },
    finding: { kind: 'unknown-key', subject: text, version: '2.1.325', sessionId: 's1', at: 1, told: false },
    sweep: 1,
  }
}

/** Every slot with its value. */
export function everyState(text: string): { name: string; slot: Slot<unknown>; value: unknown }[] {
  const samples: Record<string, unknown> = stateSamples(text)
  return Object.entries<Slot<unknown>>(SLOTS).map(([name, slot]) => ({ name, slot, value: samples[name] }))
}

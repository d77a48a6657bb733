import { isFindingKind, type KeptFinding } from '#core/canary/finding.ts'
import { type GateSession, readGateSession } from '#core/gate/session.ts'
import type { Approval } from '#core/intent/approval.ts'
import type { SeenFile } from '#core/intent/staleness.ts'
import type { SetAside } from '#core/memory/admit-shared.ts'
import type { Shares } from '#core/memory/shares.ts'
import type { PauseBook } from '#core/pause.ts'
import type { PeopleBook } from '#core/people.ts'
import type { Slot } from '#core/ports/state.ts'
import { objectOf, readNumber } from '#core/state/read-object.ts'
import type { CallerNote, GitAnswer, StatsCache } from '#core/state/values.ts'
import type { HourCount } from '#core/workflow/hourly.ts'
import { isObject } from '#protocol/json.ts'
import type { Window } from './guard/after-tool/tool-windows.ts'
import type { Violation } from './guard/after-tool/violations.ts'
import type { Asked } from './guard/approvals/approvals.ts'
import type { Waiting } from './guard/approvals/waiting-calls.ts'
import type { Declared } from './guard/before-tool/read-only-tools.ts'
import type { Selection } from './guard/intents/active-intent.ts'
import type { KeptHome } from './guard/part.ts'
import type { Wrote } from './guard/stale-files/seen-files.ts'
import type { Lease } from './guard/stale-files/write-leases.ts'
import type { RejectedCandidate } from './learning/rejected.ts'
import type { Bookmark } from './memory/import-git.ts'
import type { TeamSyncState } from './memory/team-loop.ts'
import type { Injected } from './session/injected.ts'
import { readInjected, readSessionState } from './session/read-session-state.ts'
import type { SessionState } from './session/session-state.ts'

/**
 * Everything that the state store keeps: for each kind its type, how it is read, how long it stays and which of its texts
 * are exempt from the redactor. `sweep-idle.ts` removes what has outlived its time; the store redacts.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The client throws transcripts away after a month or so; nothing of a session older than that can be resumed. */
const RESUMABLE = days(40)

function hours(count: number): { idleMs: number } {
  return { idleMs: count * HOUR }
}

function days(count: number): { idleMs: number } {
  return { idleMs: count * DAY }
}

/** A session of the gate, or a marker for a row that cannot be read: the gate then lets the agent finish. */
export type KeptGateSession = GateSession | 'unreadable'

const ONLY_IDS = { fields: 'all', because: 'ids and times: looked up by, and never written by hand' } as const
const ONLY_PATHS = { fields: 'all', because: 'paths, digests and ids: compared with the disk' } as const
const ONLY_NUMBERS = { fields: 'all', because: 'a number' } as const

/** Ids and folders of a session. Everything else, above all what is put into conversations, is text. */
const SESSION_EXACT = {
  fields: [
    ...['sessionId', 'projectId', 'parentId', 'id', 'key', 'print', 'delivered', 'notedActions', 'answers'],
    ...[
      'corrections',
      'reminders',
      'driftedTasks',
      'unheededTasks',
      'forbiddenIn',
      'askedAbout',
      'cwd',
      'root',
      'file',
    ],
  ],
  because: 'ids, fingerprints and folders: looked up by, or compared with what the client sends',
} as const

export const SLOTS = {
  /** What is known about a live session. Closing it saves its work, so its row never just goes. */
  session: slot<SessionState>({
    kind: 'live-session',
    read: readSessionState,
    life: { sessionIdleMs: DAY },
    exact: SESSION_EXACT,
    hasImmutableFields: true,
  }),
  /** What was put into the conversation of a session that has ended; when it is resumed, that must stand where it stood. */
  endedSession: slot<Injected>({ kind: 'ended-session', read: readInjected, life: RESUMABLE, exact: SESSION_EXACT }),
  /** In dollars, by `session:` and `day:`. A session that is resumed goes on with its budget. */
  judgeCost: slot<number>({ kind: 'judge-cost', read: readNumber, life: RESUMABLE, exact: ONLY_NUMBERS }),

  /** How many writes the guard has denied, by day in UTC. */
  stoppedWrites: slot<number>({ kind: 'stopped-writes', read: readNumber, life: days(100), exact: ONLY_NUMBERS }),

  /** How many of them in a session. */
  stoppedInSession: slot<number>({ kind: 'stopped-in-session', read: readNumber, life: days(8), exact: ONLY_NUMBERS }),

  /** How many Claude runs feature sessions have begun in an hour. */
  agentCalls: slot<HourCount>({
    kind: 'agent-calls',
    read: objectOf({ hour: 'number', calls: 'number' }),
    life: hours(48),
    exact: ONLY_NUMBERS,
  }),

  gate: slot<KeptGateSession>({
    kind: 'gate',
    read: (stored) => readGateSession(stored) ?? 'unreadable',
    life: days(14),
    exact: {
      fields: [
        'sessionId',
        'agentId',
        'lastBlockedSession',
        'root',
        'baseline',
        'unseenFiles',
        'injected',
        'own',
        'accounted',
        'written',
      ],
      because: 'ids and paths: looked up by, or compared with git',
    },
  }),
  /** When learnings of a project were last set aside. */
  decay: slot<number>({ kind: 'decay', read: readNumber, life: days(30), exact: ONLY_NUMBERS }),
  /** Candidates that the write gate turned down, whole, by project: a person may think otherwise. */
  rejectedLearnings: slot<{ candidates: RejectedCandidate[] }>({
    kind: 'learnings-rejected',
    read: objectOf({ candidates: 'array' }),
    life: days(90),
    exact: { fields: ['id', 'sessionId', 'supersedes'], because: 'ids' },
  }),
  /** Which learnings the file of a checkout has held: what is missing in it then was taken out. */
  seenLearnings: slot<{ ids: string[] }>({
    kind: 'learnings-seen',
    read: objectOf({ ids: 'array' }),
    life: days(365),
    exact: ONLY_IDS,
  }),
  /** Only a shortcut: without it the log is read from its beginning. */
  stats: slot<StatsCache>({
    kind: 'stats',
    read: readStatsCache,
    life: days(30),
    exact: {
      fields: ['tail', 'learnings'],
      because: 'the end of a log that was redacted when it was written, compared byte for byte; ids of learnings',
    },
  }),

  intent: slot<Selection>({
    kind: 'intent',
    read: objectOf({ intentId: 'string', at: 'number' }),
    life: days(14),
    exact: ONLY_IDS,
  }),
  approval: slot<Approval>({
    kind: 'approval',
    read: objectOf({
      ...({ id: 'string', kind: 'string', sessionId: 'string', root: 'string', intentId: 'string' } as const),
      ...({ tool: 'string', what: 'string', askedAt: 'number', status: 'string' } as const),
    }),
    // Only a person ends what waits for a person.
    life: { ...days(7), spares: ({ status }) => status === 'pending' },
    exact: {
      fields: ['id', 'sessionId', 'agentId', 'root', 'intentId', 'scope'],
      because: 'ids and folders; globs that go into the intents as they are shown, and hold no secret or were refused',
    },
  }),
  guardAsked: slot<Asked>({
    kind: 'guard-asked',
    read: objectOf({ approvalId: 'string', sessionId: 'string' }),
    life: days(14),
    exact: ONLY_IDS,
  }),
  guardHome: slot<KeptHome>({
    kind: 'guard-home',
    read: objectOf({ root: 'string', since: 'number' }),
    life: days(14),
    exact: ONLY_PATHS,
  }),
  /** By path, what an agent has last seen of the file. */
  guardSeen: slot<Record<string, SeenFile>>({
    kind: 'guard-seen',
    read: objectOf({}),
    life: days(14),
    exact: ONLY_PATHS,
  }),
  guardWrote: slot<Wrote>({
    kind: 'guard-wrote',
    read: objectOf({ sessionId: 'string', hash: 'string', at: 'number' }),
    life: days(14),
    exact: ONLY_PATHS,
  }),
  /** Longer than a command may run in the background before it is forgotten. Its copies of files go with it. */
  guardWindow: slot<Window>({
    kind: 'guard-window',
    read: objectOf({
      ...({ sessionId: 'string', tool: 'string', toolUseId: 'string', startedAt: 'number' } as const),
      ...({ project: 'object', tree: 'object', copies: 'object' } as const),
      ...({ scope: 'array', inBackground: 'boolean', leases: 'array' } as const),
    }),
    life: hours(6),
    exact: {
      fields: [
        ...['sessionId', 'agentId', 'toolUseId', 'promptId', 'transcript', 'selection'],
        ...['project', 'scope', 'tree', 'repository', 'copies', 'setUp', 'mayWrite', 'leases'],
      ],
      because: 'ids; paths, globs and digests that are compared with the disk. The command is text',
    },
  }),
  /** Calls that a person has not decided yet; what is left of one that never ran goes with its copies. */
  guardWaiting: slot<Waiting>({
    kind: 'guard-waiting',
    read: objectOf({ sessionId: 'string', root: 'string', files: 'array' }),
    life: hours(6),
    exact: ONLY_PATHS,
  }),
  guardViolation: slot<Violation>({
    kind: 'guard-violation',
    read: objectOf({ sessionId: 'string', root: 'string', at: 'number', files: 'array' }),
    life: days(14),
    exact: ONLY_PATHS,
  }),
  guardDeclared: slot<Declared>({
    kind: 'guard-declared',
    read: objectOf({ at: 'number' }),
    life: days(2),
    exact: { fields: 'all', because: 'names of tools, as the client calls them' },
  }),
  /** Held for seconds, at most minutes. */
  lease: slot<Lease>({
    kind: 'lease',
    read: objectOf({ holder: 'string', until: 'number' }),
    life: hours(6),
    exact: ONLY_IDS,
  }),
  /** Between a hook and the tool call it announces; a person may be asked in between. */
  mcpCaller: slot<CallerNote>({
    kind: 'mcp-caller',
    read: objectOf({ sessionId: 'string' }),
    life: days(1),
    exact: ONLY_IDS,
  }),

  /** Asked anew after an hour at the latest. */
  git: slot<GitAnswer>({
    kind: 'git',
    read: objectOf({ at: 'number', stamp: 'string', answer: 'object' }),
    life: hours(2),
    exact: {
      fields: ['stamp', 'id', 'root', 'remote', 'branch', 'defaultBranch', 'head'],
      because: 'paths, branches and commits, and the address of a repository without credentials',
    },
  }),
  /** How far git's history and transcripts were read. Without it they are read again, to the same memories. */
  memoryImport: slot<Bookmark | string>({
    kind: 'memory-import',
    read: (stored) => (typeof stored === 'string' ? stored : readBookmark(stored)),
    life: days(365),
    exact: { fields: 'all', because: 'commits, sizes and times' },
  }),
  /** The error may quote the address of a database. */
  team: slot<TeamSyncState>({
    kind: 'team',
    read: objectOf({ at: 'number', failures: 'number', projects: 'array' }),
    life: { kept: 'one row, which every round replaces' },
    exact: { fields: ['projectId'], because: 'the id of a project' },
  }),
  /** Which projects are shared with which team. */
  teamShares: slot<Shares>({
    kind: 'team-shares',
    read: objectOf({ projects: 'object', exchanges: 'object' }),
    life: { kept: 'one row: what a person agreed to holds until they take it back' },
    exact: { fields: 'all', because: 'ids, times, and the server, port and name of a database' },
  }),
  /** Ids of the memories of a project that were taken back from the team. */
  teamTakenBack: slot<{ ids: string[] }>({
    kind: 'team-taken-back',
    read: objectOf({ ids: 'array' }),
    life: { kept: 'one row for each project; without it, sharing again would delete the copies here' },
    exact: ONLY_IDS,
  }),
  /** The learnings of a project that the team has, each by the version it has. */
  teamLearnings: slot<{ sent: Record<string, number> }>({
    kind: 'team-learnings',
    read: objectOf({ sent: 'object' }),
    life: { kept: 'one row for each project; without it, everything is sent again' },
    exact: { fields: 'all', because: 'ids of learnings, and numbers' },
  }),
  /** Rows of the team's database that are not taken, by project. */
  teamSetAside: slot<{ rows: SetAside[] }>({
    kind: 'team-set-aside',
    read: objectOf({ rows: 'array' }),
    life: days(365),
    exact: { fields: ['id', 'kind'], because: 'the row is looked up by these' },
  }),
  /** What is switched off for now. Pauses end by themselves, or a person ends them. */
  pauses: slot<PauseBook>({
    kind: 'pauses',
    read: objectOf({ pauses: 'object', unread: 'array' }),
    life: { kept: 'one row; pauses that are over leave it' },
    exact: ONLY_IDS,
  }),
  /** The people who work with this Grove in a browser of their own. */
  people: slot<PeopleBook>({
    kind: 'people',
    read: objectOf({ people: 'object' }),
    life: { kept: 'one row: a pairing holds until it is taken back' },
    exact: { fields: 'all', because: 'ids, times, and names that people gave themselves' },
  }),
  /** Answers to requests that came with a key, by that key: a page that asks again changes nothing again. */
  answered: slot<{ status: number; answer: unknown }>({
    kind: 'answered',
    read: (stored) =>
      isObject(stored) && typeof stored.status === 'number'
        ? { status: stored.status, answer: stored.answer }
        : undefined,
    life: days(2),
  }),
  /** What Grove does not understand of a client version. Reported once, and again after it was not seen for this long. */
  finding: slot<KeptFinding>({
    kind: 'client-finding',
    read: readFinding,
    life: days(30),
    exact: { fields: ['kind', 'version', 'sessionId'], because: 'words of our own, a version and an id' },
  }),
  /** When a process without a daemon last swept. */
  sweep: slot<number>({
    kind: 'sweep',
    read: readNumber,
    life: { kept: 'one row, which every sweep replaces' },
    exact: ONLY_NUMBERS,
  }),
}

const readAnyFinding = objectOf<KeptFinding>({ kind: 'string', version: 'string', at: 'number', told: 'boolean' })

/** A finding of a kind that a newer Grove made up cannot be explained. */
function readFinding(stored: unknown): KeptFinding | undefined {
  const finding = readAnyFinding(stored)
  return finding && isFindingKind(finding.kind) ? finding : undefined
}

const readBookmark = objectOf<Bookmark>({ head: 'string', skip: 'number' })

function readStatsCache(stored: unknown): StatsCache | undefined {
  const { version, size, tail, stats, damaged } = isObject(stored) ? stored : {}
  if (version !== 4 || typeof size !== 'number' || typeof tail !== 'string' || typeof damaged !== 'number')
    return undefined
  return isStats(stats) ? { version, size, tail, stats, damaged } : undefined
}

function isStats(stats: unknown): stats is StatsCache['stats'] {
  return (
    isObject(stats) &&
    isObject(stats.learnings) &&
    isObject(stats.counts) &&
    Array.isArray(stats.accepted) &&
    Array.isArray(stats.rejected)
  )
}

/** Gives a declaration the type of its values. */
function slot<T>(declared: Slot<T>): Slot<T> {
  return declared
}

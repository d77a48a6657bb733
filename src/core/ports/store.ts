import type { Memory } from '../memory/memory.ts'
import type { AgentSession, Project, SessionSighting, TokenUsage } from '../session.ts'
import type { DriftEvent, Step, Turn } from '../step.ts'
import type { Task, TaskChange } from '../task.ts'
import type { MemoryUseStore } from './memory.ts'
import type { SharingStore } from './sharing.ts'
import type { StateStore } from './state.ts'

/** What use cases ask of a store; the other ports lie beside. Adapters are in `storage`, `llm` and `exec`; `daemon/compose/` plugs them in. */

export interface Store {
  projects: ProjectStore
  sessions: SessionStore
  tasks: TaskStore
  steps: StepStore
  driftEvents: DriftEventStore
  turns: TurnStore
  memories: MemoryStore
  memoryUses: MemoryUseStore
  /** What waits for the team, and what came from it. */
  sharing: SharingStore
  injections: InjectionStore
  states: StateStore
  counts(): Promise<StoreCounts>
  /** Lets go of the bytes of what was removed or replaced; until then the database's log still holds them. */
  checkpointLog(): Promise<void>
  close(): Promise<void>
}

export interface StoreCounts {
  projects: number
  sessions: number
  tasks: number
  steps: number
  driftEvents: number
  turns: number
  memories: number
}

export interface ProjectStore {
  put(project: Project): Promise<void>
  get(id: string): Promise<Project | undefined>
  /** All of them, or only so many that were worked in last; by name. */
  list(most?: number): Promise<Project[]>
  /** By the project's id, every folder that it was worked on in: the roots of its clones and worktrees. */
  folders(): Promise<Map<string, string[]>>
}

export interface SessionStore {
  /** Creates the session or merges what is newly known; never forgets what was known before. The session, if written by then. */
  see(sighting: SessionSighting): Promise<AgentSession | undefined>
  get(id: string): Promise<AgentSession | undefined>
  /** Sessions not ended and seen since, newest first. */
  live(since: number): Promise<AgentSession[]>
  recent(limit: number): Promise<AgentSession[]>
  end(id: string, at: number): Promise<void>
  /** Removes its tasks, steps, drift events and injections: every text there is of it. */
  eraseWork(id: string): Promise<void>
}

export interface TaskStore {
  /** Does nothing when the id is already there. */
  create(task: Task): Promise<void>
  get(id: string): Promise<Task | undefined>
  change(id: string, change: TaskChange): Promise<void>
  /** The newest active task of the session. */
  current(sessionId: string): Promise<Task | undefined>
  ofSession(sessionId: string): Promise<Task[]>
  remove(id: string): Promise<void>
}

export interface StepStore {
  /** Idempotent by id: the second observer of an action fills in only what the first did not know. */
  append(step: Step): Promise<void>
  /** Newest first. */
  recent(sessionId: string, limit: number): Promise<Step[]>
  /** Oldest first. */
  ofTask(taskId: string): Promise<Step[]>
  /** How many actions a session has taken: kept as steps, or rejected. */
  actions(sessionId: string): Promise<number>
  removeOfTask(taskId: string): Promise<void>
}

export interface DriftEventStore {
  append(event: DriftEvent): Promise<void>
  markRecovered(taskId: string): Promise<void>
  /** Newest first. */
  ofSession(sessionId: string, limit: number): Promise<DriftEvent[]>
}

export interface TurnStore {
  /** Idempotent by message id. */
  append(turn: Turn): Promise<void>
  totals(sessionId: string): Promise<TokenUsage & { turns: number }>
}

export interface MemoryStore {
  /** Also queues it for the team. What was deleted before stays deleted. */
  put(...memories: Memory[]): Promise<void>
  get(id: string): Promise<Memory | undefined>
  /** In the order asked for; unknown ids are left out. */
  byIds(ids: string[]): Promise<Memory[]>
  /** Memories whose id starts with the prefix: people type short ids. */
  startingWith(prefix: string, limit: number): Promise<Memory[]>
  /** Newest first, of one project or of all; `before` pages on. A bare time would lose memories made in the same millisecond. */
  list(projectId: string | undefined, page: { limit: number; before?: number | MemoryPlace }): Promise<Memory[]>
  count(projectId: string): Promise<number>
  /** Deletes it for good, here and for the team. */
  remove(id: string, deleted?: { at: number; by?: string }): Promise<void>
}

/** Where a memory stands in the list of all. */
export type MemoryPlace = Pick<Memory, 'createdAt' | 'id'>

/** What was put into a conversation, why and at which cost: visible to people, never read back by the engine. */
export interface Injection {
  id: string
  sessionId: string
  taskId?: string
  kind: string
  /** Where it stands: in `system`, at the end of the conversation, or in a hook's context. */
  place: 'system' | 'message' | 'hook' | 'clear'
  text: string
  why: string
  tokens: number
  at: number
}

export interface InjectionStore {
  append(injection: Injection): Promise<void>
  /** Newest first. */
  ofSession(sessionId: string, limit: number): Promise<Injection[]>
}

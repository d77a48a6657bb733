import type { LinesByFile, SubstantialWork } from '../gate/own-work.ts'
import type { Baseline, Ticket, TicketSystem } from '../gate/session.ts'
import type { Learning } from '../learning/learning.ts'
import type { FoundLearning, LearningFilters, LearningQuery } from '../learning/query.ts'
import type { BackendSettings } from '../learning/routing.ts'
import type { Stats, StatsEvent } from '../learning/stats.ts'

/** What the learning gate asks of the world. */

/** The settings as they hold for one project; the configuration has this shape. */
export interface LearningSettings {
  terminal: { lines: boolean }
  home: string
  memory: { remember: boolean; inject: boolean }
  ticketing: { discovery: TicketSystem[]; overrides: Record<Exclude<TicketSystem, 'none'>, boolean> }
  backends: BackendSettings & { mcp: MemoryServerSettings }
  gate: {
    enabled: boolean
    /** When agents are asked: after a closed ticket, after substantial work as well, or never. */
    ask: 'tickets' | 'session' | 'off'
    headless: boolean
    substantial: SubstantialWork
    autoSkip: { enabled: boolean; lineThreshold: number; decider: 'agent' | 'always' | 'never' }
  }
  decay: { passiveDurationDays: number; immunityHitRate: number }
  retrieval: { maxInjections: number; strategy: 'conservative' | 'moderate' | 'aggressive' }
  circuitBreaker: { maxBlocks: number; cooldownSeconds: number }
}

/** An MCP server that keeps learnings: its program, or its address where it runs already. */
export interface MemoryServerSettings {
  command: string[]
  env: string[]
  url?: string | undefined
  storeTool?: string | undefined
  searchTool?: string | undefined
  timeoutSeconds: number
}

export interface Tickets {
  detectSystem(root: string, order: readonly TicketSystem[]): Promise<TicketSystem>
  currentTicket(root: string, system: TicketSystem, at: number): Promise<Ticket | undefined>
  findTicket(root: string, system: TicketSystem, id: string, at: number): Promise<Ticket>
}

export interface Changes {
  treeNow(root: string): Promise<Baseline | undefined>
  /** Which files lay changed at the last look, if that was lately enough; costs no look. */
  changedFiles(root: string): string[] | undefined
  /** Lines that were changed here since, by file; undefined where git cannot tell. */
  ownLines(root: string, baseline: Baseline | undefined): Promise<LinesByFile | undefined>
}

/** Where one project's learnings are, and where a person's own are. */
export interface Library {
  /** What the team shares; all of these are written to. */
  shared: LearningBackend[]
  /** Takes what none of the shared ones took. */
  fallback?: LearningBackend
  /** Shared by the worktrees and clones of a project; where another backend holds the same learning, that one counts. */
  store: LearningBackend
  personal: LearningBackend
  /** Where passing insights go, if there is such a place. */
  daily?: { note(learning: Learning): Promise<void> }
  stats: StatsLog
  personalStats: StatsLog
  /** Lets one reflection at a time look for duplicates and write, whichever process it is in. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Rewrites a learning where it stands; false when none of the files holds it. */
  change(id: string, change: (learning: Learning) => Learning): Promise<boolean>
  /** Which of these learnings people have taken out of the project's file: they are gone then, wherever else they are. */
  takenOut(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The project as every worktree, clone and machine knows it. */
  projectId(): Promise<string>
  /** Brings what only the project's file holds to the other worktrees and clones. */
  shareFile(): Promise<void>
}

/** Where learnings are kept. Which of them gets what is decided in `routing.ts`. */
export interface LearningBackend {
  name: string
  write(learning: Learning): Promise<void>
  search(query: LearningQuery, filters: LearningFilters): Promise<FoundLearning[]>
  /** Whether it can be reached. */
  ping(): Promise<boolean>
  /** Whether it is a file, which answers faster than a server. */
  isFile?: boolean
}

/** The append-only log of such events, and what it adds up to. */
export interface StatsLog {
  append(events: readonly StatsEvent[]): Promise<void>
  /** Lines that make no sense are counted and passed over. */
  read(): Promise<{ stats: Stats; damaged: number }>
  /** Sums up from the beginning and takes out what makes no sense; what is taken out is kept beside the log. */
  rebuild(): Promise<{ events: number; damaged: number }>
}

/** A learning is a reflected insight that passed the write gate, with category, scope and life. */
export interface Learning {
  id: string
  category: Category
  summary: string
  detail: string
  scope: Scope
  confidence: Confidence
  criteriaMet: Criterion[]
  tags: string[]
  /** Relative to the project, with forward slashes. */
  contextFiles: string[]
  /** Absent when a person wrote it by hand. */
  sessionId?: string
  ticketId?: string
  /** The older learning it corrects. */
  supersedes?: string
  /** The author: whose session it came from, or which person wrote it; absent where unknown. */
  author?: string
  at: number
  /** When it was last edited, set aside or taken back; the newest copy has the word. */
  changedAt?: number
  status: LearningStatus
}

export const CATEGORIES = ['pattern', 'pitfall', 'convention', 'dependency', 'process', 'domain', 'debugging'] as const
export const SCOPES = ['project', 'team', 'personal', 'ephemeral'] as const
export const CONFIDENCES = ['high', 'medium', 'low'] as const
export const CRITERIA = ['behavior_changing', 'decision_rationale', 'stable_fact', 'explicit_request'] as const
export const STATUSES = ['active', 'archived', 'superseded'] as const

export type Category = (typeof CATEGORIES)[number]
export type Scope = (typeof SCOPES)[number]
export type Confidence = (typeof CONFIDENCES)[number]
/** What makes an insight worth keeping. */
export type Criterion = (typeof CRITERIA)[number]
export type LearningStatus = (typeof STATUSES)[number]

/** What an agent proposes to keep, once it has the right shape. */
export type Candidate = Omit<Learning, 'id' | 'sessionId' | 'author' | 'at' | 'changedAt' | 'status'>

/** Counts up with every change, so that of two copies the newer can be told. */
export function versionOf({ at, changedAt }: Pick<Learning, 'at' | 'changedAt'>): number {
  return Math.max(at, changedAt ?? 0)
}

/** How long each text may be, in characters. */
export const LENGTHS = { summary: { min: 10, max: 200 }, detail: { min: 20, max: 2000 }, tags: { min: 1, max: 10 } }

/** The category in words an agent can choose by. */
export const CATEGORY_MEANING: Record<Category, string> = {
  pattern: 'a reusable approach in the code',
  pitfall: 'a mistake or trap, with the way out',
  convention: 'how things are done in this project',
  dependency: 'something about a library, an API or another system',
  process: 'a better way of working',
  domain: 'business knowledge',
  debugging: 'a way of finding faults that worked',
}

/** Where each scope leads, in words an agent can choose by. */
export const SCOPE_MEANING: Record<Scope, string> = {
  project: 'for everybody who works on this project',
  team: 'the same; it holds in other projects of the team too',
  personal: 'for this user alone',
  ephemeral: 'for today, not kept',
}

/** The question behind each criterion. */
export const CRITERION_QUESTION: Record<Criterion, string> = {
  behavior_changing: 'would you do something differently next time?',
  decision_rationale: 'why was one way chosen over another?',
  stable_fact: 'will it still be true and useful in later sessions?',
  explicit_request: 'did the user ask to remember it?',
}

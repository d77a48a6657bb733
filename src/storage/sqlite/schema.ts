import type { ColumnType, Generated } from 'kysely'
import type { Memory } from '#core/memory/memory.ts'
import type { MemoryUse } from '#core/memory/use.ts'
import type { Injection } from '#core/ports/store.ts'
import type { CorrectionLevel, DriftEvent, DriftType, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'

/** The tables; the migrations beside this file make them. */
export interface Schema {
  projects: ProjectRow
  project_folders: ProjectFolderRow
  sessions: SessionRow
  turns: TurnRow
  tasks: TaskRow
  steps: StepRow
  drift_events: DriftEventRow
  memories: MemoryRow
  deletions: DeletionRow
  outbox: OutboxRow
  pulls: PullRow
  index_queue: IndexQueueRow
  memory_uses: MemoryUseRow
  states: StateRow
  injections: InjectionRow
}

/** Serialized JSON; SQLite keeps it as text. */
type Json = string

/** SQLite answers with 0 or 1. */
type Bool = ColumnType<boolean | 0 | 1, boolean, boolean>

/** Milliseconds since 1970. */
type Time = number

interface ProjectRow {
  id: string
  name: string
  root: string
  remote: string | null
}

interface ProjectFolderRow {
  project_id: string
  folder: string
}

interface SessionRow {
  id: string
  project_id: string | null
  project_at: Time | null
  cwd: string | null
  cwd_at: Time | null
  model: string | null
  model_at: Time | null
  context_tokens: number | null
  context_at: Time | null
  through_proxy: Bool
  through_hooks: Bool
  started_at: Time
  last_seen_at: Time
  ended_at: Time | null
}

interface TurnRow {
  seq: Generated<number>
  id: string
  session_id: string
  agent_id: string | null
  model: string
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  stop_reason: string | null
  tool_uses: number
  at: Time
}

interface TaskRow {
  seq: Generated<number>
  id: string
  session_id: string
  project_id: string | null
  kind: Task['kind']
  parent_id: string | null
  instruction: string
  goal: string
  expected_scope: Json
  constraints: Json
  keywords: Json
  mode: Task['mode']
  status: Task['status']
  escalation: number
  waiting_for_recovery: Bool
  prompt_count: number
  created_at: Time
  updated_at: Time
}

interface StepRow {
  seq: Generated<number>
  id: string
  session_id: string
  task_id: string
  agent_id: string | null
  tool: string
  kind: Step['kind']
  files: Json
  folders: Json
  command: string | null
  query: string | null
  excerpt: string | null
  reasoning: string | null
  keywords: Json
  drift_score: number | null
  drift_type: DriftType | null
  key_decision: Bool
  at: Time
  outcome: NonNullable<Step['outcome']> | null
  changes: Json | null
  earlier_work: Json | null
  level: CorrectionLevel | null
  correction: string | null
}

interface DriftEventRow {
  seq: Generated<number>
  id: string
  session_id: string
  task_id: string
  step_id: string
  tool: string
  kind: DriftEvent['kind']
  files: Json
  score: number
  level: DriftEvent['level']
  reason: string
  correction: string
  recovery_plan: Json
  recovered: Bool
  at: Time
}

interface MemoryRow {
  seq: Generated<number>
  id: string
  project_id: string
  author: string | null
  instruction: string
  goal: string
  reasoning_trace: Json
  decisions: Json
  constraints: Json
  files: Json
  tags: Json
  status: Memory['status']
  trigger: Memory['trigger']
  branch: string | null
  linked_commit: string | null
  parent_id: string | null
  created_at: Time
  session_id: string | null
  updated_at: Time | null
  updated_by: string | null
  superseded_by: string | null
  merged: ColumnType<boolean | 0 | 1 | null, boolean | null, boolean | null>
}

interface DeletionRow {
  kind: string
  id: string
  project_id: string
  at: Time
  author: string | null
}

interface OutboxRow {
  kind: string
  id: string
  project_id: string
  version: number
}

interface PullRow {
  kind: string
  project_id: string
  epoch: string
  change: number
}

interface IndexQueueRow {
  kind: string
  id: string
  project_id: string
}

interface MemoryUseRow {
  memory_id: string
  session_id: string
  shown_at: Time
  used_at: Time | null
  settled_at: Time | null
  how: MemoryUse['how'] | null
}

interface StateRow {
  kind: string
  key: string
  value: Json
  at: Time
}

interface InjectionRow {
  seq: Generated<number>
  id: string
  session_id: string
  task_id: string | null
  kind: string
  place: Injection['place']
  content: string
  why: string
  tokens: number
  at: Time
}

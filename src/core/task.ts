/** A task is one unit of tracked work in an agent session. */
export interface Task {
  id: string
  sessionId: string
  projectId?: string
  kind: TaskKind
  parentId?: string
  /** The user's words this task began with. */
  instruction: string
  goal: string
  expectedScope: string[]
  constraints: string[]
  keywords: string[]
  mode: TaskMode
  status: TaskStatus
  /** How many corrections in a row were not followed. */
  escalation: number
  promptCount: number
  createdAt: number
  updatedAt: number
}

export type TaskKind = 'main' | 'subtask' | 'parallel'
export type TaskMode = 'normal' | 'drifted' | 'forced'
export type TaskStatus = 'active' | 'completed' | 'abandoned'

/** What may change about a task after it began; identity and origin never do. */
export type TaskChange = Partial<
  Pick<
    Task,
    | 'projectId'
    | 'goal'
    | 'expectedScope'
    | 'constraints'
    | 'keywords'
    | 'mode'
    | 'status'
    | 'escalation'
    | 'promptCount'
  >
> & { updatedAt: number }

/** A task as it begins: everything that grows during work is empty. */
export function newTask(
  begin: Pick<Task, 'id' | 'sessionId' | 'kind' | 'instruction' | 'goal'> & Partial<Task>,
  now: number,
): Task {
  return {
    expectedScope: [],
    constraints: [],
    keywords: [],
    mode: 'normal',
    status: 'active',
    escalation: 0,
    promptCount: 1,
    createdAt: now,
    updatedAt: now,
    ...begin,
  }
}

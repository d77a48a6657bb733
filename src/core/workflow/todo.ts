export const TODO_CATEGORIES = ['security', 'performance', 'bug', 'feature', 'missing'] as const
export type TodoCategory = (typeof TODO_CATEGORIES)[number]

/** A comment block that an agent has left for people, as it is understood. */
export interface ReadTodo {
  type: 'todo' | 'fixme' | 'dependency'
  description: string
  impact: string
  category: TodoCategory
  priority: 'high' | 'medium' | 'low'
  options: { label: string; recommended: boolean }[]
}

import type { Stage } from './stage.ts'

/** What Grove made of a session. */
export interface WhatCame {
  /** Tasks in their order: kind and status. */
  tasks: string[]
  /** What was kept of the work, by its file or its tool. */
  steps: string[]
  /** What the agent was told, and whether it came back. */
  corrections: string[]
  recovered: number
  /** Files of each memory, oldest first, with its marks. */
  memories: string[][]
}

export async function whatCame({ grove }: Stage, sessionId: string): Promise<WhatCame> {
  const { store, events } = grove
  const tasks = await store.tasks.ofSession(sessionId)
  const session = await store.sessions.get(sessionId)
  const memories = await store.memories.list(session!.projectId!, { limit: 9 })
  return {
    tasks: tasks.toSorted((a, b) => a.createdAt - b.createdAt).map(({ kind, status }) => `${kind} ${status}`),
    steps: events.flatMap((event) => (event.type === 'step' ? [event.files[0] ?? event.tool] : [])),
    corrections: events.flatMap((event) => (event.type === 'drift' ? [event.level] : [])),
    recovered: events.filter(({ type }) => type === 'recovered').length,
    memories: memories.toReversed().map(({ files, tags }) => [...files, ...tags]),
  }
}

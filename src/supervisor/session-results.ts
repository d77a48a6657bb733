import type { Memory } from '#core/memory/memory.ts'
import type { MemoryUse } from '#core/memory/use.ts'
import type { Store } from '#core/ports/store.ts'
import { placeName } from '#core/project.ts'
import { SLOTS } from './state-slots.ts'

/** What came of a session, and what Grove has done for it. */
export interface SessionResults {
  sessionId: string
  project: string
  /** Made of its newest finished work; absent where none was finished. */
  memory?: Memory
  uses: MemoryUse[]
  /** What its memories cost when they were put before the agent. */
  recallTokens: number
  corrections: number
  stoppedWrites: number
}

const MOST = 500

/** Of every session that was seen since a time. */
export async function sessionResults(store: Store, since: number): Promise<SessionResults[]> {
  const sessions = (await store.sessions.recent(MOST)).filter(({ lastSeenAt }) => lastSeenAt >= since)
  const projects = new Map((await store.projects.list()).map((project) => [project.id, project]))
  const folders = await store.projects.folders()
  const made = (await store.memories.list(undefined, { limit: MOST })).filter(({ createdAt }) => createdAt >= since)
  const own = new Map(made.map((memory) => [memory.sessionId, memory]))
  return Promise.all(
    sessions.map(async ({ id, projectId = '', cwd }) => {
      const [uses, injections, stopped] = await Promise.all([
        store.memoryUses.ofSession(id),
        store.injections.ofSession(id, MOST),
        store.states.get(SLOTS.stoppedInSession, id),
      ])
      const contexts = injections.filter(({ kind, text }) => kind === 'context' && text.includes('<grove-memory>'))
      const memory = own.get(id)
      const project = projects.get(projectId)
      return {
        sessionId: id,
        project: project ? placeName(project, folders.get(projectId) ?? [], cwd) : '–',
        ...(memory && { memory }),
        uses,
        recallTokens: contexts.reduce((sum, { tokens }) => sum + tokens, 0),
        corrections: injections.filter(({ kind }) => kind === 'correction').length,
        stoppedWrites: stopped ?? 0,
      }
    }),
  )
}

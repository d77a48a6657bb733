import type { SkipDecider } from '#core/gate/gate.ts'
import { type InsightReport, insights } from '#core/learning/insights.ts'
import type { Learning } from '#core/learning/learning.ts'
import type { Refusal } from '#core/refusal.ts'
import {
  type Edit,
  type Entry,
  editLearning,
  findEntry,
  listLearnings,
  setAside,
  type Wanted,
} from '#supervisor/learning/catalogue.ts'
import { type Maintenance, maintain } from '#supervisor/learning/maintain.ts'
import { observe, skip } from '#supervisor/learning/notes.ts'
import { type Reflection, reflect, turnDown } from '#supervisor/learning/reflect.ts'
import { listRejected, type RejectedCandidate, restoreRejected } from '#supervisor/learning/rejected.ts'
import { allLearnings } from '#supervisor/learning/retrieve.ts'
import { supersede } from '#supervisor/learning/supersede.ts'
import type { OpenWorld } from '../compose/world.ts'

/** What the command line does with learnings. */
export interface LearningCommands {
  reflect(candidates: readonly unknown[], session: { named?: string; own?: string }): Promise<Reflection>
  /** What was handed in could not be read. */
  turnDown(why: string, sessionId?: string): Promise<void>
  skip(
    reason: string,
    decider: SkipDecider,
    sessionId?: string,
  ): Promise<{ sessionId: string; gate: string } | undefined>
  observe(note: string, sessionId?: string): Promise<{ sessionId: string; notes: number } | undefined>
  list(wanted: Wanted): Promise<Entry[]>
  find(id: string): Promise<Entry | Refusal>
  edit(id: string, edit: Edit): Promise<Entry | Refusal>
  setAside(id: string, to: 'archived' | 'restored', reason?: string): Promise<Entry | Refusal>
  supersede(older: string, newer: string): Promise<Entry | Refusal>
  maintain(options: { dryRun: boolean }): Promise<Maintenance>
  insights(): Promise<InsightReport>
  rejected(): Promise<RejectedCandidate[]>
  restoreRejected(id: string): Promise<Learning | Refusal>
}

/** The commands on the learnings of the project that a folder lies in. */
export async function learningCommands(opened: OpenWorld, cwd: string): Promise<LearningCommands> {
  const world = await opened.learning()
  const settings = world.settingsAt(cwd)
  const library = world.libraryAt(world.rootOf(cwd), settings)
  return {
    reflect: (candidates, { named, own }) =>
      reflect(world, { cwd, candidates, ...(named && { sessionId: named }), ...(own && { ownId: own }) }),
    turnDown: (why, sessionId) => turnDown(world, { cwd, ...(sessionId && { sessionId }) }, why),
    skip: async (reason, decider, sessionId) => {
      const session = await skip(world, { cwd, reason, decider, ...(sessionId && { sessionId }) })
      return session && { sessionId: session.sessionId, gate: session.gate.status }
    },
    observe: async (note, sessionId) => {
      const session = await observe(world, { cwd, note, ...(sessionId && { sessionId }) })
      return session && { sessionId: session.sessionId, notes: session.observations.length }
    },
    list: (wanted) => listLearnings(world, library, wanted),
    find: (id) => findEntry(world, library, id),
    edit: (id, edit) => editLearning(world, library, id, edit),
    setAside: (id, to, reason) => setAside(world, library, id, to, reason),
    supersede: (older, newer) => supersede(world, library, { older, newer }),
    maintain: (options) => maintain(world, library, settings, options),
    rejected: () => listRejected(world, library),
    restoreRejected: (id) => restoreRejected(world, library, id, world.rootOf(cwd)),
    insights: async () => {
      const { learnings, stats } = await allLearnings(world, library)
      return insights(learnings, stats, world.clock.now())
    },
  }
}

export type { Edit, Entry, InsightReport, Maintenance, Reflection, RejectedCandidate as Rejected }

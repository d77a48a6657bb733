import type { KnownWork } from '#core/drift/explain.ts'
import type { Proof } from '#core/drift/recovery.ts'
import { onlyAnswers } from '#core/goal/limits/answer-only.ts'
import { limitOn } from '#core/goal/orders.ts'
import type { Task } from '#core/task.ts'
import { covers } from '#core/text/covers.ts'
import type { SessionState } from '../../session/session-state.ts'
import type { ActiveWork } from '../../session/work.ts'

/**
 * The files that the goal is about: those that the user named, then those that the work has touched. Newest first, where
 * there is proof; where statistics doubt the newest action, those just before it are doubtful as well.
 */
export function goalFiles(
  { work, drift }: SessionState,
  { expectedScope, constraints }: Task,
  proof: Proof | undefined,
): string[] {
  const astray = new Set(drift.astray.map(({ path }) => path))
  const isChanged = (file: string) => work.changed.includes(file)
  const touched = proof
    ? work.onGoalFiles.toReversed()
    : [...work.onGoalFiles.filter(isChanged), ...work.onGoalFiles.filter((file) => !isChanged(file))]
  // What was named by its name alone lies where the agent has found it.
  const placed = expectedScope.map((place) => touched.find((file) => file.endsWith(`/${place}`)) ?? place)
  // "async/await" looks like a folder: where there is work to go by, only what it has met is one.
  const named = placed.filter(
    (place) => touched.length === 0 || FILE.test(place) || touched.some((f) => covers([place], f)),
  )
  // The way back leaves out files that the user has closed meanwhile.
  const limits = { constraints: constraints.filter((limit) => !onlyAnswers(limit)), expectedScope }
  return [...new Set([...named, ...touched])].filter((file) => !astray.has(file) && limitOn(limits, file) === undefined)
}

const FILE = /\.\w{1,12}$|\/$/

/** What the work is about, with what it has touched apart from what only the words name. */
export function knownWork(session: SessionState, { task, trail }: ActiveWork, proof: Proof | undefined): KnownWork {
  const files = goalFiles(session, task, proof)
  const isTouched = (file: string) => session.work.onGoalFiles.includes(file)
  return {
    instruction: `${task.instruction}\n${trail.goal}`,
    touched: files.filter(isTouched),
    named: files.filter((file) => !isTouched(file)),
  }
}

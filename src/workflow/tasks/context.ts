import type { FeaturePlace, Outcome } from '#core/ports/repository.ts'
import type { Feature } from '../feature.ts'
import { Held } from '../hold-error.ts'
import type { RunHandle } from '../run/facts.ts'
import type { WorkflowWorld } from '../world.ts'

/** What a task works with. */
export interface TaskContext {
  world: WorkflowWorld
  feature: Feature
  handle: RunHandle
}

/** Folders that Grove itself writes into a work tree; they are no part of the feature. */
export const LEFT_OUT = ['.orchestration', '.grove']

export function placeOf({ session }: Feature): FeaturePlace {
  return {
    repository: session.projectPath,
    folder: session.folder,
    inPlace: session.mode === 'in_place',
    branch: session.featureBranch,
  }
}

/** Unwraps a git outcome: returns the value, or throws the hold with git's message. */
export function orHold<T>(outcome: Outcome<T>, doing: string): T {
  if (outcome.ok) return outcome.value
  const detail = [outcome.message, outcome.detail].filter(Boolean).join('\n')
  const kind = outcome.code === 'branch_exists' ? 'branch_exists' : 'repository_failed'
  throw new Held({ kind, message: `Grove could not ${doing}.`, detail })
}

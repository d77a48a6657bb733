import type { GuardWorld } from '../world.ts'
import type { Call } from './call.ts'
import { type Expectation, fileTargets, shellTargets } from './targets.ts'

/**
 * Keeps the targets that this project judges: without those in other guarded projects and, for a session started
 * elsewhere, those in none.
 */
export function ownPart(
  { projects }: GuardWorld,
  { project: { root } }: Call,
  expected: Expectation,
  isElsewhere: boolean,
): Expectation {
  const targets = expected.targets.filter(({ absolute }) => {
    const owner = projects.at(absolute.slice(0, absolute.lastIndexOf('/')) || '/')
    return owner === undefined ? !isElsewhere : owner.root === root
  })
  return { ...expected, targets }
}

/** What a call would write, as far as can be told before it runs. */
export async function expectation(
  world: GuardWorld,
  { project, cwd, effect }: Pick<Call, 'project' | 'cwd' | 'effect'>,
): Promise<Expectation> {
  switch (effect.kind) {
    case 'none':
      return { targets: [], undecided: false, readOnly: true }
    case 'files':
      return { targets: fileTargets(world, project, cwd, effect.paths), undecided: false, readOnly: false }
    case 'shell':
      return shellTargets(world, project, cwd, effect)
    case 'unknown':
      return { targets: fileTargets(world, project, cwd, effect.paths), undecided: true, readOnly: false }
  }
}

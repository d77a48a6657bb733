import { NO_INTENT } from '#core/intent/approval.ts'
import type { Denial } from '#core/intent/denial.ts'
import type { Contribution } from '../../handle-hook.ts'
import { openWindow } from '../after-tool/tool-windows.ts'
import { askPerson, isYes } from '../approvals/ask-person.ts'
import type { GuardWorld } from '../world.ts'
import type { Call } from './call.ts'
import { boundTargets } from './scope-check.ts'
import type { Expectation } from './targets.ts'

/**
 * Without an intent, only ignored and temporary files may be written; tests, builds and installs run. What reaches
 * outside the working tree is for a person to decide.
 */
export async function withoutIntent(
  world: GuardWorld,
  call: Call,
  expected: Expectation,
  denial: Denial,
  putsBack: boolean,
): Promise<Denial | Contribution | undefined> {
  const { effect, project } = call
  if (effect.kind !== 'shell') {
    const isFree = effect.kind === 'files' && (await boundTargets(world, project, expected.targets)).length === 0
    return isFree ? undefined : denial
  }
  const { outward, routine } = effect.script
  if ((await boundTargets(world, project, expected.targets)).length > 0) return denial
  if (outward.length > 0) {
    const said = await askPerson(world, call, NO_INTENT, expected)
    if (said && !isYes(said)) return said
    await openWindow(world, call, undefined, expected)
    return said
  }
  if (expected.undecided && !routine && !putsBack) return denial
  await openWindow(world, call, undefined, expected)
  return undefined
}

import type { Step } from '#core/step.ts'
import type { CallFacts } from '../inject/read-call.ts'
import type { SessionState } from '../session/session-state.ts'
import { isNoted } from '../session/work.ts'
import type { World } from '../world.ts'
import { keepStep, noteAction, withWords } from './note-action.ts'

/**
 * Through the proxy alone nobody tells that a tool has run; its result in the next request does. What a hook has told of
 * already is not noted again. Answers with what is left to do: writing the steps, which no request waits for.
 */
export async function noteResults(
  world: World,
  session: SessionState,
  facts: CallFacts,
  agentId?: string,
): Promise<(() => Promise<void>) | undefined> {
  if (facts.results.every((id) => isNoted(session, id))) return undefined
  const kept: Step[] = []
  for (const { use, said } of facts.settled) {
    const step = await noteAction(world, session, use, agentId)
    if (step) kept.push(withWords(step, said))
  }
  return async () => {
    for (const step of kept) await keepStep(world, step)
  }
}

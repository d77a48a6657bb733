import type { Step } from '#core/step.ts'
import { type CallFacts, workingDirectory } from '../../inject/read-call.ts'
import { noteSession } from '../../session/note-session.ts'
import type { SessionState } from '../../session/session-state.ts'
import { isNoted } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { keepStep, noteAction, withWords } from '../actions/note-action.ts'

/** Requests that were the first to show an action. */
const toldFirst = new WeakSet<CallFacts>()

/** Whether actions of this conversation are known by their results alone, as far as this request tells. */
export function isFirstToTell(facts: CallFacts): boolean {
  return toldFirst.has(facts)
}

/** Whether a request brings the result of an action that is not noted yet. */
export function tellsOfNew(session: SessionState, { results }: CallFacts): boolean {
  return results.some((id) => !isNoted(session, id))
}

/**
 * Notes the calls whose results stand in the next request: without hooks nothing else shows that a tool has run. What a hook
 * has reported already is not noted again. Resolves to the work that is left, writing the steps, which no request waits for.
 */
export async function noteResults(
  world: World,
  session: SessionState,
  facts: CallFacts,
  agentId?: string,
): Promise<(() => Promise<void>) | undefined> {
  if (!tellsOfNew(session, facts)) return undefined
  toldFirst.add(facts)
  // A client that runs a tool while its answer still streams may be back before that answer was observed.
  const cwd = session.place === undefined ? workingDirectory(facts.layout) : undefined
  if (cwd) await noteSession(world, session, 'proxy', { cwd, model: facts.model })
  const kept: { step: Step; said: string }[] = []
  for (const { use, said } of facts.settled) {
    const step = await noteAction(world, session, use, agentId)
    if (step) kept.push({ step, said })
  }
  return async () => {
    for (const { step, said } of kept) await keepStep(world, withWords(step, said))
  }
}

import { windowTokens } from '#core/session.ts'
import type { ObservedTurn } from '../../call.ts'
import { type CallFacts, workingDirectory } from '../../inject/read-call.ts'
import { noteSession } from '../../session/note-session.ts'
import type { SessionState } from '../../session/session-state.ts'
import { noteAnswer } from '../../session/transcript.ts'
import { noteUsage } from '../../session/window.ts'
import type { World } from '../../world.ts'
import { scoreAhead } from '../actions/score-action.ts'
import { noteClosing } from '../tasks/note-closing.ts'
import { noteInstruction } from '../tasks/note-instruction.ts'
import { isFirstToTell, noteResults, tellsOfNew } from './note-results.ts'
import { noteTokens } from './note-tokens.ts'

/** An answer is through: who asked, what it cost, what was done before it, and whether it says that the work is done. */
export async function observeTurn(
  world: World,
  session: SessionState,
  turn: ObservedTurn,
  facts: CallFacts,
  helpersAtWork: boolean,
): Promise<void> {
  const { call, answer } = turn
  if (!answer) return
  const { sessionId } = session
  const main = facts.kind === 'main'
  if (main) {
    noteAnswer(session, answer.messageId)
    // A broken stream may lack the numbers; what we knew before is better than nothing.
    noteUsage(session, windowTokens(answer.usage) || session.window.tokens, facts.window)
    const cwd = session.place === undefined ? workingDirectory(facts.layout) : undefined
    await noteSession(world, session, 'proxy', { ...(cwd && { cwd }), model: answer.model || facts.model })
  }
  await world.store.turns.append({
    id: answer.messageId,
    sessionId,
    ...(call.agentId && { agentId: call.agentId }),
    model: answer.model || facts.model,
    usage: answer.usage,
    ...(answer.stopReason && { stopReason: answer.stopReason }),
    toolUses: answer.toolUses.length,
    at: turn.endedAt,
  })
  if (facts.kind === 'subagent') await (await noteResults(world, session, facts, call.agentId ?? 'subagent'))?.()
  if (!main) return
  noteTokens(world, session)
  if (facts.instruction) await noteInstruction(world, session, facts.instruction.text, facts.instruction.index)
  // Where the request was not prepared, the results in it have still to be noted.
  if (tellsOfNew(session, facts)) await (await noteResults(world, session, facts))?.()
  if (answer.complete && answer.toolUses.length === 0) await noteClosing(world, session, answer.text, helpersAtWork)
  // The next request will be the first to tell of these as well, and would wait for it.
  if (isFirstToTell(facts)) for (const toolUse of answer.toolUses) await scoreAhead(world, session, toolUse)
}

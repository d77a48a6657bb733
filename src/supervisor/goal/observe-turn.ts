import { windowTokens } from '#core/session.ts'
import type { ObservedTurn } from '../call.ts'
import { type CallFacts, workingDirectory } from '../inject/read-call.ts'
import type { World } from '../world.ts'
import { type Mind, pushBounded } from './mind.ts'
import { keepStep, noteAction, withWords } from './note-action.ts'
import { noteClosing } from './note-closing.ts'
import { noteInstruction } from './note-instruction.ts'
import { noteTokens } from './note-tokens.ts'
import { noteSession } from './sessions.ts'

const ANSWERS = 50

/** An answer is through: who asked, what it cost, what the agent does next, and whether it says that it is done. */
export async function observeTurn(world: World, mind: Mind, turn: ObservedTurn, facts: CallFacts): Promise<void> {
  const { call, answer } = turn
  if (!answer) return
  const { sessionId } = mind
  const main = facts.kind === 'main'
  if (main) {
    mind.window = facts.window
    mind.answers = pushBounded(mind.answers, answer.messageId, ANSWERS)
    // A broken stream may lack the numbers; what we knew before is better than nothing.
    mind.contextTokens = windowTokens(answer.usage) || mind.contextTokens
    const cwd = mind.cwd === undefined ? workingDirectory(facts.layout) : undefined
    await noteSession(world, mind, 'proxy', { ...(cwd && { cwd }), model: answer.model || facts.model })
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
  if (facts.kind === 'subagent') {
    const agentId = call.agentId ?? 'subagent'
    for (const toolUse of answer.toolUses) {
      const step = await noteAction(world, mind, toolUse, agentId)
      if (step) await keepStep(world, step)
    }
  }
  if (!main) return
  noteTokens(world, mind)
  if (facts.instruction) await noteInstruction(world, mind, facts.instruction.text, facts.instruction.index)
  for (const toolUse of answer.toolUses) {
    const step = await noteAction(world, mind, toolUse)
    if (step) await keepStep(world, withWords(step, answer.text))
  }
  if (answer.complete && answer.toolUses.length === 0) await noteClosing(world, mind, answer.text)
}

import { isOpen } from '#core/intent/intent.ts'
import { protocolText, subagentText } from '#core/intent/text-for-agents.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { GuardWorld } from '../world.ts'
import { type Agent, activeIntent } from './active-intent.ts'

/** What the agent is told when its session begins, or begins again after a compaction. */
export async function greeting(world: GuardWorld, project: GuardedProject, agent: Agent): Promise<string> {
  const book = await world.intents.open(project)
  const selection = await activeIntent(world, agent)
  const active = selection && book.find(selection.intentId)
  return protocolText(book.choice, active && isOpen(active) ? active : undefined)
}

/** What a subagent is told: its parent's intent, if there is one. */
export async function subagentGreeting(world: GuardWorld, project: GuardedProject, agent: Agent): Promise<string> {
  const book = await world.intents.open(project)
  const selection = await activeIntent(world, agent)
  const active = selection && book.find(selection.intentId)
  return active && isOpen(active) ? subagentText(active) : protocolText(book.choice, undefined)
}

import {
  closedIntent,
  type Denial,
  noIntent,
  otherProject,
  unknownIntent,
  unreadableIntents,
} from '#core/intent/denial.ts'
import { type Intent, isOpen } from '#core/intent/intent.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { Call } from '../before-tool/call.ts'
import type { GuardWorld } from '../world.ts'
import { activeIntent, type Selection } from './active-intent.ts'

/** The intent of a call that needs none. */
export async function chosenQuietly(world: GuardWorld, call: Call): Promise<Chosen | undefined> {
  const chosen = await intentFor(world, call)
  return isRefusal(chosen) ? undefined : chosen
}

/** The intent an agent works for, with what it said about its changes. */
export interface Chosen {
  intent: Intent
  selection: Selection
}

export async function intentFor(world: GuardWorld, call: Call): Promise<Chosen | Denial> {
  const book = await world.intents.open(call.project)
  const [problem] = book.problems
  const selection = await activeIntent(world, call)
  const isOwn = selection !== undefined && book.find(selection.intentId) !== undefined
  if (call.isElsewhere && !isOwn && !problem)
    return otherProject(call.project.root, call.sessionId, book.choice, selection !== undefined)
  if (!selection) {
    return problem && book.choice.count === 0
      ? unreadableIntents(problemText(problem))
      : noIntent(call.tool, book.choice)
  }
  const intent = book.find(selection.intentId)
  if (!intent) {
    return problem ? unreadableIntents(problemText(problem)) : unknownIntent(selection.intentId, book.choice)
  }
  return isOpen(intent) ? { intent, selection } : closedIntent(intent, book.choice)
}

function problemText({ line, column, message }: { line: number; column: number; message: string }): string {
  return `active_intents.yaml, line ${line}, column ${column}: ${message}`
}

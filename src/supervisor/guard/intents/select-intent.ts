import { closedIntent, type Denial, unknownIntent, unreadableIntents } from '#core/intent/denial.ts'
import { type Intent, isOpen } from '#core/intent/intent.ts'
import { intentContext, type Recalled } from '#core/intent/text-for-agents.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { MutationClass } from '#core/trace/mutation/mutation.ts'
import { failOpen } from '../../fail-open.ts'
import type { GuardWorld } from '../world.ts'
import { type Agent, selectIntent } from './active-intent.ts'

/** Selects an intent for an agent and tells what there is to know about it. */
export async function select(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent | undefined,
  intentId: string,
  declared?: MutationClass,
): Promise<string | Denial> {
  const book = await world.intents.open(project)
  const intent = book.find(intentId)
  const [problem] = book.problems
  if (!intent && problem) return unreadableIntents(`line ${problem.line}, column ${problem.column}: ${problem.message}`)
  if (!intent) return unknownIntent(intentId, book.choice)
  if (!isOpen(intent)) return closedIntent(intent, book.choice)
  if (agent) {
    await selectIntent(world, agent, { intentId, ...(declared && { declared }) })
    world.notify({ type: 'intent:selected', sessionId: agent.sessionId, intentId })
  }
  const ignored = await world.intents.ignored(project)
  return intentContext({
    intent,
    needsApproval: ignored.includes(intent.id),
    dependencies: intent.dependencies.map((id) => ({ id, status: book.find(id)?.status ?? 'unknown' })),
    recent: await recentChanges(world, project, intent),
    recalled: await recalled(world, project, intent),
  })
}

async function recentChanges(world: GuardWorld, project: GuardedProject, { id }: Intent) {
  const views = await failOpen(world.log, 'read the trace', [], () => world.ledger.recentOf(project, id, 10))
  return views.map(({ at, files, mutationClass }) => ({
    at,
    files: files.map(({ path }) => path),
    ...(mutationClass && { mutationClass }),
  }))
}

function recalled(world: GuardWorld, project: GuardedProject, intent: Intent): Promise<Recalled[]> {
  const { recall } = world
  if (!recall) return Promise.resolve([])
  const about = [intent.name, ...intent.acceptanceCriteria, ...intent.ownedScope].join('\n')
  return failOpen(world.log, 'recall what helps with an intent', [], () => recall(about, project))
}

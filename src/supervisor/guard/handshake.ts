import type { Approval } from '#core/intent/approval.ts'
import { closedIntent, type Denial, noIntent, rejected, unknownIntent, unreadableIntents } from '#core/intent/denial.ts'
import { intentContext, protocolText, type Recalled, subagentText } from '#core/intent/handshake.ts'
import { type Intent, isOpen } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { refusal } from '#core/refusal.ts'
import { dayOf } from '#core/text/day.ts'
import type { MutationClass } from '#core/trace/mutation/mutation.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { failOpen } from '../fail-open.ts'
import { SLOTS } from '../state-slots.ts'
import { type Agent, activeIntent, selectIntent } from './active-intent.ts'
import { answer, file, type Request, refused, use, waitForAnswer } from './approvals.ts'
import { noteWrote } from './seen-files.ts'
import type { GuardWorld } from './world.ts'
import { exclusively } from './write-leases.ts'

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

const MOST_GLOBS = 20

/** The request for more scope of an agent's intent, or what is wrong with it. */
export async function scopeRequest(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent,
  wanted: readonly string[],
): Promise<Request | Denial> {
  const selection = await activeIntent(world, agent)
  const book = await world.intents.open(project)
  const intent = selection && book.find(selection.intentId)
  if (!intent) return noIntent('request_scope', book.choice)
  const scope = wanted.map((glob) => glob.trim().replace(/^\.\//, '')).filter(Boolean)
  // A person is shown the globs without secrets, and would approve something else than what was asked.
  const odd = scope.filter((glob) => /^[/~]|(^|\/)\.\.(\/|$)|^!|[\0\n]/.test(glob) || redact(glob) !== glob)
  if (scope.length === 0 || scope.length > MOST_GLOBS || odd.length > 0) {
    return refusal(
      'scope_violation',
      `This scope cannot be requested: ${redact((odd.length > 0 ? odd : scope).slice(0, 5).join(', ')) || 'nothing'}.`,
      `Name 1 to ${MOST_GLOBS} paths or globs from the project's root, without \`..\` and without \`!\`.`,
    )
  }
  return {
    kind: 'scope',
    sessionId: agent.sessionId,
    ...(agent.agentId && { agentId: agent.agentId }),
    project,
    intentId: intent.id,
    tool: 'request_scope',
    subject: JSON.stringify([...scope].sort()),
    what: `add ${scope.join(', ')} to the scope of ${intent.id}`,
    scope,
  }
}

/** Asks a person for more scope, waits for the answer, and widens the intent when it is yes. */
export async function requestScope(
  world: GuardWorld,
  project: GuardedProject,
  { toolUseId, ...agent }: Agent & { toolUseId?: string },
  wanted: readonly string[],
  reason: string,
): Promise<string | Denial> {
  const request = await scopeRequest(world, project, agent, wanted)
  if (isRefusal(request)) return request
  const { intentId, scope = [] } = request
  const approval = await file(world, { ...request, reason })
  if (await saidYesInTerminal(world, toolUseId)) await answer(world, approval.id, { approve: true, in: 'terminal' })
  const { approvalWaitMs } = world.settings(project)
  const said = (await waitForAnswer(world, approval.id, approvalWaitMs)) ?? approval
  if (said.status === 'rejected') return rejected(said.what, said.note)
  if (said.status === 'pending') return refused(said, approvalWaitMs)
  await use(world, approval.id)
  await widen(world, project, intentId, scope)
  return `Approved. ${intentId} now also owns ${scope.join(', ')}.`
}

/** The client has asked the person before it made this call, so that the call was made is the answer. */
async function saidYesInTerminal({ states }: GuardWorld, toolUseId: string | undefined): Promise<boolean> {
  if (!toolUseId || (await states.get(SLOTS.guardAsked, toolUseId)) === undefined) return false
  await states.remove(SLOTS.guardAsked, toolUseId)
  return true
}

/** Adds to an intent's scope in the file; what is there already is not added again. */
export async function widen(world: GuardWorld, project: GuardedProject, intentId: string, scope: readonly string[]) {
  const owned = (await world.intents.open(project)).find(intentId)?.ownedScope ?? []
  const fresh = scope.filter((glob) => !owned.includes(glob))
  if (fresh.length === 0) return
  await changeIntents(world, project, (edit) => edit.withScope(intentId, fresh))
}

/** A person answers a request. More scope is given at once, also when the agent has stopped waiting. */
export async function answerRequest(
  world: GuardWorld,
  id: string,
  said: { approve: boolean; in: 'terminal' | 'browser'; note?: string },
): Promise<Approval | undefined> {
  const approval = await answer(world, id, said)
  const project = approval && world.projects.at(approval.root)
  if (project && approval.status === 'approved' && approval.kind === 'scope') {
    await widen(world, project, approval.intentId, approval.scope ?? [])
  }
  return approval
}

type Edit = Parameters<GuardWorld['intents']['change']>[1]

/** Changes the intents' file, one at a time, and notes that it was Grove and no agent's command. */
export async function changeIntents(world: GuardWorld, project: GuardedProject, edit: Edit): Promise<boolean> {
  const path = `${project.orchestration}/active_intents.yaml`
  return exclusively(world, path, world.newId(), async () => {
    const isChanged = await world.intents.change(project, edit)
    const now = await world.files.read(path)
    if (isChanged && now) await noteWrote(world, GROVE, path, now.hash)
    return isChanged
  })
}

const GROVE: Agent = { sessionId: 'grove' }
/** A lesson is a sentence or two; CLAUDE.md is read in every session. */
export const MOST_LESSON = 500

/** Keeps a lesson in CLAUDE.md and offers it to the write gate. */
export async function recordLesson(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent | undefined,
  lesson: string,
): Promise<string> {
  // Marks of a comment would end Grove's section, or hide what follows it.
  const text = redact(lesson)
    .replace(/<!--+|(?<!-)--+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_LESSON)
  const date = dayOf(world.clock.now())
  const path = `${project.root}/CLAUDE.md`
  const isNew = await exclusively(world, path, world.newId(), async () => {
    const isAdded = await world.lessons.add(project.root, text, date)
    const now = await world.files.read(path)
    if (isAdded && now) await noteWrote(world, GROVE, path, now.hash)
    return isAdded
  })
  await failOpen(world.log, 'offer a lesson to the write gate', undefined, async () =>
    world.offerLesson?.(text, agent?.sessionId, project),
  )
  return isNew ? 'Kept in CLAUDE.md under "Lessons Learned".' : 'This lesson is in CLAUDE.md already.'
}

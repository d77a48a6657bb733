import { tokensOf } from '#core/context/fence.ts'
import { decide, IDLE } from '#core/gate/gate.ts'
import { type GateSession, newGateSession, type Ticket, type TicketSystem, traced } from '#core/gate/session.ts'
import { learningsContext, recalledLine } from '#core/learning/present.ts'
import type { LearningQuery } from '#core/learning/query.ts'
import { choose, type Ranked } from '#core/learning/ranking.ts'
import type { LearningSettings, Library } from '#core/ports/learning.ts'
import { redact } from '#core/redact/redact.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { decayIfDue } from './maintain.ts'
import { findLearnings, learningsNamed, logFor } from './retrieve.ts'
import { beginSession, changeSession, limitsOf, loadSession, systemsIn } from './sessions.ts'
import type { LearningWorld } from './world.ts'

/** A session begins: what is being worked on, and what earlier sessions learned about it. */
export async function startSession(
  world: LearningWorld,
  event: HookEventOf<'SessionStart'>,
): Promise<Contribution | undefined> {
  if (!event.cwd) return undefined
  const settings = world.settingsAt(event.cwd)
  if (!settings.gate.enabled) return undefined
  const root = world.rootOf(event.cwd)
  const library = world.libraryAt(root, settings)
  const { log } = world
  // A compacted session is the same session, and has just forgotten what it was shown.
  const known =
    event.source === 'compact'
      ? await failOpen(log, 'load the session', undefined, () => loadSession(world, event.session_id))
      : undefined
  if (known) return showAgain(world, library, known)

  const at = world.clock.now()
  const { system, ticket } = await workAt(world, root, settings)
  // What a resumed session did before it was shown anything is no use of it.
  const path = event.transcript_path
  const readTo = path ? await failOpen(log, 'look at the transcript', 0, () => world.transcriptEnd(path)) : 0
  const look = () => failOpen(log, 'look at the working tree', undefined, () => world.changes.treeNow(root))
  // The last look is good enough to choose by. How the tree stands at this moment is asked when the answer has left:
  // it matters only when the agent stops.
  const knownFiles = world.changes.changedFiles(root)
  const seen = knownFiles ? undefined : await look()
  const files = knownFiles ?? Object.keys(seen?.dirty ?? {})
  const atMost = atStart(settings.retrieval.maxInjections)
  const chosen = await chooseFor(world, library, settings, queryOf(ticket, files), atMost)

  await world.background.run(event.session_id, 'keep the session', async () => {
    const baseline = knownFiles ? await look() : seen
    const unseenFiles = Object.keys(baseline?.dirty ?? {}).filter((file) => !files.includes(file))
    const fresh: GateSession = {
      ...newGateSession(event.session_id, root, at, IDLE),
      system,
      readTo,
      ...(baseline && { baseline }),
      ...(unseenFiles.length > 0 && { unseenFiles }),
    }
    const session = ticket ? withTicket(fresh, ticket, settings, at) : traced(fresh, at, `began with ${system}`)
    await failOpen(log, 'keep the session', undefined, () =>
      beginSession(world, withInjected(session, chosen, world), event.source === 'resume'),
    )
    await failOpen(log, 'share the file of learnings', undefined, () => library.shareFile())
    // First, because what is shown just now has had no time to be used, and must not fade for that.
    await failOpen(log, 'let old learnings fade', undefined, () => decayIfDue(world, library, root, settings))
    await failOpen(log, 'record what was shown', undefined, () =>
      recordSurfaced(world, library, session.sessionId, chosen),
    )
  })
  return chosen.length > 0 ? shown(chosen, settings) : undefined
}

/** Learnings for the agent, and one line for the user. */
export function shown(chosen: readonly Ranked[], { terminal }: LearningSettings): Contribution {
  const learnings = chosen.map(({ learning }) => learning)
  const context = learningsContext(learnings)
  return { context, ...(terminal.lines && { notice: recalledLine(learnings, context) }) }
}

/** Prompts tell more about the work than its beginning; so many places are left for what fits them. */
const FOR_PROMPTS = 2

function atStart(maxInjections: number): number {
  return Math.min(maxInjections, Math.max(1, maxInjections - FOR_PROMPTS))
}

/** The ticket system in use, and what is being worked on. */
async function workAt(
  { log, tickets, clock }: LearningWorld,
  root: string,
  settings: LearningSettings,
): Promise<{ system: TicketSystem; ticket: Ticket | undefined }> {
  const system = await failOpen<TicketSystem>(log, 'find the ticket system', 'none', () =>
    tickets.detectSystem(root, systemsIn(settings)),
  )
  const ticket = await failOpen(log, 'read the current ticket', undefined, () =>
    tickets.currentTicket(root, system, clock.now()),
  )
  return { system, ticket }
}

function withTicket(session: GateSession, ticket: Ticket, settings: LearningSettings, at: number): GateSession {
  const limits = limitsOf(settings, session)
  const { gate } = decide(session.gate, { type: 'ticket-detected', ticket: ticket.id }, limits)
  return traced({ ...session, gate, ticket }, at, `began with ticket ${ticket.id} of ${session.system}`)
}

/** What is known about the work before the first prompt: the ticket, and what lies changed in the tree. */
function queryOf(ticket: Ticket | undefined, files: string[]): LearningQuery {
  return {
    ...(ticket?.title && { title: ticket.title }),
    ...(ticket?.description && { description: ticket.description }),
    tags: ticket?.tags ?? [],
    files,
  }
}

export async function chooseFor(
  world: LearningWorld,
  library: Library,
  { retrieval }: LearningSettings,
  query: LearningQuery,
  atMost: number,
  leastRelevance = 0,
): Promise<Ranked[]> {
  if (atMost <= 0) return []
  const { found, stats } = await findLearnings(world, library, query, { leastRelevance })
  return choose(found, stats, world.clock.now(), { ...retrieval, maxInjections: atMost })
}

export function withInjected(session: GateSession, chosen: readonly Ranked[], { clock }: LearningWorld): GateSession {
  if (chosen.length === 0) return session
  const injected = chosen.map(({ learning, score }) => ({
    id: learning.id,
    score: Number(score.toFixed(4)),
    outcome: 'pending' as const,
    ...(learning.scope === 'personal' && { personal: true as const }),
  }))
  return traced(
    { ...session, injected: [...session.injected, ...injected] },
    clock.now(),
    `showed ${injected.map(({ id }) => id).join(', ')}`,
  )
}

/** Counts what was shown, and puts it on record among all that was put before the agent. */
export async function recordSurfaced(
  world: LearningWorld,
  library: Library,
  session: string,
  chosen: readonly Ranked[],
): Promise<void> {
  const at = world.clock.now()
  for (const personal of [true, false]) {
    const shown = chosen.filter(({ learning }) => (learning.scope === 'personal') === personal)
    const events = shown.map(({ learning }) => ({ type: 'surfaced' as const, at, learning: learning.id, session }))
    if (shown[0]) await logFor(library, shown[0].learning).append(events)
  }
  // Last: the log is a file, and what it counts must not wait for a store that many write to.
  await recordShown(world, session, chosen)
}

async function recordShown(world: LearningWorld, sessionId: string, chosen: readonly Ranked[]): Promise<void> {
  if (chosen.length === 0) return
  const learnings = chosen.map(({ learning }) => learning)
  const text = redact(learningsContext(learnings))
  const tokens = tokensOf(text)
  const why = `learned earlier: ${learnings.map(({ id }) => id).join(', ')}`
  const about = { sessionId, kind: 'learnings', tokens, why }
  await world.injections.append({ ...about, id: world.newId('inj'), place: 'hook', text, at: world.clock.now() })
  world.publish({ type: 'injected', ...about })
}

async function showAgain(
  world: LearningWorld,
  library: Library,
  session: GateSession,
): Promise<Contribution | undefined> {
  await changeSession(world, session.sessionId, session.root, (before) =>
    traced(before, world.clock.now(), 'went on after compaction'),
  )
  const ids = session.injected.map(({ id }) => id)
  const learnings = await learningsNamed(world, library, ids)
  const shown = ids.flatMap((id) => learnings.find((learning) => learning.id === id) ?? [])
  return shown.length > 0 ? { context: learningsContext(shown) } : undefined
}

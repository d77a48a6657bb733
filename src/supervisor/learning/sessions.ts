import { type GateLimits, IDLE, isWaiting } from '#core/gate/gate.ts'
import { type GateSession, newGateSession, TICKET_SYSTEMS, type TicketSystem } from '#core/gate/session.ts'
import type { LearningSettings } from '#core/ports/learning.ts'
import { type KeptGateSession, SLOTS } from '../state-slots.ts'
import type { LearningWorld } from './world.ts'

/** What the gate keeps about each agent session, in the store, so that many hook processes at once lose nothing. */

/** Sessions are looked through for a waiting one; older ones are not. */
const RECENT = 200

/** What a log of the team can name; the client's own ids are far shorter. */
export function isSessionId(id: string): boolean {
  return id !== '' && id.length <= 200
}

export async function loadSession({ states }: LearningWorld, id: string): Promise<GateSession | undefined> {
  return readable(await states.get(SLOTS.gate, id))
}

/** Reads, changes and writes in one go. `change` is pure and may run again. */
export async function changeSession(
  { states, clock }: LearningWorld,
  id: string,
  root: string,
  change: (session: GateSession) => GateSession,
): Promise<GateSession> {
  const at = clock.now()
  return states.update(SLOTS.gate, id, at, (before) => change(readable(before) ?? newGateSession(id, root, at, IDLE)))
}

/**
 * Writes a session that begins, in place of an earlier one of its name; notes that are there already stay, and in a session
 * that is resumed also a gate that waits.
 */
export async function beginSession(
  { states, clock }: LearningWorld,
  session: GateSession,
  isResumed: boolean,
): Promise<void> {
  await states.update(SLOTS.gate, session.sessionId, clock.now(), (before) => {
    if (before === undefined || before === 'unreadable') return session
    const { observations, gate, system, ticket } = before
    const waiting = isResumed && isWaiting(gate) ? { gate, system, ...(ticket && { ticket }) } : {}
    return { ...session, observations, ...waiting }
  })
}

/** Sessions of a project, the newest first; what cannot be read is passed over. */
export async function sessionsOf({ states }: LearningWorld, root: string): Promise<GateSession[]> {
  const rows = await states.list(SLOTS.gate, RECENT)
  return rows
    .flatMap(({ value }) => (value === 'unreadable' || value.root !== root ? [] : [value]))
    .sort((a, b) => b.updatedAt - a.updatedAt)
}

/** The session that is meant where no id is given: the newest that waits, a live one first, else the newest live one. */
export async function meantSession(world: LearningWorld, root: string): Promise<GateSession | undefined> {
  const sessions = await sessionsOf(world, root)
  const isLive = ({ endedAt }: GateSession) => endedAt === undefined
  const waiting = sessions.filter(({ gate }) => isWaiting(gate))
  return waiting.find(isLive) ?? waiting[0] ?? sessions.find(isLive)
}

/** Whether nothing can happen to a session any more. A process may still name it that was started before `/clear`. */
export function isOver({ endedAt, gate }: GateSession): boolean {
  return endedAt !== undefined && !isWaiting(gate)
}

/** What cannot be read is a broken store, and so a reason to let the agent go: hooks fail open. */
function readable(kept: KeptGateSession | undefined): GateSession | undefined {
  if (kept === 'unreadable') throw new Error('the stored state of the gate cannot be read')
  return kept
}

/** The ticket systems in use, in their order. */
export function systemsIn({ ticketing }: LearningSettings): TicketSystem[] {
  return ticketing.discovery.flatMap((name) => {
    const system = TICKET_SYSTEMS.find((known) => known === name)
    return system && ticketing.overrides[system] !== false ? [system] : []
  })
}

export function limitsOf(
  { gate, circuitBreaker }: LearningSettings,
  { system, attended = false }: Pick<GateSession, 'system' | 'attended'>,
): GateLimits {
  return {
    asks: gate.ask !== 'off' && (attended || gate.headless),
    maxBlocks: circuitBreaker.maxBlocks,
    cooldownMs: circuitBreaker.cooldownSeconds * 1000,
    autoSkip: gate.autoSkip,
    session: gate.ask === 'session' && system === 'session' && attended ? gate.substantial : undefined,
  }
}

/** Whether it matters at the next stop how much the agent has changed; only then git is asked. */
export function isWorkCounted(settings: LearningSettings, session: GateSession): boolean {
  const { asks, session: least, autoSkip } = limitsOf(settings, session)
  if (!asks || session.gate.status === 'active' || session.gate.status === 'blocked') return false
  if (session.gate.status === 'pending') return isAboutTask(session) || autoSkip.decider === 'always'
  return least !== undefined
}

/** Whether what waits is an item of the client's own task list. */
export function isAboutTask({ gate, ticket, system }: GateSession): boolean {
  const id = 'ticket' in gate ? gate.ticket : undefined
  return id !== undefined && (ticket?.id === id ? ticket.source : system) === 'tasks'
}

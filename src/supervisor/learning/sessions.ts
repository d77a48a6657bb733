import { type GateLimits, IDLE, isWaiting } from '#core/gate/gate.ts'
import {
  type GateSession,
  newGateSession,
  readGateSession,
  TICKET_SYSTEMS,
  type TicketSystem,
} from '#core/gate/session.ts'
import type { LearningSettings } from '#core/ports/learning.ts'
import type { LearningWorld } from './world.ts'

/** What the gate keeps about each agent session, in the store, so that many hook processes at once lose nothing. */

const KIND = 'gate'
/** Sessions are looked through for a waiting one; older ones are nobody's concern any more. */
const RECENT = 200
const FORGET_AFTER = 14 * 24 * 60 * 60 * 1000

/** What a log of the team can name; the client's own ids are far shorter. */
export function isSessionId(id: string): boolean {
  return id !== '' && id.length <= 200
}

export async function loadSession({ states }: LearningWorld, id: string): Promise<GateSession | undefined> {
  return readGateSession(await states.get(KIND, id))
}

/** Reads, changes and writes in one go. `change` is pure and may run again. */
export async function changeSession(
  { states, clock }: LearningWorld,
  id: string,
  root: string,
  change: (session: GateSession) => GateSession,
): Promise<GateSession> {
  const at = clock.now()
  return states.update(KIND, id, at, (before) => change(readGateSession(before) ?? newGateSession(id, root, at, IDLE)))
}

/** Writes a session that begins, in place of an earlier one of its name; notes that are there already stay. */
export async function beginSession({ states, clock }: LearningWorld, session: GateSession): Promise<void> {
  await states.update(KIND, session.sessionId, clock.now(), (before) => {
    const [earlier] = tryRead(before)
    return { ...session, observations: earlier?.observations ?? [] }
  })
}

/** Sessions of a project, the newest first; what cannot be read is passed over. */
export async function sessionsOf({ states }: LearningWorld, root: string): Promise<GateSession[]> {
  const rows = await states.list(KIND, RECENT)
  return rows
    .flatMap(({ value }) => tryRead(value))
    .filter((session) => session.root === root)
    .sort((a, b) => b.updatedAt - a.updatedAt)
}

/** The session somebody without a session id means: the newest that waits, a live one first, else the newest live one. */
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

function tryRead(value: unknown): GateSession[] {
  try {
    return [readGateSession(value) ?? []].flat()
  } catch {
    // Somebody else's broken state; the session it belongs to will say so.
    return []
  }
}

/** Removes what ended long ago. */
export async function forgetOldSessions({ states, clock }: LearningWorld): Promise<void> {
  for (const key of await states.idleSince(KIND, clock.now() - FORGET_AFTER)) await states.remove(KIND, key)
}

/** The ticket systems in use, in their order. */
export function systemsIn({ ticketing }: LearningSettings): TicketSystem[] {
  return ticketing.discovery.flatMap((name) => {
    const system = TICKET_SYSTEMS.find((known) => known === name)
    return system && ticketing.overrides[system] !== false ? [system] : []
  })
}

export function limitsOf({ gate, circuitBreaker }: LearningSettings, system: TicketSystem): GateLimits {
  return {
    maxBlocks: circuitBreaker.maxBlocks,
    cooldownMs: circuitBreaker.cooldownSeconds * 1000,
    autoSkip: gate.autoSkip,
    sessionMode: system === 'session',
  }
}

import { pushBounded } from './bounded.ts'
import type { SessionState } from './session-state.ts'

/** Queues of what is to reach the agent or the user, and what has reached the agent. */
export interface Deliveries {
  /** For the agent, with the next request or hook answer. */
  readonly pending: readonly Delivery[]
  /** Keys of what has reached the agent, through the proxy or a hook. */
  readonly delivered: readonly string[]
  /** For the user's eyes, at the next hook that can show it. */
  readonly notices: readonly string[]
}

export interface Delivery {
  readonly key: string
  readonly kind: 'context' | 'correction' | 'notice'
  readonly text: string
  readonly why: string
}

export const NO_DELIVERIES: Deliveries = { pending: [], delivered: [], notices: [] }

const DELIVERED = 300
const NOTICES = 5

export function queueContext(session: SessionState, delivery: Omit<Delivery, 'kind'>): void {
  const { pending } = session.deliveries
  session.deliveries = { ...session.deliveries, pending: [...pending, { ...delivery, kind: 'context' }] }
}

/** Only the newest correction counts: an agent cannot act on two at once. */
export function queueCorrection(session: SessionState, delivery: Omit<Delivery, 'kind'>): void {
  const others = session.deliveries.pending.filter(({ kind }) => kind !== 'correction')
  session.deliveries = { ...session.deliveries, pending: [...others, { ...delivery, kind: 'correction' }] }
}

export function dropCorrections(session: SessionState): void {
  const pending = session.deliveries.pending.filter(({ kind }) => kind !== 'correction')
  session.deliveries = { ...session.deliveries, pending }
}

export function queueNotice(session: SessionState, notice: string): void {
  const notices = pushBounded(session.deliveries.notices, notice, NOTICES)
  session.deliveries = { ...session.deliveries, notices }
}

export function undelivered({ deliveries: { pending, delivered } }: SessionState): Delivery[] {
  return pending.filter(({ key }) => !delivered.includes(key))
}

export function isDelivered({ deliveries }: SessionState, key: string): boolean {
  return deliveries.delivered.includes(key)
}

export function markDelivered(session: SessionState, sent: readonly Delivery[]): void {
  if (sent.length === 0) return
  const { pending, delivered } = session.deliveries
  session.deliveries = {
    ...session.deliveries,
    pending: pending.filter((one) => !sent.includes(one)),
    delivered: [...delivered, ...sent.map(({ key }) => key)].slice(-DELIVERED),
  }
}

/** Empties both queues for a hook's answer; what the proxy has delivered already is left out. */
export function takeAll(session: SessionState): { deliveries: Delivery[]; notices: readonly string[] } {
  const deliveries = undelivered(session)
  const { notices } = session.deliveries
  markDelivered(session, deliveries)
  session.deliveries = { ...session.deliveries, pending: [], notices: [] }
  return { deliveries, notices }
}

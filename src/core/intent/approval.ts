/** A request to a person, as it lies in the inbox until it is answered. */
export interface Approval {
  id: string
  /**
   * `action`: a destructive call for an intent in `.intentignore`. `scope`: the agent asks for a wider scope. `prompt`: the client
   * itself asks in its terminal, and the answer may be given here as well.
   */
  kind: 'action' | 'scope' | 'prompt'
  sessionId: string
  agentId?: string
  /** The project's folder on this machine. */
  root: string
  intentId: string
  tool: string
  /** What would be done, in one line, without secrets. */
  what: string
  /** What a person needs to see to decide: the diff, or the command as a whole and what it would touch; without secrets. */
  detail?: string
  /** The globs asked for. */
  scope?: string[]
  reason?: string
  askedAt: number
  /**
   * `used`: approved once, and done. Of a prompt, `withdrawn`: its terminal has answered, or its session is over;
   * `expired`: not answered here in time, so it waits in its terminal alone.
   */
  status: 'pending' | 'approved' | 'rejected' | 'used' | 'withdrawn' | 'expired'
  answeredAt?: number
  answeredIn?: 'terminal' | 'browser'
  note?: string
}

/** Stands for the intent where an agent has selected none and wants to reach out of the working tree. */
export const NO_INTENT = 'no intent'

/** What a person says to a request. */
export interface Answer {
  approve: boolean
  in: 'terminal' | 'browser'
  note?: string
  at: number
}

/** A no holds for a while, so that an agent that tries again at once does not ask again at once. */
const NO_HOLDS_MS = 10 * 60_000

/** What a request that was made before means for the same request now. */
export function standing(approval: Approval | undefined, now: number): 'ask' | 'waiting' | 'yes' | 'no' {
  if (!approval) return 'ask'
  switch (approval.status) {
    case 'approved':
      return 'yes'
    case 'rejected':
      return now - (approval.answeredAt ?? 0) < NO_HOLDS_MS ? 'no' : 'ask'
    case 'used':
    case 'withdrawn':
    case 'expired':
      return 'ask'
    case 'pending':
      return 'waiting'
  }
}

/** The request with its answer. What was answered already stays as it is: the first answer counts. */
export function answered(approval: Approval, { approve, in: where, note, at }: Answer): Approval {
  if (approval.status !== 'pending') return approval
  return {
    ...approval,
    status: approve ? 'approved' : 'rejected',
    answeredAt: at,
    answeredIn: where,
    ...(note && { note }),
  }
}

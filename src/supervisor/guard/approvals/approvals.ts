import { type Answer, type Approval, answered, standing } from '#core/intent/approval.ts'
import { type Denial, rejected, unanswered } from '#core/intent/denial.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { SLOTS } from '../../state-slots.ts'
import type { Agent } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'

/** The inbox: requests to a person, kept in the store so that any process can answer or wait. */

/** A prompt of the client that stands for a request, by tool_use_id. */
export interface Asked {
  approvalId: string
  sessionId: string
}
const PAUSE_MS = 200
const MOST_SHOWN = 500
/** The most that is shown with an approval; the agent's call holds the rest. */
const MOST_DETAIL = 20_000

type Needs = Pick<GuardWorld, 'states' | 'clock' | 'files' | 'notify'>

/** What makes a request the one it is: the same again is the same approval. */
export interface Question extends Agent {
  kind: Approval['kind']
  project: GuardedProject
  intentId: string
  tool: string
  /** What exactly is asked. */
  subject: string
}

export interface Request extends Question {
  what: string
  detail?: string
  scope?: string[]
  reason?: string
}

/**
 * The id of a request is a hash of what is asked: the same question of the same agent finds a late answer at its next
 * try.
 */
export function requestId({ files }: Needs, question: Question): string {
  const { kind, sessionId, agentId = '', project, intentId, tool, subject } = question
  const digest = files.digest(JSON.stringify([kind, sessionId, agentId, project.root, intentId, tool, subject]))
  return `apr-${digest.slice('sha256:'.length, 'sha256:'.length + 10)}`
}

/** Puts a request into the inbox, or finds the one that lies there already. */
export async function file(world: Needs, request: Request, id = requestId(world, request)): Promise<Approval> {
  const now = world.clock.now()
  let isNew = false
  const approval = await world.states.update(SLOTS.approval, id, now, (known) => {
    isNew = standing(known, now) === 'ask'
    return isNew ? fresh(id, request, now) : known!
  })
  if (isNew) {
    world.notify({
      type: 'approval:asked',
      sessionId: request.sessionId,
      approvalId: id,
      what: approval.what,
    })
  }
  return approval
}

function fresh(id: string, request: Request, now: number): Approval {
  const { kind, sessionId, agentId, project, intentId, tool, what, detail, scope, reason } = request
  return {
    id,
    kind,
    sessionId,
    ...(agentId && { agentId }),
    root: project.root,
    intentId,
    tool,
    what: redact(what).slice(0, 500),
    ...(detail && { detail: redact(detail).slice(0, MOST_DETAIL) }),
    ...(scope && { scope }),
    ...(reason && { reason: redact(reason).slice(0, 500) }),
    askedAt: now,
    status: 'pending',
  }
}

/** Waits for an answer until the timeout, or until the call is gone. The request stays in the inbox either way. */
export async function waitForAnswer(
  world: Needs,
  id: string,
  waitMs: number,
  needless?: AbortSignal,
): Promise<Approval | undefined> {
  const until = world.clock.now() + waitMs
  for (;;) {
    const approval = await world.states.get(SLOTS.approval, id)
    if (approval?.status !== 'pending' || needless?.aborted) return approval
    const left = until - world.clock.now()
    if (left <= 0) return approval
    await new Promise((done) => setTimeout(done, Math.min(PAUSE_MS, left)))
  }
}

/** Uses up an approval, which holds for one action. False when it was no yes, or was used already. */
export async function use(world: Needs, id: string): Promise<boolean> {
  let isOurs = false
  await world.states.update(SLOTS.approval, id, world.clock.now(), (approval) => {
    isOurs = approval?.status === 'approved'
    return isOurs ? { ...approval!, status: 'used' as const } : approval
  })
  return isOurs
}

/** What a request that was not approved comes to. */
export function refused(approval: Approval, waitMs: number): Denial {
  const { status, what, note, id } = approval
  return status === 'rejected' ? rejected(what, note) : unanswered(what, id, Math.round(waitMs / 1000))
}

/** A person answers. Undefined when there is no such request; one that was answered before is given back as it was. */
export async function answer(
  world: Pick<GuardWorld, 'states' | 'clock' | 'notify'>,
  id: string,
  said: Omit<Answer, 'at'>,
): Promise<Approval | undefined> {
  if ((await world.states.get(SLOTS.approval, id)) === undefined) return undefined
  const at = world.clock.now()
  let isNew = false
  const approval = await world.states.update(SLOTS.approval, id, at, (known) => {
    isNew = known?.status === 'pending'
    return known && answered(known, { ...said, at })
  })
  if (approval && isNew) {
    world.notify({
      type: 'approval:answered',
      sessionId: approval.sessionId,
      approvalId: id,
      approved: approval.status === 'approved',
    })
  }
  return approval
}

/** Everything in the inbox, newest first. */
export async function inbox({ states }: Pick<GuardWorld, 'states'>): Promise<Approval[]> {
  return (await states.list(SLOTS.approval, MOST_SHOWN)).map(({ value }) => value)
}

/** The client asks the person itself; that the tool then runs is their yes. */
export async function noteAsked({ states, clock }: Needs, toolUseId: string | undefined, asked: Asked): Promise<void> {
  if (toolUseId) await states.put(SLOTS.guardAsked, toolUseId, asked, clock.now())
}

/** The person went on without the call they were asked about: that counts as a no. */
export async function withdrawAsked(world: Needs, { sessionId }: Agent): Promise<void> {
  for (const { key, value } of await world.states.list(SLOTS.guardAsked, MOST_SHOWN)) {
    const { approvalId } = value
    if (value.sessionId !== sessionId) continue
    await world.states.remove(SLOTS.guardAsked, key)
    const approval = await world.states.get(SLOTS.approval, approvalId)
    if (approval?.status !== 'pending') continue
    await world.states.remove(SLOTS.approval, approvalId)
    world.notify({ type: 'approval:answered', sessionId, approvalId, approved: false })
  }
}

/** A request that was answered, or given up on, is no longer the prompt's. */
export async function forgetAsked({ states }: Needs, approvalId: string): Promise<void> {
  for (const { key, value } of await states.list(SLOTS.guardAsked, MOST_SHOWN)) {
    if (value.approvalId === approvalId) await states.remove(SLOTS.guardAsked, key)
  }
}

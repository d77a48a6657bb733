import { sessionSummary } from '#core/context/clear.ts'
import { neutralise, tokensOf } from '#core/context/fence.ts'
import type { Injection } from '#core/ports/store.ts'
import { redact } from '#core/redact/redact.ts'
import { type Delivery, markDelivered, queueNotice, undelivered } from '../session/deliveries.ts'
import { keepConversation } from '../session/injected.ts'
import type { SessionState } from '../session/session-state.ts'
import { emptyWindow } from '../session/window.ts'
import { activeTask } from '../session/work.ts'
import type { World } from '../world.ts'
import { type Conversation, fingerprint, reconcile } from './conversation.ts'
import { planCut } from './cut.ts'
import { anchor, forwardBody } from './forward.ts'
import type { CallFacts } from './read-call.ts'

/** A request as it will leave, and what must be remembered if it really does. */
export interface Prepared {
  /** In pieces, so that a large body need not be copied. */
  body: readonly Uint8Array[]
  /** Called when the body is used; without it nothing has happened. */
  commit(): Committed
}

export interface Committed {
  delivered: Delivery[]
  /** What took the place of the older part of the conversation, and how full the window was. */
  cleared?: { summary: string; before: number }
}

const KEPT_SHARE = 1 / 6
const CLEARED =
  'Grove: the context window was nearly full, so the older part of the conversation was replaced by a summary. `clear.enabled = false` switches this off.'

/**
 * What the main thread's request becomes: earlier injections put back, new ones added at the end, the history cut when full.
 * New text is redacted here, before it leaves: the store redacts what it keeps, and what is put back after a restart must
 * be what was sent.
 */
export async function prepareRequest(world: World, session: SessionState, facts: CallFacts): Promise<Prepared> {
  const { layout } = facts
  const key = fingerprint(layout.body, layout.messages[0]!)
  const known = session.injected.conversations.find((one) => one.key === key)
  let conversation: Conversation = known
    ? reconcile(known, layout.body, layout.messages)
    : { key, sessionId: session.sessionId, inserted: [], count: 0 }

  const delivered = facts.kind === 'main' && !facts.doubtful ? deliverable(session, facts) : []
  const text = () => redact(delivered.map((delivery) => delivery.text).join('\n\n'))
  const fresh = delivered.length === 0 ? undefined : anchor(layout, conversation, text, facts.systemMessages)
  if (fresh) conversation = { ...conversation, inserted: [...conversation.inserted, fresh] }

  const cut = shouldClear(world, session, facts)
    ? await cutFor(world, session, facts, conversation.cut?.index ?? 0)
    : undefined
  const cleared = cut !== undefined && cut.index > (conversation.cut?.index ?? 0)
  if (cleared) conversation = { ...conversation, cut }
  conversation = { ...conversation, count: layout.messages.length }

  return {
    body: forwardBody(layout, conversation),
    commit() {
      keepConversation(session, conversation)
      const sent = fresh ? delivered : []
      markDelivered(session, sent)
      if (!cleared) return { delivered: sent }
      const before = session.window.tokens
      emptyWindow(session)
      queueNotice(session, CLEARED)
      return { delivered: sent, cleared: { summary: cut.summary, before } }
    },
  }
}

/** A user's new instruction goes first: a correction meant for the work before it is not delivered any more. */
function deliverable(session: SessionState, { instruction }: CallFacts): Delivery[] {
  const spoke = instruction !== undefined && session.work.instruction?.index !== instruction.index
  return undelivered(session).filter(({ kind }) => !(spoke && kind === 'correction'))
}

function shouldClear({ settings }: World, session: SessionState, { kind, window }: CallFacts): boolean {
  if (!settings.clearEnabled || kind !== 'main') return false
  return session.window.tokens > (settings.clearTokens ?? window * settings.clearShare)
}

/** Keeps the newest sixth of what the window holds now, besides the summary. */
async function cutFor(world: World, session: SessionState, { layout }: CallFacts, from: number) {
  const task = activeTask(session)
  const prompt = session.work.instruction?.text ?? ''
  const { summary } = session.window
  const steps = task ? await world.store.steps.ofTask(task.id) : []
  const written = sessionSummary({
    goal: task?.goal ?? prompt,
    instruction: task?.instruction ?? prompt,
    constraints: task?.constraints ?? [],
    steps,
    lastWords: session.transcript.lastWords,
  })
  const { messages } = layout
  const inWindow = messages.at(-1)!.end - messages[from]!.start
  const judged = summary?.status === 'ready' ? summary.text : ''
  // It stands among the user's own words, and quotes what was read and said on the way.
  return planCut(layout, inWindow * KEPT_SHARE, redact(neutralise(judged || written)))
}

/** Whether anything is new: what was put in earlier, and is put in again, is on record. */
export function hasInjections({ delivered, cleared }: Committed): boolean {
  return delivered.length > 0 || cleared !== undefined
}

/** Puts what was committed on record, off the request path. */
export async function recordInjections(world: World, session: SessionState, { delivered, cleared }: Committed) {
  for (const { kind, text, why } of delivered)
    await recordInjection(world, session, { kind, place: 'message', text, why })
  if (!cleared) return
  await recordInjection(world, session, {
    kind: 'clear',
    place: 'clear',
    text: cleared.summary,
    why: 'the context window was nearly full',
  })
  world.publish({ type: 'cleared', sessionId: session.sessionId, before: cleared.before })
  world.log.info({ sessionId: session.sessionId }, 'context cleared')
}

/** Puts on record what was put before the agent and why, and publishes it. */
export async function recordInjection(
  world: World,
  session: SessionState,
  put: Pick<Injection, 'kind' | 'place' | 'text' | 'why'>,
): Promise<void> {
  const { sessionId } = session
  const task = activeTask(session)
  const text = redact(put.text)
  const tokens = tokensOf(text)
  const at = world.clock.now()
  await world.store.injections.append({
    id: world.newId('inj'),
    sessionId,
    ...(task && { taskId: task.id }),
    at,
    ...put,
    text,
    tokens,
  })
  world.publish({ type: 'injected', sessionId, kind: put.kind, tokens, why: put.why })
}

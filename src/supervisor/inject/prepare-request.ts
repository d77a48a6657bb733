import { sessionSummary } from '#core/context/clear.ts'
import { neutralise, tokensOf } from '#core/context/fence.ts'
import type { Injection } from '#core/ports/store.ts'
import { redact } from '#core/redact/redact.ts'
import { type Delivery, type Mind, pushBounded } from '../goal/mind.ts'
import type { World } from '../world.ts'
import { type Conversation, fingerprint, reconcile } from './conversation.ts'
import { planCut } from './cut.ts'
import { anchor, forwardBody } from './forward.ts'
import type { CallFacts } from './read-call.ts'

/** A request as it will leave, and what must be remembered if it really does. */
export interface Prepared {
  body: Buffer
  /** Called when the body is used; without it nothing has happened. */
  commit(): Committed
}

export interface Committed {
  delivered: Delivery[]
  system: boolean
  /** What took the place of the older part of the conversation, and how full the window was. */
  cleared?: { summary: string; before: number }
}

const CONVERSATIONS = 4
const DELIVERED = 300
const KEPT_SHARE = 1 / 6
const CLEARED =
  'Grove: the context window was nearly full, so the older part of the conversation was replaced by a summary. `clear.enabled = false` switches this off.'

/**
 * What the main thread's request becomes: earlier injections put back, new ones added at the end, the history cut when full.
 * New text is redacted here, before it leaves: the store redacts what it keeps, and what is put back after a restart must
 * be what was sent.
 */
export async function prepareRequest(world: World, mind: Mind, facts: CallFacts): Promise<Prepared> {
  const { layout } = facts
  const key = fingerprint(layout.body, layout.messages[0]!)
  const known = mind.conversations.find((one) => one.key === key)
  const system = mind.system ?? ''
  let conversation: Conversation = known
    ? reconcile(known, layout.body, layout.messages)
    : { key, sessionId: mind.sessionId, system: redact(system), inserted: [], count: 0 }

  const delivered = facts.kind === 'main' ? deliverable(mind, facts) : []
  const text = redact(delivered.map((delivery) => delivery.text).join('\n\n'))
  const fresh = text === '' ? undefined : anchor(layout, conversation, text, facts.systemMessages)
  if (fresh) conversation = { ...conversation, inserted: [...conversation.inserted, fresh] }

  const cut = shouldClear(world, mind, facts)
    ? await cutFor(world, mind, facts, conversation.cut?.index ?? 0)
    : undefined
  const cleared = cut !== undefined && cut.index > (conversation.cut?.index ?? 0)
  if (cleared) conversation = { ...conversation, cut }
  conversation = { ...conversation, count: layout.messages.length }

  return {
    body: forwardBody(layout, conversation),
    commit() {
      mind.conversations = [...mind.conversations.filter((one) => one.key !== key), conversation].slice(-CONVERSATIONS)
      const sent = fresh ? delivered : []
      mind.pending = mind.pending.filter((one) => !sent.includes(one))
      mind.delivered = [...mind.delivered, ...sent.map((one) => one.key)].slice(-DELIVERED)
      const committed = { delivered: sent, system: !known && system !== '' }
      if (!cleared) return committed
      const before = mind.contextTokens
      mind.contextTokens = 0
      delete mind.summary
      mind.notices = pushBounded(mind.notices, CLEARED, 5)
      return { ...committed, cleared: { summary: cut.summary, before } }
    },
  }
}

/** A user's new instruction goes first: a correction meant for the work before it is not delivered any more. */
function deliverable(mind: Mind, { instruction }: CallFacts): Delivery[] {
  const spoke = instruction !== undefined && mind.prompt?.index !== instruction.index
  return mind.pending.filter(({ kind, key }) => !mind.delivered.includes(key) && !(spoke && kind === 'correction'))
}

function shouldClear({ settings }: World, mind: Mind, { kind, window }: CallFacts): boolean {
  if (!settings.clearEnabled || kind !== 'main') return false
  return mind.contextTokens > (settings.clearTokens ?? window * settings.clearShare)
}

/** Keeps the newest sixth of what the window holds now, besides the summary. */
async function cutFor(world: World, mind: Mind, { layout }: CallFacts, from: number) {
  const { task } = mind
  const steps = task ? await world.store.steps.ofTask(task.id) : []
  const written = sessionSummary({
    goal: task?.goal ?? mind.prompt?.text ?? '',
    instruction: task?.instruction ?? mind.prompt?.text ?? '',
    constraints: task?.constraints ?? [],
    steps,
    lastWords: mind.closingWords,
  })
  const { messages } = layout
  const inWindow = messages.at(-1)!.end - messages[from]!.start
  // It stands among the user's own words, and quotes what was read and said on the way.
  return planCut(layout, inWindow * KEPT_SHARE, redact(neutralise(mind.summary || written)))
}

/** Puts what was committed on record, off the request path. */
export async function recordInjections(world: World, mind: Mind, { delivered, system, cleared }: Committed) {
  const why = mind.systemWhy ?? 'session start'
  if (system) await recordInjection(world, mind, { kind: 'context', place: 'system', text: mind.system ?? '', why })
  for (const { kind, text, why } of delivered) await recordInjection(world, mind, { kind, place: 'message', text, why })
  if (!cleared) return
  await recordInjection(world, mind, {
    kind: 'clear',
    place: 'clear',
    text: cleared.summary,
    why: 'the context window was nearly full',
  })
  world.publish({ type: 'cleared', sessionId: mind.sessionId, before: cleared.before })
  world.log.info({ sessionId: mind.sessionId }, 'context cleared')
}

/** One thing that was put before the agent, for whoever wants to know what and why. */
export async function recordInjection(
  world: World,
  mind: Mind,
  put: Pick<Injection, 'kind' | 'place' | 'text' | 'why'>,
): Promise<void> {
  const { sessionId, task } = mind
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

import { sessionSummary } from '#core/clear.ts'
import { tokensOf } from '#core/context/fence.ts'
import { type Conversation, fingerprint, reconcile } from './inject/conversation.ts'
import { planCut } from './inject/cut.ts'
import { anchor, forwardBody } from './inject/forward.ts'
import type { Delivery, Mind } from './mind.ts'
import type { CallFacts } from './read-call.ts'
import type { World } from './world.ts'

/** A request as it will leave, and what must be remembered if it really does. */
export interface Prepared {
  body: Buffer
  /** Called when the body is used; without it nothing has happened. */
  commit(): Committed
}

export interface Committed {
  delivered: Delivery[]
  system: boolean
  cleared: boolean
}

const CONVERSATIONS = 4
const DELIVERED = 300
const KEPT_SHARE = 1 / 6
const CLEARED =
  'Grove: the context window was nearly full, so the older part of the conversation was replaced by a summary. `clear.enabled = false` switches this off.'

/** What the main thread's request becomes: earlier injections put back, new ones added at the end, the history cut when full. */
export async function prepareRequest(world: World, mind: Mind, facts: CallFacts): Promise<Prepared> {
  const { layout } = facts
  const key = fingerprint(layout.body, layout.messages[0]!)
  const known = mind.conversations.find((one) => one.key === key)
  const system = mind.system ?? ''
  let conversation: Conversation = known
    ? reconcile(known, layout.body, layout.messages)
    : { key, sessionId: mind.sessionId, system, inserted: [], count: 0 }

  const delivered = facts.kind === 'main' ? deliverable(mind, facts) : []
  const text = delivered.map((delivery) => delivery.text).join('\n\n')
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
      if (cleared) {
        mind.contextTokens = 0
        delete mind.summary
        mind.notices = [...mind.notices, CLEARED].slice(-5)
      }
      return { delivered: sent, system: !known && system !== '', cleared }
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
    decisions: [],
    lastWords: mind.closingWords,
  })
  const { messages } = layout
  const inWindow = messages.at(-1)!.end - messages[from]!.start
  return planCut(layout, inWindow * KEPT_SHARE, mind.summary || written)
}

/** Puts what was committed on record, off the request path. */
export async function recordInjections(world: World, mind: Mind, { delivered, system, cleared }: Committed) {
  const at = world.clock.now()
  const base = { sessionId: mind.sessionId, ...(mind.task && { taskId: mind.task.id }), at }
  const rows = [
    ...(system ? [{ kind: 'context', place: 'system' as const, text: mind.system ?? '', why: 'session start' }] : []),
    ...delivered.map(({ kind, text, why }) => ({ kind, place: 'message' as const, text, why })),
    ...(cleared
      ? [{ kind: 'clear', place: 'clear' as const, text: '', why: 'the context window was nearly full' }]
      : []),
  ]
  for (const row of rows) {
    const tokens = tokensOf(row.text)
    await world.store.injections.append({ id: world.newId('inj'), ...base, ...row, tokens })
    world.publish({ type: 'injected', sessionId: mind.sessionId, kind: row.kind, tokens, why: row.why })
  }
  if (cleared) {
    world.publish({ type: 'cleared', sessionId: mind.sessionId, before: mind.contextTokens })
    world.log.info({ sessionId: mind.sessionId }, 'context cleared')
  }
}

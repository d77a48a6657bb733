import { cap } from '#core/context/fence.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { ContextEvent, HookAnswer, HookEvent } from '#protocol/hook-event.ts'
import { isObject } from '#protocol/json.ts'
import { failOpen } from './fail-open.ts'
import type { Pauses } from './pause/pauses.ts'

/** What one part of Grove has to say to a hook event. */
export interface Contribution {
  /** The tool must not run, or the prompt must not be sent, and this is why. */
  deny?: string
  /** A person decides. */
  ask?: string
  /** The answer to the prompt that the client shows; a text is the no, with its reason. */
  permit?: true | string
  /** At Stop: the agent goes on, and this is what it should do. */
  goOn?: string
  /** For the model. */
  context?: string
  /** For the user's eyes only. */
  notice?: string
}

/** One part of Grove that listens to hooks. Each works when the others are off. */
export interface HookPart {
  name: string
  /** `gone`: the client has ended the hook, and hears no answer any more. */
  handle(event: HookEvent, gone?: AbortSignal): Promise<Contribution | undefined>
  /** What it says where the watchdog has ended its work; without it, nothing. Policy fails closed, everything else open. */
  ended?(event: HookEvent): Contribution | undefined
}

// The client replaces longer context by a file and its first 2 KB.
const MAX_CONTEXT = 9_500

/** Whether a person has switched Grove off; missing where that cannot be told. */
export type AsksForPause = Pick<Pauses, 'atHook'>

const PAUSE_ENDED = 'Grove: the pause is over; Grove is on again.'

/** One hook event in, one answer out: http, socket and standalone share it. A part that breaks says nothing. */
export async function handleHook(
  parts: readonly HookPart[],
  event: HookEvent,
  log: Log,
  pauses?: AsksForPause,
  gone?: AbortSignal,
): Promise<HookAnswer> {
  const state = await failOpen(log, 'look for a pause', 'working' as const, async () => {
    const { session_id: sessionId, cwd } = event.hook_event_name === 'unknown' ? placeIn(event.raw) : event
    return pauses ? pauses.atHook({ sessionId, cwd: () => cwd }) : 'working'
  })
  if (state === 'paused') return {}
  const said = await Promise.all(
    parts.map((part) =>
      failOpen(log, `ask the part ${part.name} at ${event.hook_event_name}`, undefined, () => part.handle(event, gone)),
    ),
  )
  const ended = state === 'ended' ? [{ notice: PAUSE_ENDED }] : []
  return answerOf(event, [...ended, ...said.filter((one) => one !== undefined)])
}

/** Also an event that cannot be read comes from a session that may be paused. */
function placeIn(raw: unknown): { session_id: string | undefined; cwd: string | undefined } {
  const { session_id, cwd } = isObject(raw) ? raw : {}
  return {
    session_id: typeof session_id === 'string' ? session_id : undefined,
    cwd: typeof cwd === 'string' ? cwd : undefined,
  }
}

/** A denial beats a question, and a question beats silence; contexts are joined in the order of the parts. */
function answerOf(event: HookEvent, said: Contribution[]): HookAnswer {
  if (event.hook_event_name === 'PermissionRequest') return permissionOf(said)
  const gather = (pick: (one: Contribution) => string | undefined) => said.flatMap((one) => pick(one) ?? [])
  const notices = gather(({ notice }) => notice)
  // Context at Stop makes the agent go on, and unlike a block the client does not call it an error before the user.
  const isStop = event.hook_event_name === 'Stop'
  return {
    ...(notices.length > 0 && { systemMessage: oneLine(notices) }),
    ...specific(
      event,
      gather(({ deny }) => deny),
      gather(({ ask }) => ask),
      gather(({ context, goOn }) => (isStop ? goOn : context)),
    ),
  }
}

const LONGEST_LINE = 240

/** One event is worth one line in the user's terminal, however much was done. */
function oneLine(notices: string[]): string {
  const [first = '', ...others] = notices.flatMap((notice) => notice.split('\n'))
  const whole = [first, ...others].join(' · ')
  return others.length === 0 || whole.length <= LONGEST_LINE ? whole : `${first} · and ${others.length} more`
}

/** A no beats a yes; without either the prompt stays. */
function permissionOf(said: Contribution[]): HookAnswer {
  const answers = said.flatMap(({ permit }) => permit ?? [])
  if (answers.length === 0) return {}
  const no = answers.find((answer) => answer !== true)
  const decision = no === undefined ? { behavior: 'allow' as const } : { behavior: 'deny' as const, message: no }
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
}

function specific(event: HookEvent, denials: string[], questions: string[], contexts: string[]): Partial<HookAnswer> {
  const [deny] = denials
  const [ask] = questions
  const name = event.hook_event_name
  if (name === 'UserPromptSubmit' && deny !== undefined) return { decision: 'block', reason: deny }
  const permission =
    name !== 'PreToolUse'
      ? {}
      : deny !== undefined
        ? { permissionDecision: 'deny' as const, permissionDecisionReason: deny }
        : ask !== undefined
          ? { permissionDecision: 'ask' as const, permissionDecisionReason: ask }
          : {}
  const context = contexts.length > 0 ? { additionalContext: cap(contexts.join('\n\n'), MAX_CONTEXT) } : {}
  if (Object.keys(permission).length === 0 && contexts.length === 0) return {}
  return { hookSpecificOutput: { hookEventName: name as ContextEvent, ...permission, ...context } }
}

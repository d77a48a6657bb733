import type { Log } from '#core/ports/runtime.ts'
import { eventFromKebab, type HookAnswer, none, readHookEvent } from '#protocol/hook-event.ts'
import { failOpen } from '#supervisor/fail-open.ts'
import { type AsksForPause, type HookPart, handleHook } from '#supervisor/handle-hook.ts'

/** Answers one hook, given the event's name as the transport got it and the client's bytes. Never rejects. */
export type AnswerHook = (event: string, body: string) => Promise<HookAnswer>

/** Larger payloads are not read: the client's own limits lie far below. */
export const MAX_PAYLOAD = 16 * 1024 * 1024

/** What every transport does with a hook. Bytes that make no sense get no say, and are no reason to stop the agent. */
export function hookAnswerer(parts: readonly HookPart[], log: Log, pauses: AsksForPause | undefined): AnswerHook {
  return (event, body) =>
    failOpen(log, `answer the hook ${event.slice(0, 40)}`, none, () =>
      handleHook(parts, readHookEvent(JSON.parse(body), eventFromKebab(event)), log, pauses),
    )
}

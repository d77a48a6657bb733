import type { Log } from '#core/ports/runtime.ts'
import { eventFromKebab, type HookAnswer, namesTooLong, none, readHookEvent } from '#protocol/hook-event.ts'
import { boundedJson } from '#protocol/json-bounds.ts'
import { failOpen } from '#supervisor/fail-open.ts'
import { type AsksForPause, type HookPart, handleHook } from '#supervisor/handle-hook.ts'

/** Answers one hook, given the event's name as the transport got it, the client's bytes and when it has gone. Never rejects. */
export type AnswerHook = (event: string, body: string, gone?: AbortSignal) => Promise<HookAnswer>

/** Larger payloads are not read: the client's own limits lie far below. */
export const MAX_PAYLOAD = 16 * 1024 * 1024

/** What every transport does with a hook. Bytes that make no sense get no say, and are no reason to stop the agent. */
export function hookAnswerer(parts: readonly HookPart[], log: Log, pauses: AsksForPause | undefined): AnswerHook {
  return (event, body, gone) =>
    failOpen(log, `answer the hook ${event.slice(0, 40)}`, none, async () => {
      const text = boundedJson(body)
      const payload: unknown = text === undefined ? undefined : JSON.parse(text)
      if (text === undefined || namesTooLong(payload)) {
        log.warn(
          { event: event.slice(0, 40), size: body.length },
          'a hook sent far more than a client does; it was ignored',
        )
        return none
      }
      return handleHook(parts, readHookEvent(payload, eventFromKebab(event)), log, pauses, gone)
    })
}

/** Hook answers under way: when the watchdog ends the work, its promise never settles, and these are resolved in its place. */
export class OpenAnswers {
  readonly #open = new Set<() => void>()

  /** Wraps `answer` so that `passRunning` can resolve it early, as if Grove were not there. */
  of(answer: AnswerHook): AnswerHook {
    return (event, body, gone) =>
      this.#until(
        () => answer(event, body, gone),
        () => none,
      )
  }

  /** Wraps a part so that `passRunning` has it say what it has for that: the other parts are heard, and it denies what it must. */
  ofPart(part: HookPart): HookPart {
    return {
      ...part,
      handle: (event, gone) =>
        this.#until(
          () => part.handle(event, gone),
          () => part.ended?.(event),
        ),
    }
  }

  #until<T>(work: () => Promise<T>, ended: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const pass = () => resolve(ended())
      this.#open.add(pass)
      // Not at once: the caller must be waiting when the watchdog ends the work, or the call would be ended with it.
      Promise.resolve()
        .then(work)
        .finally(() => this.#open.delete(pass))
        .then(resolve, reject)
    })
  }

  /** Remembers what is under way now. Calling the result resolves what still is. */
  passRunning(): () => void {
    const running = [...this.#open]
    return () => {
      for (const pass of running) if (this.#open.delete(pass)) pass()
    }
  }
}

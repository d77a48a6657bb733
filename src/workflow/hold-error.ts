import type { Hold, HoldKind } from '#core/workflow/hold.ts'

/** Thrown by a task that cannot go on before a person has chosen; the engine turns it into the hold of the session. */
export class Held extends Error {
  readonly #hold: Pick<Hold, 'kind' | 'message'> & Partial<Hold>

  constructor(hold: { kind: HoldKind; message: string; detail?: string | null; until?: string | null }) {
    super(hold.message)
    this.#hold = hold
  }

  at(since: string): Hold {
    return { detail: null, until: null, since, ...this.#hold }
  }
}

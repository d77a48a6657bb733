import type { ModelCall, ObservedTurn } from '#supervisor/call.ts'

/** Watches calls and may add to them. Nothing it does or fails to do can hurt a call. */
export interface ProxyObserver {
  /**
   * Runs before a Messages call goes up, while the client waits, so it must be cheap. Throwing, and taking longer than
   * the limit, count as nothing to add.
   */
  prepare?(call: ModelCall): EditedBody | undefined | Promise<EditedBody | undefined>
  /** Runs after the answer is through or broke off, away from the request's path, one turn after the other. */
  observe?(turn: ObservedTurn): void | Promise<void>
  /** A call to the model by a path that is not known; it has gone up as it came. */
  stray?(call: ModelCall): void | Promise<void>
  /** The API has refused a call because a limit is reached, which ends then. Told before the client hears of it. */
  limited?(until: number): void
}

/** A body that takes the place of the client's, and whose maker is told, by `commit`, that it really goes up. */
export interface EditedBody {
  /** In as many pieces as it was made of. */
  body: readonly Uint8Array[]
  commit(): void
}

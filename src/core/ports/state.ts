/**
 * One kind of value in the state store: small JSON that only Grove reads and that must outlive a process. All kinds are
 * declared in `supervisor/state-slots.ts`.
 */
export interface Slot<T> {
  /** The name its rows have in the store. Never renamed: a home that an older Grove has filled goes on working. */
  readonly kind: string
  /** The stored value as this Grove understands it; undefined for what is damaged or of another version. */
  read(stored: unknown): T | undefined
  readonly life: Life<T>
  /** What the redactor must not touch. Without it, every text in the value is redacted. */
  readonly exact?: Exact
  /** An object whose fields are never mutated, only replaced: the stored text of a field that is the same object is reused. */
  readonly hasImmutableFields?: true
}

/** How long a value that is not written again stays. */
export type Life<T> =
  | { idleMs: number; spares?(value: T): boolean }
  /** The session it belongs to is closed first, which removes the value. */
  | { sessionIdleMs: number }
  | { kept: string }

/** What must come back byte for byte: compared with the disk, or looked up by. Names of fields are never redacted. */
export interface Exact {
  /** By name, at whatever depth, with all that lies below them. */
  fields: readonly string[] | 'all'
  because: string
}

/**
 * Keeps values by slot and key. Whatever is written passes the redactor on its way in, so that no caller can forget it;
 * what cannot be read counts as absent.
 */
export interface StateStore {
  get<T>(slot: Slot<T>, key: string): Promise<T | undefined>
  put<T>(slot: Slot<T>, key: string, value: NoInfer<T>, at: number): Promise<void>
  /**
   * Reads, changes and writes in one transaction, so that many hook processes at once lose nothing. `change` is pure and
   * may run again; what it returns is stored, undefined removes. Resolves to what is stored now.
   */
  update<T, R extends T | undefined>(
    slot: Slot<T>,
    key: string,
    at: number,
    change: (before: T | undefined) => R,
  ): Promise<R>
  remove(slot: Slot<unknown>, key: string): Promise<void>
  /** Newest first. */
  list<T>(slot: Slot<T>, limit: number): Promise<{ key: string; value: T; at: number }[]>
  /** Keys not written since, oldest first. */
  idleSince(slot: Slot<unknown>, at: number): Promise<string[]>
  /** Removes what was not written since and the slot does not spare; resolves to the keys that went. */
  expire(slot: Slot<unknown>, at: number): Promise<string[]>
}

export type StorageTrouble =
  /** Another process held the database for longer than we are willing to wait. */
  | 'busy'
  | 'full'
  | 'not-writable'
  | 'damaged'
  /** The database was written by a newer Grove. */
  | 'newer'
  | 'unreachable'
  /** The database server answered, and said no. */
  | 'refused'
  | 'no-driver'
  | 'broken-disk'

/** Trouble with the store that a person can do something about: what is wrong, then what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageTrouble
  readonly suggestion: string

  constructor(code: StorageTrouble, problem: string, suggestion: string, options?: { cause: unknown }) {
    super(`${problem} ${suggestion}`, options)
    this.code = code
    this.suggestion = suggestion
  }
}

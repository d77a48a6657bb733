import type { Asker } from './play.ts'

/** One request of a client version, by its shape. */
export interface Recording {
  story: string
  /** Whether the client was told to name the class of its requests. */
  hints: boolean
  asker: Asker
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

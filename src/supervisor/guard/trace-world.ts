import type { CommittedHistory, TraceLedger } from '#core/ports/trace.ts'

/** Everything reading the trace needs. Built in `daemon/compose/trace.ts`. */
export interface TraceWorld {
  ledger: TraceLedger
  git: CommittedHistory
  /** The text on the disk. */
  read(path: string): Promise<string | undefined>
}

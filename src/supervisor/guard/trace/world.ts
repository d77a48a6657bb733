import type { CommittedHistory, TraceLedger } from '#core/ports/trace.ts'
import type { Digest } from '#core/trace/record.ts'

/** Everything reading the trace needs. Built in `daemon/compose/trace.ts`. */
export interface TraceWorld {
  ledger: TraceLedger
  git: CommittedHistory
  digest: Digest
  /** The text on the disk. */
  read(path: string): Promise<string | undefined>
}

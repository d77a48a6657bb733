import { Refused, Unreachable } from '../api/client.ts'
import { Button, Note } from './small.tsx'

/** What is known stays in sight while Grove cannot be read for a moment; only what is gone goes. */
export function isStillShown(error: unknown, known: unknown): boolean {
  return known !== undefined && !(error instanceof Refused && error.httpStatus === 404)
}

/** What could not be read, why, and what can be done. */
export function Trouble({ error, what, onRetry }: { error: unknown; what: string; onRetry?: () => void }) {
  const text =
    error instanceof Refused
      ? error.words
      : error instanceof Unreachable
        ? 'Grove cannot be reached. It is tried again by itself.'
        : String(error)
  return (
    <Note tone="wrong">
      <span className="grow">
        <b>{what} cannot be shown.</b> {text}
      </span>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </Note>
  )
}

import { Link } from 'wouter'
import { Refused, Unreachable } from '../api/client.ts'
import { Button, Note } from './small.tsx'

/** What is known stays in sight while Grove cannot be read for a moment; only what is gone goes. */
export function isStillShown(error: unknown, known: unknown): boolean {
  return known !== undefined && !isGone(error)
}

function isGone(error: unknown): boolean {
  return error instanceof Refused && error.httpStatus === 404
}

interface Props {
  error: unknown
  what: string
  onRetry?: () => void
  /** Where to go from what is not there any more. */
  way?: { href: string; label: string }
}

/** What could not be read, why, and what can be done. */
export function Trouble({ error, what, onRetry, way }: Props) {
  if (way && isGone(error)) {
    return (
      <Note>
        <span className="grow">
          <b>{what} is not here.</b> It was removed, or the address is wrong.
        </span>
        <Link href={way.href} className="button">
          {way.label}
        </Link>
      </Note>
    )
  }
  const text =
    error instanceof Refused
      ? error.words
      : error instanceof Unreachable
        ? 'Grove cannot be reached. This page tries again by itself.'
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

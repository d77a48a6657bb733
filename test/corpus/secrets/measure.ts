import type { LookalikeSample } from './lookalikes.ts'
import type { SecretSample } from './secrets.ts'

/** What a redactor missed, and what it masked for nothing. */
export interface Measured {
  missed: SecretSample[]
  recall: number
  falseAlarms: (LookalikeSample & { became: string })[]
  falseAlarmRate: number
}

/** A secret counts as masked only when no recognisable piece of it is left. */
const PIECE = 10

/** Runs a redactor over both halves of the corpus. */
export function measure(
  redact: (text: string) => string,
  secrets: SecretSample[],
  lookalikes: LookalikeSample[],
): Measured {
  const missed = secrets.filter(({ text, secret }) => survives(redact(text), secret))
  const falseAlarms = lookalikes
    .map((sample) => ({ ...sample, became: redact(sample.text) }))
    .filter(({ text, became }) => became !== text)
  return {
    missed,
    recall: 1 - missed.length / secrets.length,
    falseAlarms,
    falseAlarmRate: falseAlarms.length / lookalikes.length,
  }
}

function survives(masked: string, secret: string): boolean {
  const size = Math.min(PIECE, secret.length)
  for (let start = 0; start + size <= secret.length; start++) {
    if (masked.includes(secret.slice(start, start + size))) return true
  }
  return false
}

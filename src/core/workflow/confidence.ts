/** How sure an answer is, and whether it tells of an error. */

export interface Analysis {
  confidence: number
  hasErrors: boolean
  /** The first line that tells of an error. */
  error: string
}

const BASE = 50
const PATH =
  /(?:^|[\s`'"(])(?:[\w.-]+\/)+[\w.-]+\.\w{1,6}\b|(?:^|[\s`'"(])[\w-]+\.(?:tsx?|jsx?|mjs|cjs|py|go|rs|java|rb|sh|css|html|json|ya?ml|md|sql|c|h|cpp)\b/m
const CHANGE =
  /\b(?:added|created|changed|updated|removed|deleted|renamed|moved|implemented|fixed|wrote|replaced|refactored)\b|^[+-] ?\S|```/im
const HEDGE = /\b(?:might|maybe|perhaps|possibly|probably|not sure|unsure|i think|i guess|it seems|could be)\b/i
const VERY_SHORT = 20

/** Base 50, clamped to 0–100; 80 goes on, 50 goes on watched, less asks a person. */
export function confidenceOf(text: string, markers: number): number {
  const trimmed = text.trim()
  const isQuestion = markers === 0 && /\?\s*$/m.test(trimmed)
  const score =
    BASE +
    (markers > 0 ? 20 : 0) +
    (PATH.test(trimmed) ? 15 : 0) +
    (CHANGE.test(trimmed) ? 15 : 0) -
    (HEDGE.test(trimmed) ? 20 : 0) -
    (isQuestion ? 30 : 0) -
    (trimmed.length < VERY_SHORT ? 40 : 0)
  return Math.max(0, Math.min(100, score))
}

/** Words that look like an error and are none are taken out first. */
const LOOK_ALIKE = [
  /"?is_?error"?\s*[:=]\s*(?:false|0|null)/gi,
  /"?(?:error|failure)_?(?:count|s)?"?\s*[:=]\s*(?:0|null|none|false|\[\]|"")/gi,
  /\b(?:no|zero|0|without(?: any)?)\s+(?:\w+\s+)?(?:errors?|exceptions?|failures?)\b(?::)?/gi,
]
const REAL = /(?:^|[\s[(])(?:\w*Error|\w*Exception|FATAL|Fatal|ERROR)\s*:|Exception\b|\bfailed with\b|\bpanic:/

export function errorIn(text: string): string {
  for (const line of text.split('\n')) {
    const rest = LOOK_ALIKE.reduce((left, pattern) => left.replace(pattern, ''), line)
    if (REAL.test(rest)) return sameForSame(line)
  }
  return ''
}

/** Without places, numbers and times, so that the same error always has the same text. */
function sameForSame(line: string): string {
  return line
    .trim()
    .replace(/0x[0-9a-f]+/gi, '…')
    .replace(/\d+/g, '…')
    .slice(0, 300)
}

export function analyse(text: string, markers: number): Analysis {
  const error = errorIn(text)
  return { confidence: confidenceOf(text, markers), hasErrors: error !== '', error }
}

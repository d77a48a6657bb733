import type { SharedItem } from './sync.ts'

/** A row of the team's database that is not taken, and why. */
export interface SetAside {
  id: string
  reason: string
  /** Absent for a memory. */
  kind?: string
}

/** Far above what Grove writes, far below what could stop a teammate's Grove. */
export const SHARED_LIMITS = { bytes: 256 * 1024, depth: 6, values: 5000, name: 200 }

/** Why an item that came from the team is not taken; undefined when nothing speaks against it. */
export function unfitItem({ id, version, by, body }: SharedItem): string | undefined {
  if (!isName(id)) return 'its id is not a short plain text'
  if (!Number.isSafeInteger(version) || version < 0) return 'its version is not a whole number from 0'
  if (by !== undefined && !isName(by)) return 'its author is not a short plain text'
  return body && unfitValue(body)
}

function isName(text: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the question
  return typeof text === 'string' && text.length <= SHARED_LIMITS.name && /^[^\x00-\x1f\x7f]+$/.test(text)
}

/** Walks with a list of its own: a value nested deep enough would end a recursion, and the process with it. */
function unfitValue(whole: object): string | undefined {
  const open: [value: unknown, depth: number][] = [[whole, 1]]
  let values = 0
  let length = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (++values > SHARED_LIMITS.values) return `it holds more than ${SHARED_LIMITS.values} values`
    if (typeof value === 'string') length += value.length
    if (length > SHARED_LIMITS.bytes) return tooLarge
    if (typeof value === 'number' && !Number.isFinite(value)) return 'it holds a number that is not finite'
    if (typeof value !== 'object' || value === null) continue
    if (depth > SHARED_LIMITS.depth) return `it is nested more than ${SHARED_LIMITS.depth} deep`
    for (const [key, inner] of Object.entries(value)) {
      length += key.length
      open.push([inner, depth + 1])
      if (open.length > SHARED_LIMITS.values) return `it holds more than ${SHARED_LIMITS.values} values`
    }
  }
  return undefined
}

export const tooLarge = `it is larger than ${SHARED_LIMITS.bytes / 1024} KB`

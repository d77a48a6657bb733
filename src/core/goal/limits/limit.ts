import type { Target } from '../targets.ts'

/**
 * What a user has closed to the agent, in so many words: "don't touch the schema", "only src/api", "nothing else". What
 * describes a fault ("it must not be empty"), a manner ("without changing its behaviour") or was pasted closes nothing.
 */
export interface Limit {
  /** The user's words it came from. */
  said: string
  /** `named`: these targets; `others`: all but these targets. */
  forbids: 'named' | 'others'
  targets: Target[]
  /** Open all the same: "a new one is fine". */
  except: Target[]
  /** All but what the user asks to change, which other sentences say: "touch no other files". */
  isRest?: true
  /** What is named may be changed, and is not to be removed: "do not delete the fixtures". */
  isKept?: true
  /** Heard by the trained reader alone: likely, and no proof. */
  isLearned?: true
}

export const LONGEST = 300

export function clip(text: string): string {
  const flat = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.!。])[.!。]+$/, '')
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST - 1).trimEnd()}…`
}

/** Whether a target is closed already; an "only" says all at once. */
export function isOf(limit: Limit, forbids: Limit['forbids'], target: Target, isKept = false): boolean {
  if (limit.forbids !== forbids || (limit.isKept && !isKept)) return false
  return forbids === 'others' || limit.targets.some((one) => JSON.stringify(one) === JSON.stringify(target))
}

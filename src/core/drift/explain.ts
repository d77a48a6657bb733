/** Says in words which evidence made an action look off goal. */
import { FEATURES } from './features.ts'
import { type DriftModel, predict } from './model.ts'
import type { Note } from './trail.ts'

export interface DriftReason {
  file?: string
  why: string
}

const GROUPS: Array<{ of: RegExp; why: (actions: number) => string }> = [
  {
    of: /^goal\.|goalChange|goalFresh/,
    why: (n) => (n > 1 ? 'nothing in these actions meets the goal' : 'shares no telling word with the goal'),
  },
  { of: /^link\..*(text|names|near|theme)/i, why: () => 'shares few words or names with the work so far' },
  {
    of: /^link\..*(distance|common|sameDir|sameTop|sameExt|folder)|distanceChange/i,
    why: () => 'lies far from the files of this task',
  },
  {
    of: /^link\..*(base|sameFile|sameStem|fileNamed|sameEdited|inside)/i,
    why: () => 'no earlier step names or touches this file',
  },
  { of: /^run\.in/, why: () => 'these actions belong together, but not to what came before' },
]
const MEMBERS = GROUPS.map(({ of }) => FEATURES.flatMap((name, k) => (of.test(name) ? [k] : [])))
const MOST = 2
const LEAST = 0.03

/** Puts each kind of evidence back to what is usual and sees how much of the risk goes away. */
export function explain(notes: Note[], row: number[], actions: number, model: DriftModel): DriftReason[] {
  const risk = predict(model.runs, row)
  const file = notes.findLast((note) => note.path !== '')?.path
  return GROUPS.map(({ why }, g) => {
    const usual = [...row]
    for (const k of MEMBERS[g]!) usual[k] = model.usual[k]!
    return { why: why(actions), fall: risk - predict(model.runs, usual) }
  })
    .filter(({ fall }) => fall > LEAST)
    .sort((a, b) => b.fall - a.fall)
    .slice(0, MOST)
    .map(({ why }) => (file === undefined ? { why } : { file, why }))
}

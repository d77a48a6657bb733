/** What Grove's drift score has to beat: chance, the specs' rule, and the words that goal and path share. */

import { splitPath, stems } from '#core/drift/gist.ts'
import { covers } from '#core/text/covers.ts'
import { pathWords } from '#core/text/paths.ts'
import { randomFrom } from './boost.ts'
import type { Trajectory } from './data.ts'

export type Scorer = (traj: Trajectory) => number[]

export function chance(seed = 1): Scorer {
  const random = randomFrom(seed)
  return (traj) => traj.actions.map(() => random())
}

/** Scope: paths the goal names, else the folder of the first file. A change outside it drifts; so does a third edit of a file. */
export const specsRule: Scorer = ({ goal, actions }) => {
  const first = actions.find((action) => action.path)?.path ?? ''
  const named = pathWords(goal)
  const scope = named.length > 0 ? named : [splitPath(first).dirs.join('/')].filter(Boolean)
  const edits = new Map<string, number>()
  return actions.map(({ kind, path }) => {
    if (!path || (kind !== 'edit' && kind !== 'write')) return 0
    edits.set(path, (edits.get(path) ?? 0) + 1)
    return (scope.length === 0 || covers(scope, path) ? 0 : 0.5) + (edits.get(path)! > 2 ? 0.3 : 0)
  })
}

export const wordOverlap: Scorer = ({ goal, actions }) => {
  const wanted = new Set(stems(goal))
  let risk = 0
  return actions.map(({ path, cmd, query }) => {
    const mine = stems(path ?? query ?? cmd ?? '')
    if (mine.length > 0) risk = 1 - mine.filter((word) => wanted.has(word)).length / mine.length
    return risk
  })
}

import { covers } from '../drift/checks.ts'
import type { Step } from '../step.ts'

type Done = Pick<Step, 'kind' | 'files' | 'folders' | 'command' | 'changes' | 'outcome'>

/**
 * The files that these steps have left changed, oldest first; what was restored, or created and deleted again, is left
 * out.
 */
export function changedFiles(steps: readonly Done[]): string[] {
  const changed = new Set<string>()
  const made = new Set<string>()
  for (const step of steps) {
    if (step.outcome) continue
    const { command = '', kind } = step
    const places = putBack(step)
    if (places) for (const path of [...changed]) if (places === 'all' || covers(places, path)) changed.delete(path)
    for (const path of changesOf(step)) {
      const isNew = !changed.has(path)
      if (made.has(path) && REMOVES.test(command)) changed.delete(path)
      else changed.add(path)
      if (kind === 'write' && isNew) made.add(path)
    }
  }
  return [...changed]
}

/** Steps that an earlier Grove kept do not say it themselves. */
function changesOf({ kind, files, changes }: Done): string[] {
  return changes ?? (kind === 'edit' || kind === 'write' ? files : [])
}

const REMOVES = /(?:^|[;&|\s])(?:git\s+)?rm\s/
const PUTS_BACK = /(?:^|[;&|]\s*)git\s+(?:checkout\s+(?!-b)|restore\s+(?!--staged)|reset\s+--hard)/
const ALL_OF_IT = /git\s+(?:reset\s+--hard|(?:checkout|restore)\s+(?:\S+\s+)*\.(?:\s|$))/

function putBack({ command = '', files, folders }: Done): string[] | 'all' | undefined {
  if (!PUTS_BACK.test(command)) return undefined
  if (ALL_OF_IT.test(command)) return 'all'
  const places = files.length > 0 ? files : / -- /.test(command) ? folders : []
  return places.length > 0 ? places : undefined
}

import type { Step } from '../step.ts'
import { covers } from '../text/covers.ts'

type Done = Pick<Step, 'kind' | 'files' | 'changes' | 'outcome' | 'earlierWork'>

/**
 * The files that these steps have left changed, oldest first; what was restored, or made here and taken away again, is
 * left out.
 */
export function changedFiles(steps: readonly Done[]): string[] {
  const changed = new Set<string>()
  const made = new Set<string>()
  const committed = new Set<string>()
  let stashed: string[] = []
  for (const step of steps) {
    if (step.outcome) continue
    const { removed = [], moved = [], landed = [], restored = [], git = [] } = step.earlierWork ?? {}
    const does = (deed: (typeof git)[number]) => git.includes(deed)
    if (does('leaves commits')) committed.clear()
    // What is committed stays when the work tree is put back.
    const isLost = (path: string) => !committed.has(path) && (restored.includes('.') || covers(restored, path))
    for (const path of [...changed].filter(isLost)) changed.delete(path)
    if (does('stashes') && !does('unstashes')) {
      stashed = [...changed].filter((path) => !committed.has(path))
      for (const path of stashed) changed.delete(path)
    }
    if (does('unstashes') && !does('stashes')) for (const path of stashed.splice(0)) changed.add(path)
    for (const path of changesOf(step)) {
      const isNew = !changed.has(path)
      if ((removed.includes(path) || moved.includes(path)) && covers([...made], path)) changed.delete(path)
      else changed.add(path)
      if ((step.kind === 'write' || covers(landed, path)) && isNew) made.add(path)
    }
    if (does('commits')) for (const path of changed) committed.add(path)
  }
  return [...changed]
}

/** Steps that an earlier Grove kept do not say it themselves. */
function changesOf({ kind, files, changes }: Done): string[] {
  return changes ?? (kind === 'edit' || kind === 'write' ? files : [])
}

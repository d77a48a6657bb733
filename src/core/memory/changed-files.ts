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
  const committed = new Set<string>()
  let stashed: string[] = []
  for (const step of steps) {
    if (step.outcome) continue
    const { command = '', kind } = step
    const places = putBack(step)
    if (LEAVES_COMMITS.test(command)) committed.clear()
    const isLost = (path: string) => !committed.has(path) && (places === 'all' || (places && covers(places, path)))
    for (const path of [...changed].filter(isLost)) changed.delete(path)
    const [stashes, unstashes] = [STASHES.test(command), UNSTASHES.test(command)]
    if (stashes && !unstashes) {
      stashed = [...changed].filter((path) => !committed.has(path))
      for (const path of stashed) changed.delete(path)
    }
    if (unstashes && !stashes) for (const path of stashed.splice(0)) changed.add(path)
    for (const path of changesOf(step)) {
      const isNew = !changed.has(path)
      if (made.has(path) && REMOVES.test(command)) changed.delete(path)
      else changed.add(path)
      if (kind === 'write' && isNew) made.add(path)
    }
    if (COMMITS.test(command)) for (const path of changed) committed.add(path)
  }
  return [...changed]
}

/** Steps that an earlier Grove kept do not say it themselves. */
function changesOf({ kind, files, changes }: Done): string[] {
  return changes ?? (kind === 'edit' || kind === 'write' ? files : [])
}

/** What is committed stays when the work tree is put back. */
const COMMITS = /(?:^|[;&|]\s*)git\s+(?:-\S+\s+\S+\s+)?commit\b/
const LEAVES_COMMITS = /git\s+reset\s+--hard\s+(?!HEAD(?:\s|$)|[;&|])\S/
const STASHES = /(?:^|[;&|]\s*)git\s+stash(?:\s+(?:push|save|-\w+|--\w[\w-]*)|\s*(?:$|[;&|]))/
const UNSTASHES = /(?:^|[;&|]\s*)git\s+stash\s+(?:pop|apply)\b/
const REMOVES = /(?:^|[;&|\s])(?:git\s+)?rm\s/
const PUTS_BACK = /(?:^|[;&|]\s*)git\s+(?:checkout\s+(?!-b)|restore\s+(?!--staged)|reset\s+--hard)/
const ALL_OF_IT = /git\s+(?:reset\s+--hard|(?:checkout|restore)\s+(?:\S+\s+)*\.(?:\s|$))/

function putBack({ command = '', files, folders }: Done): string[] | 'all' | undefined {
  if (!PUTS_BACK.test(command)) return undefined
  if (ALL_OF_IT.test(command)) return 'all'
  const places = files.length > 0 ? files : / -- /.test(command) ? folders : []
  return places.length > 0 ? places : undefined
}

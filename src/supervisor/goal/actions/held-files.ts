import { placed } from '#core/action/paths.ts'
import type { ToolReading } from '#core/action/reading.ts'
import { isScratch } from '#core/action/scratch.ts'
import { redact } from '#core/redact/redact.ts'
import type { PathWrite } from '#core/shell/call.ts'
import type { SessionState } from '../../session/session-state.ts'
import type { World } from '../../world.ts'

/** What a command has changed so many of is told by its folders. */
const MOST = 60

/**
 * What a call has changed, with the files that its folders and patterns hold: `git mv libs/dates libs/calendar`,
 * `sed -i … src/*.ts`. Which files a search has picked (`src/**`) cannot be told from what lies there.
 */
export function changesWithin(world: World, { place }: SessionState, { effect, changes }: ToolReading): string[] {
  const cwd = place?.cwd
  if (effect.kind !== 'shell' || cwd === undefined) return changes
  const { writes } = effect.script
  const held = [...movedFiles(world, writes), ...writes.flatMap((write) => patternFiles(world, write))]
  const files = [...new Set(held.map((path) => redact(placed(path, cwd))))].filter(
    (path) => path !== '' && !/^(?:[/~]|\.\.\/)/.test(path) && !isScratch(path),
  )
  if (files.length === 0 || files.length > MOST) return changes
  const isSpelledOut = (path: string) => !files.some((file) => file.startsWith(`${path}/`)) && !path.includes('*')
  return [...new Set([...changes.filter(isSpelledOut), ...files])]
}

/** What lies in a folder that was moved; as long as it is still where it was, it goes by the names that it gets. */
function movedFiles({ filesIn }: World, writes: readonly PathWrite[]): string[] {
  const sources = writes.filter(({ kind, glob, tree }) => kind === 'move' && tree && !glob)
  const landings = writes.filter(({ moved, glob, tree }) => moved && tree && !glob)
  return landings.flatMap(({ path }, at) => {
    const there = filesIn(path)
    const from = sources.length === landings.length ? sources[at]!.path : undefined
    if (there.length > 0 || from === undefined) return there
    return filesIn(from).map((file) => path + file.slice(from.length))
  })
}

function patternFiles({ filesIn }: World, { kind, glob, maybe, guessed, path }: PathWrite): string[] {
  return kind === 'modify' && glob && !maybe && !guessed && !path.includes('**') ? filesIn(path) : []
}

import type { ToolReading } from '#core/action/reading.ts'
import { covers } from '#core/text/covers.ts'
import type { Astray } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'

/** What takes back something that was written. */
const UNDOES = /^(?:git (?:checkout|restore|rm|clean|stash)|rm)\b/
/** The same for a file that was there before. */
const PUTS_BACK = /^git (?:checkout|restore|stash)\b/
/** What brings back something that was removed or moved: to remove it again is no way back. */
const RESTORES = /^(?:git (?:checkout|restore|mv)|mv)\b/

/**
 * Whether a command takes back, at this place, what the agent was corrected for, and nothing of its other work. The way
 * back asks for that.
 */
export function takesBack(
  { drift: { astray }, work }: SessionState,
  { programs }: Pick<ToolReading, 'programs'>,
  path: string,
): boolean {
  const isThere = (file: string) => path === '.' || covers([path], file)
  const done = astray.filter((one) => isThere(one.path))
  const undoes = ({ removed, wasThere }: Astray) => {
    const way = removed ? RESTORES : wasThere ? PUTS_BACK : UNDOES
    return programs.some((program) => way.test(program))
  }
  if (done.length === 0 || !done.every(undoes)) return false
  return work.changed.every((file) => !isThere(file) || done.some((one) => covers([one.path], file)))
}

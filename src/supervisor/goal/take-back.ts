import { covers } from '#core/drift/checks.ts'
import type { Astray } from '../session/drift.ts'
import type { SessionState } from '../session/session-state.ts'

/** What takes back something that was written. */
const UNDOES = /(?:^|[;&|])\s*(?:git\s+(?:checkout|restore|rm|clean|stash)|rm)\b/
/** The same for a file that was there before. */
const PUTS_BACK = /(?:^|[;&|])\s*git\s+(?:checkout|restore|stash)\b/
/** What brings back something that was removed or moved: to remove it again is no way back. */
const RESTORES = /(?:^|[;&|])\s*(?:git\s+(?:checkout|restore|mv)|mv)\b/

/**
 * Whether a command takes back, at this place, what the agent was corrected for, and nothing of its other work. The way
 * back asks for that.
 */
export function takesBack({ drift: { astray }, work }: SessionState, command: string, path: string): boolean {
  const isThere = (file: string) => path === '.' || covers([path], file)
  const done = astray.filter((one) => isThere(one.path))
  const undoes = ({ removed, wasThere }: Astray) => (removed ? RESTORES : wasThere ? PUTS_BACK : UNDOES).test(command)
  if (done.length === 0 || !done.every(undoes)) return false
  return work.changed.every((file) => !isThere(file) || done.some((one) => covers([one.path], file)))
}

import type { SessionState } from '../session/session-state.ts'

/** What takes back something that was written. */
const UNDOES = /^\s*(?:git\s+(?:checkout|restore|rm|clean)|rm)\b/
/** What brings back something that was removed or moved: to remove it again is no way back. */
const RESTORES = /^\s*(?:git\s+(?:checkout|restore|mv)|mv)\b/

/** Whether a command takes back, at this place, what the agent was corrected for. The way back asks for that. */
export function takesBack({ drift: { astray } }: SessionState, command: string, path: string): boolean {
  const done = astray.find((one) => one.path === path)
  return done !== undefined && (done.removed ? RESTORES : UNDOES).test(command)
}

import type { Mind } from './mind.ts'

const MOST = 20
/** What takes back something that was written. */
const UNDOES = /^\s*(?:git\s+(?:checkout|restore|rm|clean)|rm)\b/
/** What brings back something that was removed or moved: to remove it again is no way back. */
const RESTORES = /^\s*(?:git\s+(?:checkout|restore|mv)|mv)\b/

/** The agent was corrected for what it did there. */
export function noteAstray(mind: Mind, paths: string[], removed: boolean): void {
  const others = (mind.astray ?? []).filter(({ path }) => !paths.includes(path))
  mind.astray = [...others, ...paths.map((path) => ({ path, removed }))].slice(-MOST)
}

/** Whether a command takes back, at this place, what the agent was corrected for. The way back asks for that. */
export function takesBack({ astray = [] }: Mind, command: string, path: string): boolean {
  const done = astray.find((one) => one.path === path)
  return done !== undefined && (done.removed ? RESTORES : UNDOES).test(command)
}

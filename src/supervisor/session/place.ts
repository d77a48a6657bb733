import type { Project } from '#core/session.ts'
import type { SessionState } from './session-state.ts'

/** Where the agent works. */
export interface Place {
  readonly cwd: string
  readonly projectId: string
  /** The project's root: paths of steps are relative to the working directory, those of history to this. */
  readonly root: string
}

export function enterProject(session: SessionState, cwd: string, { id, root }: Project): void {
  session.place = { cwd, projectId: id, root }
}

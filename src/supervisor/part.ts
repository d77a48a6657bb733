import type { HookPart } from './handle-hook.ts'
import type { Supervisor } from './supervisor.ts'

/** The supervisor as it listens to hooks. */
export function supervisorPart(supervisor: Supervisor): HookPart {
  return { name: 'supervisor', handle: (event) => supervisor.hook(event) }
}

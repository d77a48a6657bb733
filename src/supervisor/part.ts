import type { Afterwards } from './afterwards.ts'
import type { HookPart } from './handle-hook.ts'
import type { Supervisor } from './supervisor.ts'

/** The supervisor as it listens to hooks. At the end of a turn or a session it only notes, and no answer waits for that. */
export function supervisorPart(supervisor: Supervisor, afterwards: Afterwards): HookPart {
  return {
    name: 'supervisor',
    async handle(event) {
      if (event.hook_event_name === 'unknown') return undefined
      const { session_id: sessionId, hook_event_name: name } = event
      if (name === 'Stop' || name === 'SessionEnd') {
        await afterwards.run(sessionId, `supervise at ${name}`, () => supervisor.hook(event))
        return undefined
      }
      await afterwards.doneWith(sessionId)
      return supervisor.hook(event)
    },
  }
}

import type { HookPart } from '../handle-hook.ts'
import { endSession } from './end-session.ts'
import { onPrompt } from './prompt.ts'
import { isSessionId } from './sessions.ts'
import { startSession } from './start-session.ts'
import { onStop } from './stop.ts'
import { afterTool, beforeTool } from './tool-use.ts'
import type { LearningWorld } from './world.ts'

/** The learning gate as a hook part. `handleHook` catches its errors, so the agent always goes on. */
export function learningPart(world: LearningWorld): HookPart {
  return {
    name: 'learning gate',
    async handle(event) {
      if (event.hook_event_name === 'unknown' || !isSessionId(event.session_id)) return undefined
      await world.background.drain(event.session_id)
      switch (event.hook_event_name) {
        case 'SessionStart':
          return startSession(world, event)
        case 'UserPromptSubmit':
          return onPrompt(world, event)
        case 'PreToolUse':
          await beforeTool(world, event)
          return undefined
        case 'PostToolUse':
        case 'PostToolUseFailure':
          world.prefetch?.note(world, event)
          return afterTool(world, event)
        case 'Stop':
          return onStop(world, event)
        case 'SessionEnd':
          world.prefetch?.forget(event.session_id)
          await world.background.run(event.session_id, 'end the session', () => endSession(world, event))
          return undefined
        default:
          return undefined
      }
    },
  }
}

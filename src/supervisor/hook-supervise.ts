import { actionOf } from '#core/actions.ts'
import { recovers } from '#core/drift/correction.ts'
import { judgeAction } from '#core/drift/score.ts'
import { realInstruction } from '#core/instruction.ts'
import type { ToolUse } from '#core/turn.ts'
import type { HookEvent, HookEventOf } from '#protocol/hook-event.ts'
import { refusal, refusalText } from '#protocol/refusal.ts'
import { catchUp, type Transcribed } from './catch-up.ts'
import { failOpen } from './fail-open.ts'
import { finishTask } from './finish-task.ts'
import type { Contribution } from './handle-hook.ts'
import { addMemoriesToPrompt } from './memory/add-context.ts'
import { forgetPrompts } from './memory/context.ts'
import type { Mind } from './mind.ts'
import { boundsOf, driftActionOf, noteAction } from './note-action.ts'
import { noteClosing } from './note-closing.ts'
import { noteInstruction } from './note-instruction.ts'
import { noteSession } from './sessions.ts'
import type { World } from './world.ts'

/** Goal, drift and corrections from hooks alone; what the proxy has noted already is not noted twice. */
export async function superviseHook(world: World, mind: Mind, event: HookEvent): Promise<Contribution | undefined> {
  switch (event.hook_event_name) {
    case 'SessionStart':
      await see(world, mind, event)
      return undefined
    case 'UserPromptSubmit':
      await see(world, mind, event)
      await notePrompt(world, mind, event.prompt)
      return deliver(mind)
    case 'PreToolUse':
      return guardForced(mind, event)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      await noteTool(world, mind, event)
      return deliver(mind)
    case 'Stop':
      await tryCatchUp(world, mind, event)
      await noteClosing(world, mind, event.last_assistant_message ?? '')
      return undefined
    case 'SessionEnd':
      await endSession(world, mind)
      return undefined
    default:
      return undefined
  }
}

/** The session is over: whatever was still in hand is saved as far as it got, parents included. */
export async function endSession(world: World, mind: Mind): Promise<void> {
  while (mind.task) await finishTask(world, mind, 'abandoned')
  await forgetPrompts(world.memory, mind.sessionId)
  await world.store.sessions.end(mind.sessionId, world.clock.now())
  world.publish({ type: 'session:ended', sessionId: mind.sessionId })
}

function see(world: World, mind: Mind, event: { cwd?: string | undefined; model?: unknown }) {
  const model = typeof event.model === 'string' ? event.model : undefined
  return noteSession(world, mind, 'hooks', { ...(event.cwd && { cwd: event.cwd }), ...(model && { model }) })
}

async function notePrompt(world: World, mind: Mind, prompt: string) {
  const text = realInstruction(prompt)
  if (text === undefined) return
  await noteInstruction(world, mind, text)
  await addMemoriesToPrompt(world, mind, text)
}

type ToolEvent = HookEventOf<'PreToolUse'> | HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

function toolUseOf({ tool_use_id, tool_name, tool_input }: ToolEvent): ToolUse | undefined {
  return tool_use_id === undefined ? undefined : { id: tool_use_id, name: tool_name, input: tool_input }
}

async function noteTool(world: World, mind: Mind, event: ToolEvent) {
  const toolUse = toolUseOf(event)
  if (!toolUse) return
  if (mind.cwd === undefined) await see(world, mind, event)
  const { said } = await tryCatchUp(world, mind, event)
  const words = said.get(toolUse.id)
  await noteAction(world, mind, toolUse, {
    ...(event.agent_id && { agentId: event.agent_id }),
    ...(words && { said: words }),
  })
}

/** A transcript that cannot be read costs us words and token counts, never the step. */
function tryCatchUp(world: World, mind: Mind, event: { transcript_path?: string | undefined }): Promise<Transcribed> {
  return failOpen(world.log, 'read the transcript', { said: new Map() }, () =>
    catchUp(world, mind, event.transcript_path),
  )
}

/** Hands over what waits for the agent; whoever comes first, hook or proxy, delivers it, and nobody does it again. */
function deliver(mind: Mind): Contribution {
  const waiting = mind.pending.filter(({ key }) => !mind.delivered.includes(key))
  const notice = mind.notices.join('\n')
  mind.pending = []
  mind.notices = []
  mind.delivered = [...mind.delivered, ...waiting.map(({ key }) => key)].slice(-300)
  return {
    ...(waiting.length > 0 && { context: waiting.map(({ text }) => text).join('\n\n') }),
    ...(notice && { notice }),
  }
}

const WRITES = new Set(['edit', 'write'])

/** A halt really halts: in forced mode only the recovery step, or work that clearly serves the goal, may write. */
function guardForced(mind: Mind, event: HookEventOf<'PreToolUse'>): Contribution | undefined {
  if (mind.drift.mode !== 'forced' || event.agent_id) return undefined
  const toolUse = toolUseOf(event)
  if (!toolUse) return undefined
  const action = actionOf(toolUse, mind.cwd)
  if (!WRITES.has(action.kind) || recovers(mind.plan, action.files)) return undefined
  const scored = driftActionOf(action)
  const { trail, task } = mind
  if (scored && trail && task && judgeAction(trail, scored, boundsOf(task, scored)).reading.score >= 8) return undefined
  const way = mind.plan?.steps[0] ?? 'Return to the goal.'
  return {
    deny: refusalText(
      refusal(
        'recovery_required',
        `This write does not serve the goal, and earlier corrections were not followed: ${mind.task?.goal ?? ''}`,
        `${way} A new instruction from the user lifts this at once.`,
      ),
    ),
  }
}

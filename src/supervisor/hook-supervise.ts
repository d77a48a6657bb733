import { realInstruction } from '#core/instruction.ts'
import { redact } from '#core/redact.ts'
import type { ToolUse } from '#core/turn.ts'
import type { HookEvent, HookEventOf } from '#protocol/hook-event.ts'
import { catchUp, type Transcribed } from './catch-up.ts'
import { failOpen } from './fail-open.ts'
import { finishTask } from './finish-task.ts'
import { guardForced } from './guard-forced.ts'
import type { Contribution } from './handle-hook.ts'
import { addMemoriesAtStart, addMemoriesToPrompt } from './memory/add-context.ts'
import { forgetPrompts } from './memory/context.ts'
import type { Mind } from './mind.ts'
import { noteAction } from './note-action.ts'
import { noteClosing } from './note-closing.ts'
import { noteInstruction } from './note-instruction.ts'
import { recordInjection } from './prepare-request.ts'
import { noteSession } from './sessions.ts'
import type { World } from './world.ts'

/** Goal, drift and corrections from hooks alone; what the proxy has noted already is not noted twice. */
export async function superviseHook(world: World, mind: Mind, event: HookEvent): Promise<Contribution | undefined> {
  switch (event.hook_event_name) {
    case 'SessionStart':
      await see(world, mind, event)
      // What is resumed or compacted has been shown what there was.
      if (event.source !== 'startup' && event.source !== 'clear') return undefined
      await addMemoriesAtStart(world, mind)
      return deliver(world, mind)
    case 'UserPromptSubmit':
      await see(world, mind, event)
      await notePrompt(world, mind, event.prompt)
      return deliver(world, mind)
    case 'PreToolUse':
      return guard(world, mind, event)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      await noteTool(world, mind, event)
      // What waits is meant for the main thread; a subagent would take it for its own and nobody would hear it again.
      return event.agent_id ? undefined : deliver(world, mind)
    case 'Stop':
      await tryCatchUp(world, mind, event)
      await noteClosing(world, mind, event.last_assistant_message ?? '')
      return undefined
    case 'SessionEnd':
      await tryCatchUp(world, mind, event)
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
  const said = realInstruction(prompt)
  if (said === undefined) return
  const text = redact(said)
  await noteInstruction(world, mind, text)
  await addMemoriesToPrompt(world, mind, text)
}

type ToolEvent = HookEventOf<'PreToolUse'> | HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

function toolUseOf({ tool_use_id, tool_name, tool_input }: ToolEvent): ToolUse | undefined {
  return tool_use_id === undefined ? undefined : { id: tool_use_id, name: tool_name, input: tool_input }
}

/** In a subagent too: a halt that one call of the Agent tool gets around is none. */
function guard(world: World, mind: Mind, event: HookEventOf<'PreToolUse'>): Promise<Contribution | undefined> {
  const toolUse = toolUseOf(event)
  return toolUse ? guardForced(world, mind, toolUse) : Promise.resolve(undefined)
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
async function deliver(world: World, mind: Mind): Promise<Contribution> {
  const waiting = mind.pending.filter(({ key }) => !mind.delivered.includes(key))
  const notice = mind.notices.join('\n')
  mind.pending = []
  mind.notices = []
  mind.delivered = [...mind.delivered, ...waiting.map(({ key }) => key)].slice(-300)
  for (const { kind, text, why } of waiting) await recordInjection(world, mind, { kind, place: 'hook', text, why })
  return {
    ...(waiting.length > 0 && { context: waiting.map(({ text }) => text).join('\n\n') }),
    ...(notice && { notice }),
  }
}

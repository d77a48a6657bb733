import { realInstruction } from '#core/goal/instruction.ts'
import type { ToolUse } from '#core/turn.ts'
import type { HookEvent, HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { recordInjection } from '../inject/prepare-request.ts'
import { addMemoriesAtStart, addMemoriesToPrompt, expectPrompt } from '../memory/add-context.ts'
import type { World } from '../world.ts'
import { catchUp, noteModel, type Transcribed } from './catch-up.ts'
import { finishTask } from './finish-task.ts'
import { guardForced } from './forced-mode.ts'
import type { Delivery, Mind } from './mind.ts'
import { foreseeAction, keepStep, noteAction, withWords } from './note-action.ts'
import { noteClosing } from './note-closing.ts'
import { noteInstruction } from './note-instruction.ts'
import { noteSession } from './sessions.ts'

/** What is said to a hook event, and what is left to do about it when that has been said. */
interface Supervised {
  said?: Contribution
  rest?: () => Promise<void>
}

/** The events that `superviseHook` does something about. */
export const HEARD: ReadonlySet<string> = new Set<HookEvent['hook_event_name']>([
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
])

/**
 * Goal, drift and corrections from hooks alone; what the proxy has noted already is not noted twice. At the end of a turn
 * or a session there is nothing to say, only something to note.
 */
export async function superviseHook(world: World, mind: Mind, event: HookEvent): Promise<Supervised> {
  switch (event.hook_event_name) {
    case 'SessionStart':
      return answerStart(world, mind, event)
    case 'UserPromptSubmit':
      return seenOnceMore(world, mind, event, () => answerPrompt(world, mind, event.prompt))
    case 'PreToolUse':
      return answerAnnouncement(world, mind, event)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return answerTool(world, mind, event)
    case 'Stop':
      return {
        rest: async () => {
          await tryCatchUp(world, mind, event)
          await noteClosing(world, mind, event.last_assistant_message ?? '')
          await expectPrompt(world, mind)
        },
      }
    case 'SessionEnd':
      return {
        rest: async () => {
          await tryCatchUp(world, mind, event)
          await endSession(world, mind)
        },
      }
    default:
      return {}
  }
}

/** The session is over: whatever was still in hand is saved as far as it got, parents included. */
export async function endSession(world: World, mind: Mind): Promise<void> {
  while (mind.task) await finishTask(world, mind, 'abandoned')
  await world.store.sessions.end(mind.sessionId, world.clock.now())
  world.publish({ type: 'session:ended', sessionId: mind.sessionId })
}

function see(world: World, mind: Mind, event: { cwd?: string | undefined; model?: unknown }) {
  const model = typeof event.model === 'string' ? event.model : undefined
  return noteSession(world, mind, 'hooks', { ...(event.cwd && { cwd: event.cwd }), ...(model && { model }) })
}

/** In the folder that is known, it can wait until the answer has left. */
async function seenOnceMore(
  world: World,
  mind: Mind,
  event: { cwd?: string | undefined },
  answer: () => Promise<Supervised>,
): Promise<Supervised> {
  const isKnown = mind.cwd !== undefined && (event.cwd === undefined || event.cwd === mind.cwd)
  if (!isKnown) await see(world, mind, event)
  const { said, rest } = await answer()
  return {
    ...(said && { said }),
    rest: async () => {
      if (isKnown) await see(world, mind, event)
      await rest?.()
    },
  }
}

/** On the default branch nothing is under way that could be shown; then even whose session this is can be noted afterwards. */
async function answerStart(world: World, mind: Mind, event: HookEventOf<'SessionStart'>): Promise<Supervised> {
  const { source, cwd } = event
  noteModel(mind, event.model)
  // What is resumed or compacted has been shown what there was.
  const isFresh = source === 'startup' || source === 'clear'
  const isQuiet = isFresh && cwd !== undefined && world.memory.isOnDefaultBranch?.(cwd) === true
  if (!isQuiet) await see(world, mind, event)
  if (!isFresh) return {}
  if (!isQuiet) await addMemoriesAtStart(world, mind)
  const { said, rest } = delivered(world, mind)
  return {
    ...(said && { said }),
    rest: async () => {
      if (isQuiet) await see(world, mind, event)
      // The next session may rely on it.
      if (isQuiet) await world.memory.workPlace(cwd)
      await rest?.()
    },
  }
}

/** The user's new words go first: a correction meant for the work before them is not delivered any more. */
async function answerPrompt(world: World, mind: Mind, prompt: string): Promise<Supervised> {
  const text = realInstruction(prompt)
  if (text === undefined) return delivered(world, mind)
  mind.pending = mind.pending.filter(({ kind }) => kind !== 'correction')
  await addMemoriesToPrompt(world, mind, text)
  const { said, record } = deliver(mind)
  return {
    said,
    rest: async () => {
      await noteInstruction(world, mind, text)
      await record(world)
      await expectPrompt(world, mind)
    },
  }
}

type ToolEvent = HookEventOf<'PreToolUse'> | HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

function toolUseOf({ tool_use_id, tool_name, tool_input }: ToolEvent): ToolUse | undefined {
  return tool_use_id === undefined ? undefined : { id: tool_use_id, name: tool_name, input: tool_input }
}

/** In a subagent too: a halt that one call of the Agent tool gets around is none. */
async function answerAnnouncement(world: World, mind: Mind, event: HookEventOf<'PreToolUse'>): Promise<Supervised> {
  const toolUse = toolUseOf(event)
  if (!toolUse) return {}
  const said = await guardForced(world, mind, toolUse)
  if (said) return { said }
  // Only a daemon will still know it when the tool has run.
  if (!world.defer || event.agent_id) return {}
  return { rest: async () => foreseeAction(mind, toolUse) }
}

/** What the agent said on the way stands in its transcript; that is read when the action has been answered. */
async function answerTool(world: World, mind: Mind, event: ToolEvent): Promise<Supervised> {
  const toolUse = toolUseOf(event)
  if (toolUse && mind.cwd === undefined) await see(world, mind, event)
  const step = toolUse && (await noteAction(world, mind, toolUse, event.agent_id))
  // What waits is meant for the main thread; a subagent would take it for its own and nobody would hear it again.
  const handed = event.agent_id ? undefined : deliver(mind)
  return {
    ...(handed && { said: handed.said }),
    rest: async () => {
      const { said } = await tryCatchUp(world, mind, event)
      if (step) await keepStep(world, withWords(step, said.get(step.id)))
      await handed?.record(world)
    },
  }
}

/** A transcript that cannot be read costs us words and token counts, never the step. */
function tryCatchUp(world: World, mind: Mind, event: { transcript_path?: string | undefined }): Promise<Transcribed> {
  return failOpen(world.log, 'read the transcript', { said: new Map() }, () =>
    catchUp(world, mind, event.transcript_path),
  )
}

function delivered(world: World, mind: Mind): Supervised {
  const { said, record } = deliver(mind)
  return {
    said,
    rest: async () => {
      await record(world)
      await expectPrompt(world, mind)
    },
  }
}

/** Hands over what waits for the agent; whoever comes first, hook or proxy, delivers it, and nobody does it again. */
function deliver(mind: Mind): { said: Contribution; record: (world: World) => Promise<void> } {
  const waiting = mind.pending.filter(({ key }) => !mind.delivered.includes(key))
  const notice = mind.notices.join('\n')
  mind.pending = []
  mind.notices = []
  mind.delivered = [...mind.delivered, ...waiting.map(({ key }) => key)].slice(-300)
  return {
    said: {
      ...(waiting.length > 0 && { context: waiting.map(({ text }) => text).join('\n\n') }),
      ...(notice && { notice }),
    },
    record: (world) => recordAll(world, mind, waiting),
  }
}

async function recordAll(world: World, mind: Mind, handed: readonly Delivery[]) {
  for (const { kind, text, why } of handed) await recordInjection(world, mind, { kind, place: 'hook', text, why })
}

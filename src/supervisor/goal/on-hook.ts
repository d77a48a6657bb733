import { realInstruction } from '#core/goal/instruction.ts'
import type { HookEvent, HookEventOf } from '#protocol/hook-event.ts'
import { callIn, callOf, outputIn, type SeenUse, type ToolEvent } from '../action/tool-call.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { recordInjection } from '../inject/prepare-request.ts'
import { addMemoriesAtStart, addMemoriesToPrompt, expectPrompt } from '../memory/add-context.ts'
import { type Delivery, dropCorrections, takeAll, undelivered } from '../session/deliveries.ts'
import { noteSession } from '../session/note-session.ts'
import type { SessionState } from '../session/session-state.ts'
import { activeTask } from '../session/work.ts'
import type { World } from '../world.ts'
import { correctionKey } from './actions/answer-action.ts'
import { askPerson, guardForced } from './actions/forced-mode.ts'
import { keepStep, noteAction, withWords } from './actions/note-action.ts'
import { scoreAhead } from './actions/score-action.ts'
import { listsRunningHelper } from './background-helpers.ts'
import { askForPlan } from './tasks/declared-plan.ts'
import { finishTask, keepsWork, settleFinished } from './tasks/finish-task.ts'
import { noteClosing } from './tasks/note-closing.ts'
import { beginsWork, noteInstruction } from './tasks/note-instruction.ts'
import { catchUp, noteModel, type Transcribed } from './turns/catch-up.ts'
import { hearBeforeCorrecting, hearTypedMeanwhile } from './turns/typed-meanwhile.ts'

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
export async function superviseHook(world: World, session: SessionState, event: HookEvent): Promise<Supervised> {
  switch (event.hook_event_name) {
    case 'SessionStart':
      return answerStart(world, session, event)
    case 'UserPromptSubmit':
      return seenOnceMore(world, session, event, () => answerPrompt(world, session, event.prompt))
    case 'PreToolUse':
      return answerAnnouncement(world, session, event)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return answerTool(world, session, event)
    case 'Stop':
      return {
        rest: async () => {
          await tryCatchUp(world, session, event)
          const helpersAtWork = listsRunningHelper(event.background_tasks)
          await noteClosing(world, session, event.last_assistant_message ?? '', helpersAtWork)
          await expectPrompt(world, session)
        },
      }
    case 'SessionEnd':
      return {
        rest: async () => {
          await tryCatchUp(world, session, event)
          await endSession(world, session)
        },
      }
    default:
      return {}
  }
}

/** The session is over: whatever was still in hand is saved as far as it got, parents included. */
export async function endSession(world: World, session: SessionState): Promise<void> {
  const { turn } = session.transcript
  // A question that was answered is not given up.
  const isAnswered = turn.status === 'closed' && turn.reads === 'finished'
  while (activeTask(session)) await finishTask(world, session, isAnswered ? 'complete' : 'abandoned')
  await settleFinished(world, session)
  await world.store.sessions.end(session.sessionId, world.clock.now())
  if (!keepsWork(world, session)) await world.store.sessions.eraseWork(session.sessionId)
  world.publish({ type: 'session:ended', sessionId: session.sessionId })
}

function see(world: World, session: SessionState, event: { cwd?: string | undefined; model?: unknown }) {
  const model = typeof event.model === 'string' ? event.model : undefined
  return noteSession(world, session, 'hooks', { ...(event.cwd && { cwd: event.cwd }), ...(model && { model }) })
}

/** In the folder that is known, it can wait until the answer has left. */
async function seenOnceMore(
  world: World,
  session: SessionState,
  event: { cwd?: string | undefined },
  answer: () => Promise<Supervised>,
): Promise<Supervised> {
  const isKnown = session.place !== undefined && (event.cwd === undefined || event.cwd === session.place.cwd)
  if (!isKnown) await see(world, session, event)
  const { said, rest } = await answer()
  return {
    ...(said && { said }),
    rest: async () => {
      if (isKnown) await see(world, session, event)
      await rest?.()
    },
  }
}

/** On the default branch nothing is under way that could be shown; then even whose session this is can be noted afterwards. */
async function answerStart(
  world: World,
  session: SessionState,
  event: HookEventOf<'SessionStart'>,
): Promise<Supervised> {
  const { source, cwd } = event
  noteModel(session, event.model)
  // What is resumed or compacted has been shown what there was.
  const isFresh = source === 'startup' || source === 'clear'
  const isQuiet = isFresh && cwd !== undefined && world.memory.isOnDefaultBranch?.(cwd) === true
  if (!isQuiet) await see(world, session, event)
  if (!isFresh) return {}
  if (!isQuiet) await addMemoriesAtStart(world, session)
  const { said, rest } = delivered(world, session)
  return {
    ...(said && { said }),
    rest: async () => {
      if (isQuiet) await see(world, session, event)
      // The next session may rely on it.
      if (isQuiet) await world.memory.workPlace(cwd)
      await rest?.()
    },
  }
}

/** The user's new words go first: a correction meant for the work before them is not delivered any more. */
async function answerPrompt(world: World, session: SessionState, prompt: string): Promise<Supervised> {
  const text = realInstruction(prompt)
  if (text === undefined) return delivered(world, session)
  dropCorrections(session)
  if (world.settings.asksForPlan && beginsWork(session, text)) askForPlan(session, text)
  await addMemoriesToPrompt(world, session, text)
  const { said, record } = deliver(session)
  return {
    said,
    rest: async () => {
      await noteInstruction(world, session, text)
      await record(world)
      await expectPrompt(world, session)
    },
  }
}

function toolUseOf(event: ToolEvent): SeenUse | undefined {
  const { id, tool: name, input, outcome } = callOf(event)
  const output = outputIn(event)
  return id === undefined ? undefined : { id, name, input, outcome, ...(output !== undefined && { output }) }
}

/** Also asked for calls of subagents: otherwise one call of the Agent tool would get around a halt. */
async function answerAnnouncement(
  world: World,
  session: SessionState,
  event: HookEventOf<'PreToolUse'>,
): Promise<Supervised> {
  const toolUse = toolUseOf(event)
  if (!toolUse) return {}
  const isForced = session.drift.standing.mode === 'forced'
  // New words of the user lift a halt.
  if (isForced) await tryHear(world, session, event, hearBeforeCorrecting)
  const said = await guardForced(world, session, toolUse)
  if (said) {
    const rest = async () => {
      const step = await noteAction(world, session, { ...toolUse, outcome: 'denied' }, event.agent_id)
      if (step) await keepStep(world, step)
    }
    return { said, rest }
  }
  if (event.agent_id) return {}
  // Only a daemon will still know it when the tool has run. Whether there is anything to remove shows before that alone.
  const readsNow = world.defer !== undefined && (await takesAway(world, session, toolUse))
  if (readsNow) await scoreAhead(world, session, toolUse)
  const asked = await failOpen(world.log, 'ask a person', undefined, () => askPerson(world, session, toolUse))
  return {
    ...(asked && { said: asked }),
    rest: async () => {
      if (!isForced) await tryHear(world, session, event)
      if (world.defer && !readsNow) await scoreAhead(world, session, toolUse)
    },
  }
}

async function takesAway(world: World, { place }: SessionState, toolUse: SeenUse): Promise<boolean> {
  const effect = await world.tools.effect(callIn(toolUse), place ?? {})
  return effect.kind === 'shell' && effect.script.writes.some(({ kind }) => kind === 'delete' || kind === 'move')
}

/** What the agent said on the way stands in its transcript; that is read when the action has been answered. */
async function answerTool(world: World, session: SessionState, event: ToolEvent): Promise<Supervised> {
  const toolUse = toolUseOf(event)
  if (toolUse && session.place === undefined) await see(world, session, event)
  const hear = () => tryHear(world, session, event, hearBeforeCorrecting)
  const step = toolUse && (await noteAction(world, session, toolUse, event.agent_id, hear))
  // What waits is meant for the main thread, and is delivered there once. A subagent hears only what its own action caused.
  const handed = event.agent_id ? toldToSubagent(session, toolUse) : deliver(session)
  return {
    ...(handed && { said: handed.said }),
    rest: async () => {
      const { said } = await tryCatchUp(world, session, event)
      if (step) await keepStep(world, withWords(step, said.get(step.id)))
      await handed?.record(world)
    },
  }
}

/** Whether the user has said something more. */
function tryHear(
  world: World,
  session: SessionState,
  event: { transcript_path?: string | undefined },
  hear = hearTypedMeanwhile,
): Promise<boolean> {
  return failOpen(world.log, 'read the transcript', false, () => hear(world, session, event.transcript_path))
}

/** A transcript that cannot be read costs us words and token counts, never the step. */
export function tryCatchUp(
  world: World,
  session: SessionState,
  event: { transcript_path?: string | undefined },
): Promise<Transcribed> {
  return failOpen(world.log, 'read the transcript', { said: new Map() }, () =>
    catchUp(world, session, event.transcript_path),
  )
}

function delivered(world: World, session: SessionState): Supervised {
  const { said, record } = deliver(session)
  return {
    said,
    rest: async () => {
      await record(world)
      await expectPrompt(world, session)
    },
  }
}

interface Handed {
  said: Contribution
  record: (world: World) => Promise<void>
}

/** Hands over what waits for the agent: hook and proxy share one queue, and each thing is delivered once. */
function deliver(session: SessionState): Handed {
  const { deliveries, notices } = takeAll(session)
  return {
    said: {
      ...(deliveries.length > 0 && { context: deliveries.map(({ text }) => text).join('\n\n') }),
      ...(notices.length > 0 && { notice: notices.join('\n') }),
    },
    record: (world) => recordAll(world, session, deliveries),
  }
}

/** The correction that an action of a subagent brought about; it stays in the queue, for the main thread that is responsible. */
function toldToSubagent(session: SessionState, toolUse: SeenUse | undefined): Handed | undefined {
  const own = toolUse && undelivered(session).find(({ key }) => key === correctionKey(toolUse.id))
  return own && { said: { context: own.text }, record: (world) => recordAll(world, session, [own]) }
}

async function recordAll(world: World, session: SessionState, handed: readonly Delivery[]) {
  for (const { kind, text, why } of handed) await recordInjection(world, session, { kind, place: 'hook', text, why })
}

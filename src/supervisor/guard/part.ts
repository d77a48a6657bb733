import { isHarmless, toolNamed } from '#core/action/tools.ts'
import { checkEnded } from '#core/intent/denial.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { KnownHookEvent } from '#protocol/hook-event.ts'
import { refusalText } from '#protocol/refusal.ts'
import type { RunEvent } from '../action/tool-call.ts'
import type { Contribution, HookPart } from '../handle-hook.ts'
import { SLOTS } from '../state-slots.ts'
import { afterWindow } from './after-tool/after-command.ts'
import { afterTool } from './after-tool/after-tool.ts'
import { openWindowsOf } from './after-tool/tool-windows.ts'
import { withdrawAsked } from './approvals/approvals.ts'
import { clientPrompts } from './approvals/client-prompt.ts'
import { answerAtPrompt, requestAtPrompt } from './approvals/guard-prompt.ts'
import { beforeTool } from './before-tool/before-tool.ts'
import { type Agent, forgetAgent } from './intents/active-intent.ts'
import { greeting, subagentGreeting } from './intents/session-start.ts'
import { callIn, projectsElsewhere } from './other-projects.ts'
import { forgetSeen } from './stale-files/seen-files.ts'
import { traceOnly } from './trace/trace-only.ts'
import type { GuardWorld } from './world.ts'

/** The guard as a part that listens to hooks. Where there is no `.orchestration`, it has nothing to say. */
export function guardPart(world: GuardWorld): HookPart {
  const homes = sessionHomes(world)
  const prompts = clientPrompts(world)
  return {
    name: 'guard',
    async handle(event, gone) {
      if (event.hook_event_name === 'unknown') return undefined
      await world.background.drain(event.session_id)
      prompts.noteEvent(event)
      if (ENDINGS.has(event.hook_event_name)) {
        const isKnown =
          (await homes.hasOne(event.session_id)) || (await openWindowsOf(world, agentOf(event))).length > 0
        return isKnown ? end(world, event) : undefined
      }
      if (!LISTENS.has(event.hook_event_name)) return undefined
      const home = await homes.of(event)
      if (event.hook_event_name === 'PermissionRequest') {
        const request = home && (await requestAtPrompt(world, home.project, event))
        return request ? answerAtPrompt(world, home.project, request) : prompts.ask(event, gone)
      }
      return isCall(event) ? atCall(world, home, event) : home && handle(world, home, event)
    },
    ended(event) {
      if (event.hook_event_name !== 'PreToolUse' || isHarmless(event.tool_name) || !homes.isGuarded(event))
        return undefined
      return { deny: refusalText(checkEnded()) }
    },
  }
}

const LISTENS = new Set<string>([
  'SessionStart',
  'SubagentStart',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
])

/** Events that close tool windows and waits, also when the agent has left the project's folder. */
const ENDINGS = new Set<string>(['UserPromptSubmit', 'Stop', 'SubagentStop', 'SessionEnd'])

function agentOf({ session_id: sessionId, agent_id: agentId }: KnownHookEvent): Agent {
  return { sessionId, ...(agentId && { agentId }) }
}

function isCall(event: KnownHookEvent): event is RunEvent {
  return CALLS.has(event.hook_event_name)
}

const CALLS = new Set<string>(['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])

/** A call is judged, and what it did is recorded, in every guarded project that it reaches; the first no is the answer. */
async function atCall(world: GuardWorld, home: Home | undefined, event: RunEvent): Promise<Contribution | undefined> {
  const elsewhere = await projectsElsewhere(world, event, home?.project)
  const texts: string[] = []
  for (const project of elsewhere) {
    const place = { project, since: home?.since ?? world.clock.now(), isElsewhere: true }
    const said = await handle(world, place, callIn(world, event, project))
    if (said?.deny !== undefined || said?.ask !== undefined) return said
    if (said?.context) texts.push(said.context)
  }
  // A tool that names its file has been judged where that file lies.
  const isDone = elsewhere.length > 0 && toolNamed(event.tool_name).changes === 'its file'
  const said = isDone ? undefined : home ? await handle(world, home, event) : await traceOnly(world, event)
  if (texts.length === 0) return said
  return { ...said, context: [...texts, ...(said?.context ? [said.context] : [])].join('\n\n') }
}

async function handle(
  world: GuardWorld,
  { project, since, isElsewhere }: Home & { isElsewhere?: boolean },
  event: KnownHookEvent,
): Promise<Contribution | undefined> {
  const agent = agentOf(event)
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { context: await greeting(world, project, agent) }
    case 'SubagentStart':
      return { context: await subagentGreeting(world, project, agent) }
    case 'PreToolUse':
      return beforeTool(world, project, event, { since, isElsewhere: isElsewhere === true })
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return afterTool(world, project, event)
    default:
      return undefined
  }
}

async function end(world: GuardWorld, event: KnownHookEvent): Promise<Contribution | undefined> {
  const agent = agentOf(event)
  switch (event.hook_event_name) {
    case 'UserPromptSubmit':
      await withdrawAsked(world, agent)
      return lookAtOpen(world, event, 'turn begins')
    case 'Stop': {
      const said = await lookAtOpen(world, event, 'turn ends', listsRunningShell(event.background_tasks))
      // Context at Stop makes the agent go on; once is enough.
      return event.stop_hook_active ? undefined : said
    }
    case 'SubagentStop':
      await lookAtOpen(world, event, 'over')
      await forgetAgent(world, agent)
      if (agent.agentId) await forgetSeen(world, agent)
      return undefined
    case 'SessionEnd':
      await lookAtOpen(world, event, 'over')
      await forgetSeen(world, agent)
      return undefined
    default:
      return undefined
  }
}

/**
 * What ran in the background, or was interrupted, is compared when a turn is over. What the client says still runs then, and what a
 * command left running by itself, is compared again when the next turn begins and when that is over.
 */
async function lookAtOpen(
  world: GuardWorld,
  event: KnownHookEvent,
  when: 'turn begins' | 'turn ends' | 'over',
  isRunning = false,
): Promise<Contribution | undefined> {
  const texts: string[] = []
  for (const window of await openWindowsOf(world, agentOf(event))) {
    const { toolUseId, inBackground, isLeftRunning, isIdle, wasIdle, promptId } = window
    // What a person writes while the turn runs begins no other, and ends no command.
    if (when === 'turn begins' && promptId !== undefined && promptId === event.prompt_id) continue
    const goesOn =
      inBackground &&
      (when === 'turn begins'
        ? isIdle && !tellsOfEnd(event, toolUseId)
        : when === 'turn ends' && (isRunning || (isLeftRunning && !wasIdle))) === true
    const said = await afterWindow(world, toolUseId, { isOver: !goesOn, turnEnds: goesOn && when === 'turn ends' })
    if (said?.context) texts.push(said.context)
  }
  return texts.length > 0 ? { context: texts.join('\n\n') } : undefined
}

/** The client begins a turn of its own when a command in the background has ended. */
function tellsOfEnd(event: KnownHookEvent, toolUseId: string): boolean {
  const prompt = event.hook_event_name === 'UserPromptSubmit' ? event.prompt : ''
  return prompt.startsWith('<task-notification>') && prompt.includes(`<tool-use-id>${toolUseId}</tool-use-id>`)
}

/** What the client lists at the end of a turn. */
function listsRunningShell(tasks: unknown): boolean {
  return (
    Array.isArray(tasks) &&
    tasks.some((task: { type?: unknown; status?: unknown }) => task?.type !== 'subagent' && task?.status === 'running')
  )
}

/** Where a session was first seen, and when. */
interface Home {
  project: GuardedProject
  since: number
}

/** A `Home` as the state store keeps it: the project by its root. */
export interface KeptHome {
  root: string
  since: number
}

/**
 * The project a session belongs to. An agent that changes into a folder elsewhere is still in the project it was
 * started in; so the first guarded one is remembered.
 */
function sessionHomes({ projects, states, clock }: GuardWorld) {
  const known = new Map<string, Home>()
  return {
    async of(event: KnownHookEvent): Promise<Home | undefined> {
      const here = event.cwd === undefined ? undefined : projects.at(event.cwd)
      const home = known.get(event.session_id) ?? (await find(event.session_id, here))
      return home && { project: here ?? home.project, since: home.since }
    },
    /** Whether it is known at once that the session works in a guarded project. */
    isGuarded: (event: KnownHookEvent) =>
      known.has(event.session_id) || (event.cwd !== undefined && projects.at(event.cwd) !== undefined),
    /** Whether the session has met a guarded project; then something may have been begun. */
    hasOne: async (sessionId: string) =>
      known.has(sessionId) || (await states.get(SLOTS.guardHome, sessionId)) !== undefined,
  }

  async function find(sessionId: string, here: GuardedProject | undefined): Promise<Home | undefined> {
    const kept = await states.get(SLOTS.guardHome, sessionId)
    const project = (kept && projects.at(kept.root)) ?? here
    if (!project) return undefined
    const since = kept?.since ?? clock.now()
    if (!kept) await states.put(SLOTS.guardHome, sessionId, { root: project.root, since }, since)
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!)
    known.set(sessionId, { project, since })
    return { project, since }
  }
}

const MOST_KNOWN = 500

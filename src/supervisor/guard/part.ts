import type { HookEvent } from '#protocol/hook-event.ts'
import type { Contribution, HookPart } from '../handle-hook.ts'
import { type Agent, forgetAgent, forgetIdle } from './active-intent.ts'
import { afterTool, afterWindow } from './after-tool.ts'
import { tidyInbox } from './approvals.ts'
import { beforeTool } from './before-tool.ts'
import { greeting, subagentGreeting } from './handshake.ts'
import { forgetSeen, SEEN, WROTE } from './seen.ts'
import { VIOLATION } from './violations.ts'
import { forgetWindows, openWindowsOf } from './windows.ts'
import type { Governed, GuardWorld } from './world.ts'

const HOME = 'guard-home'
const LEASES = 'lease'

type Known = Exclude<HookEvent, { hook_event_name: 'unknown' }>

/** The guard as a part that listens to hooks. Where there is no `.orchestration`, it has nothing to say. */
export function guardPart(world: GuardWorld): HookPart {
  const projectOf = sessionProjects(world)
  return {
    name: 'guard',
    async handle(event) {
      if (event.hook_event_name === 'unknown' || !LISTENS.has(event.hook_event_name)) return undefined
      const project = await projectOf(event)
      return project && handle(world, project, event)
    },
  }
}

const LISTENS = new Set<string>([
  'SessionStart',
  'SubagentStart',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SessionEnd',
])

async function handle(world: GuardWorld, project: Governed, event: Known): Promise<Contribution | undefined> {
  const agent: Agent = { sessionId: event.session_id, ...(event.agent_id && { agentId: event.agent_id }) }
  switch (event.hook_event_name) {
    case 'SessionStart':
      await tidy(world)
      return { context: await greeting(world, project, agent) }
    case 'SubagentStart':
      return { context: await subagentGreeting(world, project, agent) }
    case 'PreToolUse':
      return beforeTool(world, project, event)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return afterTool(world, project, event)
    case 'UserPromptSubmit':
      return closeOpen(world, agent)
    case 'Stop': {
      const said = await closeOpen(world, agent)
      // Context at Stop makes the agent go on; once is enough.
      return event.stop_hook_active ? undefined : said
    }
    case 'SubagentStop':
      await closeOpen(world, agent)
      await forgetAgent(world, agent)
      if (agent.agentId) await forgetSeen(world, agent)
      return undefined
    case 'SessionEnd':
      await closeOpen(world, agent)
      await forgetSeen(world, agent)
      return undefined
    default:
      return undefined
  }
}

/** What ran in the background, or was interrupted, is compared when the turn is over. */
async function closeOpen(world: GuardWorld, agent: Agent): Promise<Contribution | undefined> {
  const texts: string[] = []
  for (const toolUseId of await openWindowsOf(world, agent)) {
    const said = await afterWindow(world, toolUseId, true)
    if (said?.context) texts.push(said.context)
  }
  return texts.length > 0 ? { context: texts.join('\n\n') } : undefined
}

async function tidy(world: GuardWorld): Promise<void> {
  await forgetIdle(world, [SEEN, WROTE, VIOLATION, HOME, LEASES])
  await tidyInbox(world)
  await forgetWindows(world)
}

/**
 * The project a session belongs to. An agent that changes into a folder elsewhere is still in the project it was
 * started in; so the first governed one is remembered.
 */
function sessionProjects({ projects, states, clock }: GuardWorld) {
  const known = new Map<string, Governed>()
  return async (event: Known): Promise<Governed | undefined> => {
    const here = event.cwd === undefined ? undefined : projects.governing(event.cwd)
    const kept = known.get(event.session_id)
    if (here) {
      if (!kept) await remember(event.session_id, here)
      return here
    }
    if (kept) return kept
    const root = await states.get(HOME, event.session_id)
    const home = typeof root === 'string' ? projects.governing(root) : undefined
    if (home) known.set(event.session_id, home)
    return home
  }

  async function remember(sessionId: string, project: Governed) {
    known.set(sessionId, project)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
    if ((await states.get(HOME, sessionId)) === undefined) {
      await states.put(HOME, sessionId, project.root, clock.now())
    }
  }
}

const MOST_KNOWN = 500

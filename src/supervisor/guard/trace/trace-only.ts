import { toolNamed } from '#core/action/tools.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { HookEvent, HookEventOf } from '#protocol/hook-event.ts'
import { callOf } from '../../action/tool-call.ts'
import { rawChanges } from '../after-tool/after-command.ts'
import { fileChange } from '../after-tool/after-file-tool.ts'
import { endWindow, lookAgain, openWindow } from '../after-tool/tool-windows.ts'
import type { GuardWorld } from '../world.ts'
import { type Author, traceChange } from './trace-change.ts'

/** Projects without intents: nothing is asked, refused or reported there, but changes are traced. */
export async function traceOnly(world: GuardWorld, event: HookEvent): Promise<undefined> {
  if (event.hook_event_name === 'PreToolUse') await before(world, event)
  if (event.hook_event_name === 'PostToolUse' || event.hook_event_name === 'PostToolUseFailure')
    await after(world, event)
  return undefined
}

type Done = HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

function isFileTool(tool: string): boolean {
  return toolNamed(tool).changes === 'its file'
}

function isCommand(tool: string): boolean {
  return toolNamed(tool).changes === 'by command'
}

/** Only a command may change what it does not name. What surely reads is not compared: nothing is lost but a line of record. */
async function before(world: GuardWorld, event: HookEventOf<'PreToolUse'>): Promise<void> {
  const { tool_name: tool, tool_use_id: toolUseId, session_id: sessionId, agent_id: agentId } = event
  if (!isCommand(tool) || toolUseId === undefined) return
  const project = projectOf(world, event)
  if (!project) return
  const cwd = event.cwd ?? project.root
  const asked = callOf(event)
  const effect = await world.tools.effect(asked, { cwd, root: project.root })
  if (effect.kind !== 'shell' || effect.inBackground || effect.script.readOnly) return
  const agent = { sessionId, ...(agentId && { agentId }) }
  const call = { ...agent, project, cwd, tool, toolUseId, effect, asked, event }
  await openWindow(world, call, undefined, { targets: [], undecided: true, readOnly: false })
}

async function after(world: GuardWorld, event: Done): Promise<void> {
  const { session_id: sessionId, tool_name: tool, tool_use_id: toolUseId } = event
  if (isFileTool(tool)) {
    if (event.hook_event_name !== 'PostToolUse') return
    // No answer depends on it. The session's next event waits for it, so the file is still as the tool has left it.
    return world.background.run(sessionId, 'trace a file', () => afterFileTool(world, event))
  }
  const project = isCommand(tool) ? projectOf(world, event) : undefined
  const seen = project && toolUseId !== undefined ? await lookAgain(world, toolUseId, { isOver: true }) : undefined
  if (!project || !seen) return
  const { command } = seen.window
  const changes = await rawChanges(world, seen, [...seen.inside, ...seen.outside])
  await traceChange(world, project, { ...authorOf(event), ...(command && { command }) }, changes)
  await endWindow(world, seen)
  await world.tree.drop(seen.window.toolUseId)
}

function authorOf(event: Done): Author {
  const { session_id: sessionId, agent_id: agentId, tool_name: tool, tool_use_id: toolUseId } = event
  return {
    sessionId,
    ...(agentId && { agentId }),
    tool,
    ...(toolUseId && { toolUseId }),
    ...(event.transcript_path && { transcript: event.transcript_path }),
  }
}

async function afterFileTool(world: GuardWorld, event: HookEventOf<'PostToolUse'>): Promise<void> {
  const project = projectOf(world, event)
  if (!project) return
  const cwd = event.cwd ?? project.root
  const effect = await world.tools.effect(callOf(event), { cwd, root: project.root })
  const [path] = effect.kind === 'files' ? effect.paths : []
  if (path === undefined) return
  const { absolute, relative, outside } = world.paths.resolve(project.root, cwd, path)
  if (outside || relative === undefined) return
  const change = fileChange(event, relative, await world.files.read(absolute))
  await traceChange(world, project, authorOf(event), [change])
}

function projectOf(world: GuardWorld, { cwd }: { cwd?: string | undefined }): GuardedProject | undefined {
  return cwd === undefined ? undefined : world.projects.traced(cwd)
}

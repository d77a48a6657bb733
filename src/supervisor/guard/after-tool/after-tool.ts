import { isGroveTool, isHarmless, toolNamed } from '#core/action/tools.ts'
import { plainText } from '#core/intent/staleness.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import { answer, use } from '../approvals/approvals.ts'
import { ranUndecided } from '../approvals/waiting-calls.ts'
import { type Agent, activeIntent } from '../intents/active-intent.ts'
import { releasePaths } from '../stale-files/lock-and-compare.ts'
import { noteSeen } from '../stale-files/seen-files.ts'
import type { GuardWorld } from '../world.ts'
import { tellSeen } from './after-command.ts'
import { afterFileTool, type Done, type Failed } from './after-file-tool.ts'
import { lookAgain } from './tool-windows.ts'
import { noteViolation, settleViolations, type ViolatedFile, violationText } from './violations.ts'

/** After a tool: remembers what it read, traces what it wrote, and reports what it should not have written. */
export async function afterTool(
  world: GuardWorld,
  project: GuardedProject,
  event: Done | Failed,
): Promise<Contribution | undefined> {
  const agent: Agent = { sessionId: event.session_id, ...(event.agent_id && { agentId: event.agent_id }) }
  const { tool_name: tool } = event
  if (event.tool_use_id) await noteTerminalYes(world, event.tool_use_id)
  if (isGroveTool(tool, 'select_active_intent')) await tellSelected(world, agent)
  if (toolNamed(tool).kind === 'read' && event.hook_event_name === 'PostToolUse') {
    await noteRead(world, project, agent, event)
    return undefined
  }
  if (isHarmless(tool) || world.settings(project).isReadOnlyTool(tool)) return undefined
  // What a command changed shows in the working tree, so it is not read again.
  const undecided = await ranUndecided(world, event.tool_use_id)
  if (toolNamed(tool).changes === 'its file') {
    await afterFileTool(world, project, agent, event)
    await settleViolations(world, project, agent)
    return undecided && tellUndecided(world, project, agent, event, undecided)
  }
  const seen = event.tool_use_id === undefined ? undefined : await lookAgain(world, event.tool_use_id)
  if (seen) await releasePaths(world, agent, seen.window.leases)
  const said = seen && (await tellSeen(world, seen, undecided !== undefined))
  await settleViolations(world, project, agent, seen?.window.project.root === project.root ? seen.now : undefined)
  return said
}

/** The MCP server selected the intent in its own process, which publishes no events. */
async function tellSelected(world: GuardWorld, agent: Agent): Promise<void> {
  const selection = await activeIntent(world, agent)
  if (selection) {
    world.notify({ type: 'intent:selected', sessionId: agent.sessionId, intentId: selection.intentId })
  }
}

async function noteTerminalYes(world: GuardWorld, toolUseId: string): Promise<void> {
  const asked = await world.states.get(SLOTS.guardAsked, toolUseId)
  if (!asked) return
  await world.states.remove(SLOTS.guardAsked, toolUseId)
  await answer(world, asked.approvalId, { approve: true, in: 'terminal' })
  await use(world, asked.approvalId)
}

/**
 * Remembers the content that was read; the next write compares it with the disk. A read that the disk has overtaken
 * counts as stale.
 */
async function noteRead(world: GuardWorld, project: GuardedProject, agent: Agent, event: Done): Promise<void> {
  const { file_path: path } = event.tool_input
  if (typeof path !== 'string') return
  const { absolute } = world.paths.resolve(project.root, event.cwd ?? project.root, path)
  const content = await world.files.read(absolute)
  if (!content) return
  const shown = wholeText(event.tool_response)
  const isCurrent = shown === undefined || content.text === undefined || plainText(content.text) === plainText(shown)
  const seen = isCurrent ? content : { hash: world.files.digest(shown) }
  await noteSeen(world, agent, [{ path: absolute, content: seen, own: false }])
}

/** The text a read has shown, when it has shown all of it. */
function wholeText(response: unknown): string | undefined {
  const { type, file } = (response ?? {}) as { type?: string; file?: Record<string, unknown> }
  if (type !== 'text' || typeof file?.content !== 'string') return undefined
  const isWhole = file.startLine === 1 && file.numLines === file.totalLines
  return isWhole ? file.content : undefined
}

/** A file tool ran while a person was still being asked. */
async function tellUndecided(
  world: GuardWorld,
  { root }: GuardedProject,
  agent: Agent,
  { tool_use_id: key, tool_name: tool }: Done | Failed,
  files: ViolatedFile[],
): Promise<Contribution | undefined> {
  if (files.length === 0 || key === undefined) return undefined
  await noteViolation(world, key, { ...agent, root, at: world.clock.now(), files })
  return { context: violationText({ files }, tool, true) }
}

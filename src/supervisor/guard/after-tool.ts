import { isGroveTool, isHarmless, toolNamed } from '#core/action/tools.ts'
import { gistOf, plainText } from '#core/intent/staleness.ts'
import type { FileContent, GuardedProject, TreeChange } from '#core/ports/guard.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { callOf } from '../action/tool-call.ts'
import type { Contribution } from '../handle-hook.ts'
import { SLOTS } from '../state-slots.ts'
import { type Agent, activeIntent } from './active-intent.ts'
import { answer, use } from './approvals.ts'
import { releasePaths } from './lock-and-compare.ts'
import { isInScope, isRuleFile } from './permit.ts'
import { repositoryText } from './repository-text.ts'
import { noteSeen, noteWrote } from './seen-files.ts'
import { endWindow, lookAgain, mayHaveWritten, type Seen, targetAt } from './tool-windows.ts'
import { type RawChange, traceChange } from './trace-change.ts'
import {
  branchText,
  movedText,
  noteViolation,
  settleViolations,
  type ViolatedFile,
  violationText,
} from './violations.ts'
import { ranUndecided } from './waiting-calls.ts'
import type { GuardWorld } from './world.ts'

type Done = HookEventOf<'PostToolUse'>
type Failed = HookEventOf<'PostToolUseFailure'>

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

async function afterFileTool(
  world: GuardWorld,
  project: GuardedProject,
  agent: Agent,
  event: Done | Failed,
): Promise<void> {
  const cwd = event.cwd ?? project.root
  const effect = await world.tools.effect(callOf(event), { cwd, root: project.root })
  const paths = effect.kind === 'files' ? effect.paths : []
  const targets = paths.map((path) => world.paths.resolve(project.root, cwd, path))
  const [place] = targets
  if (!place || event.hook_event_name !== 'PostToolUse') {
    await releasePaths(
      world,
      agent,
      targets.map(({ absolute }) => absolute),
    )
    return
  }
  const { absolute, relative } = place
  const now = await world.files.read(absolute)
  await noteSeen(world, agent, [{ path: absolute, content: now ?? null, own: true }])
  if (now) await noteWrote(world, agent, absolute, now.hash)
  await releasePaths(world, agent, [absolute])
  const selection = await activeIntent(world, agent)
  const change = fileChange(event, relative ?? absolute, now)
  const isAllowed = await isStillAllowed(world, project, selection?.intentId, change.path)
  await traceChange(
    world,
    project,
    {
      ...agent,
      tool: event.tool_name,
      ...(event.tool_use_id && { toolUseId: event.tool_use_id }),
      ...(event.transcript_path && { transcript: event.transcript_path }),
      ...(selection && { selection }),
    },
    [change],
    !isAllowed,
  )
}

/** What a tool that names its file has done to it. */
export function fileChange(event: Done, path: string, now: FileContent | undefined): RawChange {
  const { before, after } = sidesOf(event, now)
  return {
    path,
    change: isNewFile(event) ? 'create' : 'modify',
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(now && { afterHash: now.hash }),
  }
}

/** Before the write it was; a gate that was not asked, because its hook was missed, shows here. */
async function isStillAllowed(world: GuardWorld, project: GuardedProject, intentId: string | undefined, path: string) {
  const intent = intentId === undefined ? undefined : (await world.intents.open(project)).find(intentId)
  return intent !== undefined && isInScope(world, project, intent, targetAt(world, project, path))
}

/** Only a Write or an Edit of nothing makes a file; of one that was there before, unread, no line is claimed. */
function isNewFile({ tool_response, tool_input }: Done): boolean {
  const { type, originalFile, original_file } = (tool_response ?? {}) as Record<string, unknown>
  if (typeof type === 'string') return type === 'create'
  if (typeof (originalFile ?? original_file) === 'string') return false
  return originalFile === null || tool_input.old_string === ''
}

/** The text before and after, from what the tool says it did; the disk where a formatter has already been at it. */
function sidesOf({ tool_response, tool_input }: Done, now: FileContent | undefined) {
  const response = (tool_response ?? {}) as Record<string, unknown>
  const original = response.originalFile ?? response.original_file
  const before = typeof original === 'string' ? original : undefined
  const wrote = writtenText(response, tool_input, before)
  const disk = now?.text === undefined ? undefined : plainText(now.text)
  const isOnDisk = wrote === undefined || disk === undefined || gistOf(disk) === gistOf(wrote)
  const after = isOnDisk ? disk : wrote
  return { before: before ?? undoneEdit(tool_input, disk), after }
}

/** The text before an edit whose answer does not hold it: the edit taken back, where its words stand in one place only. */
function undoneEdit(
  { old_string: old, new_string: words, replace_all: all }: Record<string, unknown>,
  disk: string | undefined,
): string | undefined {
  if (typeof old !== 'string' || typeof words !== 'string' || old === '' || words === '' || all === true)
    return undefined
  const parts = disk?.split(words) ?? []
  return parts.length === 2 ? parts.join(old) : undefined
}

function writtenText(
  response: Record<string, unknown>,
  input: Record<string, unknown>,
  before: string | undefined,
): string | undefined {
  if (response.userModified === true) return undefined
  if (typeof response.updated_file === 'string') return response.updated_file
  if (typeof response.content === 'string') return response.content
  const { oldString, newString } = response
  if (before === undefined || typeof oldString !== 'string' || typeof newString !== 'string') return undefined
  if (oldString === '' || !before.includes(oldString)) return undefined
  const all = response.replaceAll === true || input.replace_all === true
  return all ? before.replaceAll(oldString, () => newString) : before.replace(oldString, () => newString)
}

/** Drops the copies of a call, unless a violation still needs them to restore files. */
async function dropUnneeded(world: GuardWorld, toolUseId: string): Promise<void> {
  if (!(await world.states.get(SLOTS.guardViolation, toolUseId))) await world.tree.drop(toolUseId)
}

/** After a command, or while it goes on: compare, trace, and tell what lies outside the scope. */
export async function afterWindow(
  world: GuardWorld,
  toolUseId: string,
  when: { isOver?: boolean; turnEnds?: boolean },
): Promise<Contribution | undefined> {
  const seen = await lookAgain(world, toolUseId, when)
  return seen && tellSeen(world, seen)
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

async function tellSeen(world: GuardWorld, seen: Seen, isUndecided = false): Promise<Contribution | undefined> {
  const said = await recordSeen(world, seen, isUndecided)
  await endWindow(world, seen)
  return said
}

async function recordSeen(world: GuardWorld, seen: Seen, isUndecided: boolean): Promise<Contribution | undefined> {
  const { window, moved } = seen
  // A write that was not approved is attributed to no intent, whatever its path.
  const [found, outside] = isUndecided ? [[], [...seen.inside, ...seen.outside]] : [seen.inside, seen.outside]
  // Between two turns people work too: changes that the command does not name are reported, but attributed to no agent.
  const isTraced = !window.isIdle || window.mayWrite !== undefined
  const inside = isTraced ? found : []
  const changes = await rawChanges(world, seen, [...inside, ...outside])
  const author = {
    sessionId: window.sessionId,
    ...(window.agentId && { agentId: window.agentId }),
    tool: window.tool,
    toolUseId: window.toolUseId,
    ...(window.transcript && { transcript: window.transcript }),
    ...(window.command && { command: window.command }),
    ...(window.selection && { selection: window.selection }),
  }
  await noteAllSeen(world, author, window.project, inside)
  await traceChange(world, window.project, author, changes.slice(0, inside.length))
  // A file that the command does not name is reported, since the reading may be wrong, but not recorded as this agent's
  // work.
  const strayed = changes
    .slice(inside.length)
    .filter(({ path }) => isTraced && mayHaveWritten(window, targetAt(world, window.project, path).absolute))
  await traceChange(world, window.project, author, strayed, true)
  const aside = [moved.length > 0 ? movedText(seen, window.tool) : branchText(seen), repositoryText(seen, window.tool)]
    .filter((text) => text !== undefined)
    .join('\n\n')
  if (outside.length + seen.setUp.length === 0) {
    if (!seen.goesOn) await dropUnneeded(world, window.toolUseId)
    return aside === '' ? undefined : { context: aside }
  }
  const changed = outside.map((change) => violatedFile(world, seen, change))
  const files = [
    ...(isUndecided ? changed.map((one) => ({ ...one, first: true as const })) : changed),
    ...setUpFiles(world, seen),
  ]
  const { sessionId, agentId, selection, project, tool } = window
  const intentId = selection?.intentId
  const violation = { sessionId, ...(agentId && { agentId }), root: project.root, ...(intentId && { intentId }) }
  await noteViolation(world, window.toolUseId, { ...violation, at: world.clock.now(), files })
  const told = violationText({ ...(intentId && { intentId }), files }, tool, isUndecided)
  return { context: aside === '' ? told : `${told}\n\n${aside}` }
}

export async function rawChanges(
  world: GuardWorld,
  { window }: Pick<Seen, 'window'>,
  changes: readonly TreeChange[],
): Promise<RawChange[]> {
  const { project, copies, tree } = window
  const texts = await world.tree.textsBefore(project.root, changes, copies, tree)
  const raw: RawChange[] = []
  for (const { path, before: was, after: is } of changes) {
    const now = is === null ? undefined : await world.files.read(targetAt(world, project, path).absolute)
    const before = texts.get(path)
    raw.push({
      path,
      change: is === null ? 'delete' : was === null ? 'create' : 'modify',
      ...(before !== undefined && { before }),
      ...(now?.text !== undefined && { after: now.text }),
      ...(now && { afterHash: now.hash }),
    })
  }
  return raw
}

/** What an agent's own command did to a file is no news to that agent. */
async function noteAllSeen(world: GuardWorld, agent: Agent, project: GuardedProject, changes: readonly TreeChange[]) {
  const files = await Promise.all(
    changes.slice(0, 500).map(async ({ path }) => {
      const { absolute } = targetAt(world, project, path)
      return { path: absolute, content: (await world.files.read(absolute)) ?? null, own: true }
    }),
  )
  await noteSeen(world, agent, files)
  for (const { path, content } of files) await noteWrote(world, agent, path, content?.hash ?? '')
}

function setUpFiles(world: GuardWorld, { window, setUp }: Seen): ViolatedFile[] {
  return setUp.map(({ path, before }) => {
    const copy = window.setUp?.copies[path]
    const shown = targetAt(world, window.project, path)
    return {
      path: shown.shown,
      absolute: path,
      before,
      ...(copy && { copy }),
      first: true as const,
      isSetUp: true as const,
    }
  })
}

function violatedFile(world: GuardWorld, { window }: Seen, change: TreeChange): ViolatedFile {
  const { path, before } = change
  const copy = window.copies[path]
  const module = Object.keys(window.tree.nested ?? {}).find((one) => path.startsWith(`${one}/`))
  const head = module ? window.tree.nested?.[module]?.head : window.tree.head
  return {
    path,
    ...(module && { module }),
    absolute: targetAt(world, window.project, path).absolute,
    ...(isRuleFile(world, window.project, targetAt(world, window.project, path)) && { first: true as const }),
    ...(before !== undefined && { before }),
    ...(copy && { copy }),
    ...(head && { head }),
  }
}

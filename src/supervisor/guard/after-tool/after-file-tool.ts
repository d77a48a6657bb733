import { gistOf, plainText } from '#core/intent/staleness.ts'
import type { FileContent, GuardedProject } from '#core/ports/guard.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { callOf } from '../../action/tool-call.ts'
import { isInScope } from '../before-tool/scope-check.ts'
import { type Agent, activeIntent } from '../intents/active-intent.ts'
import { releasePaths } from '../stale-files/lock-and-compare.ts'
import { noteSeen, noteWrote } from '../stale-files/seen-files.ts'
import { type RawChange, traceChange } from '../trace/trace-change.ts'
import type { GuardWorld } from '../world.ts'
import { targetAt } from './tool-windows.ts'

export type Done = HookEventOf<'PostToolUse'>
export type Failed = HookEventOf<'PostToolUseFailure'>

/** Traces what a tool that names its file has done to it, if it has. */
export async function afterFileTool(
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

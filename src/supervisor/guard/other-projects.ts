import { isHarmless, toolNamed } from '#core/action/tools.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { callOf, type RunEvent } from '../action/tool-call.ts'
import type { GuardWorld } from './world.ts'

/** A write into a guarded project is judged by that project's rules, wherever the session was started. */

/** A command that goes through very many folders is judged where it starts. */
const MOST_PLACES = 100

/** The guarded projects besides `home` that a call writes into, or works in. */
export async function projectsElsewhere(
  world: GuardWorld,
  event: RunEvent,
  home: GuardedProject | undefined,
): Promise<GuardedProject[]> {
  const { tool_name: tool, cwd = home?.root } = event
  const { changes } = toolNamed(tool)
  if (cwd === undefined || isHarmless(tool) || (changes !== 'its file' && changes !== 'by command')) return []
  const effect = await world.tools.effect(callOf(event), { cwd, ...(home && { root: home.root }) })
  const places = new Set<string>()
  if (effect.kind === 'files') for (const path of effect.paths) places.add(folderOf(world, cwd, path))
  if (effect.kind === 'shell') {
    for (const { path } of effect.script.writes) places.add(folderOf(world, cwd, path))
    for (const { cwd: folder } of effect.script.commands) if (folder) places.add(folder)
  }
  const found = new Map<string, GuardedProject>()
  for (const place of [...places].slice(0, MOST_PLACES)) {
    const project = world.projects.at(place)
    if (project && project.root !== home?.root) found.set(project.root, project)
  }
  return [...found.values()]
}

/** Links are followed first: where a path really leads is where it is written. */
function folderOf({ paths }: GuardWorld, cwd: string, path: string): string {
  const absolute = paths.real(cwd, path, { entry: true })
  return absolute.slice(0, absolute.lastIndexOf('/')) || '/'
}

/** The same call in another project has windows and waits of its own. */
export function callIn<E extends RunEvent>(world: GuardWorld, event: E, { root }: GuardedProject): E {
  const { tool_use_id: id } = event
  if (id === undefined) return event
  return { ...event, tool_use_id: `${id}.at.${world.files.digest(root).slice('sha256:'.length, 'sha256:'.length + 8)}` }
}

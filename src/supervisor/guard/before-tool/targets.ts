import { programsRun } from '#core/action/programs-run.ts'
import type { ToolEffect } from '#core/action/reading.ts'
import type { GuardedProject, ResolvedPath } from '#core/ports/guard.ts'
import type { ContentSource, PathWrite } from '#core/shell/call.ts'
import type { GuardWorld } from '../world.ts'

/** One thing a call is about to write. */
export interface Target {
  /** As the agent should read it: from the project's root, or in full. */
  shown: string
  absolute: string
  relative?: string
  outside: boolean
  extent: 'file' | 'folder' | 'tree'
  /** What is there now is lost, as with `>`; an edit in place keeps the rest. */
  replaces: boolean
}

/** What a call writes, as far as it can be known beforehand. */
export interface Expectation {
  targets: Target[]
  /** The call may write more than the targets, or files that cannot be known beforehand. */
  undecided: boolean
  /** The call writes nothing. */
  readOnly: boolean
}

type Needs = Pick<GuardWorld, 'paths' | 'tree' | 'contents'>

/** Targets of a tool that names its files. */
export function fileTargets(
  { paths }: Needs,
  project: GuardedProject,
  cwd: string,
  named: readonly string[],
): Target[] {
  return named.map((path) => targetOf(paths.resolve(project.root, cwd, path), 'file', true))
}

type ShellEffect = Extract<ToolEffect, { kind: 'shell' }>

/** Targets of a shell command. */
export async function shellTargets(
  world: Needs,
  project: GuardedProject,
  cwd: string,
  { script }: ShellEffect,
): Promise<Expectation> {
  const { writes, undecided, readOnly } = script
  const putsBack = programsRun(script).some((program) => PUTS_BACK.test(program))
  // What the command writes through a link that it makes itself lands elsewhere.
  let isUndecided = undecided.length > 0 || writes.some(({ link }) => link)
  const targets: Target[] = []
  for (const write of writes) {
    // A by-product, as a cache or a lock file: the tool decides whether it is written, so only the comparison afterwards tells.
    if (write.byproduct) isUndecided = true
    if (write.byproduct) continue
    const found = await targetsOf(world, project, cwd, write, putsBack)
    targets.push(...found.targets)
    isUndecided ||= found.undecided
  }
  for (const source of script.sources) {
    const named = (await world.contents(source)) ?? []
    const resolve = namesResolver(world, project, cwd, source)
    targets.push(...named.map((path) => targetOf(resolve(path), 'file', false)))
  }
  return { targets, undecided: isUndecided, readOnly }
}

/**
 * Git puts what it takes from a commit where a link stands, and not behind it. That counts where it is told of places that
 * the link leads out of: `git restore -s HEAD~1 -- src/auth`.
 */
function namesResolver(
  { paths }: Needs,
  { root }: GuardedProject,
  cwd: string,
  { kind, from, cwd: start }: ContentSource,
) {
  const places = kind === 'diff' && from.includes('--') ? from.slice(from.indexOf('--') + 1) : []
  const told = places.map((place) => paths.resolve(root, start, place).absolute)
  return (path: string) => {
    const behind = paths.resolve(root, cwd, path)
    const isTold = told.some((place) => behind.absolute === place || behind.absolute.startsWith(`${place}/`))
    return told.length === 0 || isTold ? behind : paths.resolve(root, cwd, path, { entry: true })
  }
}

type Found = Pick<Expectation, 'targets' | 'undecided'>

async function targetsOf(
  world: Needs,
  project: GuardedProject,
  cwd: string,
  write: PathWrite,
  putsBack: boolean,
): Promise<Found> {
  const { paths } = world
  const isTaken = write.kind === 'delete' || write.kind === 'move'
  const entry = isTaken || write.link === true
  const resolve = (path: string) => paths.resolve(project.root, cwd, path, { entry })
  const replaces = write.kind === 'create'
  if (write.glob) {
    // The shell fills in what is there; nothing there to fill in means that only the running command knows.
    const matches = paths.matching(write.path)
    const folder = /^(.*)\/[^/]*$/s.exec(/^[^*?[{]*/.exec(write.path)![0])?.[1]
    // New files whose names are not known lie somewhere below what is known of their path.
    if (matches?.length === 0 && write.kind === 'create' && folder && !write.maybe) {
      const place = resolve(folder)
      return { targets: [targetOf(place, place.outside ? 'folder' : 'tree', false)], undecided: true }
    }
    if (!matches || (matches.length === 0 && !isTaken)) return { targets: [], undecided: true }
    if (write.maybe && !isTaken) return { targets: [], undecided: true }
    // What changes files passes over a link to a folder: `grep -rl x src | xargs sed -i`.
    const isLink = (path: string) =>
      paths.isFolder(path) &&
      paths.resolve(project.root, cwd, path, { entry: true }).absolute !== resolve(path).absolute
    const meant = write.kind === 'modify' && !write.tree ? matches.filter((path) => !isLink(path)) : matches
    const files = meant.flatMap((path) => (write.tree && paths.isFolder(path) ? (paths.below(path) ?? path) : path))
    return { targets: files.map((path) => targetOf(resolve(path), 'file', replaces)), undecided: false }
  }
  const place = resolve(write.path)
  if (write.maybe && write.tree && paths.isFolder(place.absolute)) {
    return somewhereBelow(world, project, place, putsBack || isTaken)
  }
  if (write.tree && isTaken && paths.isFolder(place.absolute)) {
    // What lies there now is all that can be lost.
    const files = paths.below(place.absolute)
    if (files) return { targets: files.map((path) => targetOf(resolve(path), 'file', false)), undecided: false }
  }
  const extent = write.tree && !isPlainFile(write, place, paths) ? 'tree' : write.folder ? 'folder' : 'file'
  return { targets: [targetOf(place, extent, replaces)], undecided: false }
}

/** `mv a.ts b.ts` may move folders too, but this one moves a file. */
function isPlainFile({ kind, path }: PathWrite, { absolute }: ResolvedPath, paths: Needs['paths']): boolean {
  return !paths.isFolder(absolute) && (kind !== 'create' || /\.\w+$/.test(path))
}

const PUTS_BACK = /^git (?:stash|reset|clean|checkout|restore|switch)\b/

/**
 * Some of what lies below a folder. For git's commands that throw away work in progress we know which: the files that
 * differ from the commit now, other agents' included. For the rest, the folder alone must have to do with the scope.
 */
async function somewhereBelow(
  world: Needs,
  project: GuardedProject,
  place: ResolvedPath,
  isLost: boolean,
): Promise<Found> {
  const folder = targetOf(place, 'folder', false)
  if (!isLost) return { targets: [folder], undecided: true }
  const state = await world.tree.look(project.root)
  if (state?.kind !== 'git') return { targets: [folder], undecided: true }
  const prefix = folder.relative === undefined || folder.relative === '' ? '' : `${folder.relative}/`
  const lost = Object.keys(state.files).filter((path) => path.startsWith(prefix) || path === folder.relative)
  const resolve = (path: string) => world.paths.resolve(project.root, project.root, path, { entry: true })
  return { targets: lost.map((path) => targetOf(resolve(path), 'file', false)), undecided: true }
}

function targetOf(place: ResolvedPath, extent: Target['extent'], replaces: boolean): Target {
  const { absolute, relative, outside } = place
  const shown = outside || relative === undefined ? absolute : relative || '.'
  return { shown, absolute, ...(relative !== undefined && { relative }), outside, extent, replaces }
}

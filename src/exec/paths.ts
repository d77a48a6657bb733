import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { plainText } from '#config/plain-file.ts'

/** Where a path really leads. */
export interface ProjectPath {
  /** Links followed and dots folded, as the operating system would. */
  absolute: string
  /** From the project's root with forward slashes, in composed Unicode; absent outside. */
  relative?: string
  outside: boolean
  /** Set when the path lies in a checkout of its own below the root. A linked worktree counts from its own root. */
  within?: 'submodule' | 'worktree' | 'repository'
}

export interface ResolveOptions {
  home?: string
  /** Deleting or moving a link acts on the link, not on what it points to. */
  entry?: boolean
}

/** As many links as Linux follows before it gives up. */
const MOST_LINKS = 40

/** Resolves a path as the operating system would and says where it lies in the project. */
export function resolveInProject(root: string, cwd: string, path: string, options: ResolveOptions = {}): ProjectPath {
  const { absolute, found } = resolvePath(cwd, path, options)
  if (!found) return { absolute, outside: true }
  const top = trueCase(resolve(root))
  if (!isBelow(top, absolute)) return { absolute, outside: true }
  return {
    absolute,
    outside: false,
    ...placeIn(top, found.isFile ? dirname(found.existing) : found.existing, absolute),
  }
}

/** Resolves a path as the operating system would; `found` is missing where it leads nowhere. */
export function resolvePath(
  cwd: string,
  path: string,
  { home = homedir(), entry = false }: ResolveOptions = {},
): { absolute: string; found?: Followed } {
  const spelled = path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path
  // No file can have such a name; what a program would make of it is unknown.
  if (path.includes('\0') || path === '') return { absolute: resolve(cwd, spelled.replaceAll('\0', '')) }
  const found = follow(isAbsolute(spelled) ? spelled : `${resolve(cwd)}${sep}${spelled}`, entry)
  return found ? { absolute: join(found.existing, ...found.rest), found } : { absolute: resolve(cwd, spelled) }
}

interface Followed {
  /** The part that is on the disk, spelled as the disk spells it. */
  existing: string
  /** What is still to be made. */
  rest: string[]
  /** Whether it is a plain file, below which there is nothing. */
  isFile: boolean
}

/** Walks the path part by part, because `..` after a link leads to the link's target's parent. Undefined for a loop. */
function follow(path: string, keepLast: boolean): Followed | undefined {
  const todo = parts(path)
  const rest: string[] = []
  let at = rootOf(path)
  let links = 0
  let isFile = false
  while (todo.length > 0) {
    const part = todo.shift()!
    if (part === '..') {
      if (rest.length > 0) rest.pop()
      else [at, isFile] = [dirname(at), false]
      continue
    }
    const next = join(at, part)
    const found = rest.length > 0 ? 'nothing' : look(next)
    if (found === 'nothing') rest.push(part)
    else if (typeof found === 'string' || (keepLast && todo.length === 0)) [at, isFile] = [next, found === 'file']
    else {
      if (++links > MOST_LINKS) return undefined
      todo.unshift(...parts(found.target))
      if (isAbsolute(found.target)) at = rootOf(found.target)
    }
  }
  return { existing: keepLast ? join(trueCase(dirname(at)), basename(at)) : trueCase(at), rest, isFile }
}

function parts(path: string): string[] {
  return path
    .split(sep === '/' ? '/' : /[\\/]/)
    .filter((part) => part !== '' && part !== '.' && !/^[A-Za-z]:$/.test(part))
}

function rootOf(path: string): string {
  return sep !== '/' && /^[A-Za-z]:/.test(path) ? `${path.slice(0, 2)}${sep}` : sep
}

/** What is at a path; for a symbolic link, where it leads. */
type Found = 'nothing' | 'file' | 'entry' | { target: string }

/** Mostly asked about a `.git` that is not there: finding that out by an exception takes far longer. */
function look(path: string): Found {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return { target: readlinkSync(path) }
    return stat === undefined ? 'nothing' : stat.isFile() ? 'file' : 'entry'
  } catch {
    // Forbidden or too long: the rest of the path is taken as it is spelled.
    return 'nothing'
  }
}

/** On disks that ignore case `SRC` is found where `src` lies. */
function trueCase(existing: string): string {
  try {
    return realpathSync.native(existing)
  } catch {
    // Removed a moment ago, or not readable: keep the spelling.
    return existing
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function placeIn(root: string, deepest: string, path: string): Pick<ProjectPath, 'relative' | 'within'> {
  for (let folder = deepest; folder !== root && isBelow(root, folder); folder = dirname(folder)) {
    const within = checkoutAt(folder)
    if (within) return { relative: posix(relative(within === 'worktree' ? folder : root, path)), within }
  }
  return { relative: posix(relative(root, path)) }
}

function posix(path: string): string {
  return path.split(sep).join('/').normalize('NFC')
}

/** A submodule and a linked worktree have a `.git` file that names its place; a repository of its own has a folder. */
function checkoutAt(folder: string): ProjectPath['within'] {
  const git = join(folder, '.git')
  const found = look(git)
  if (found === 'nothing') return undefined
  if (found !== 'file') return 'repository'
  const gitDir = /^gitdir:\s*(.+)/.exec(plainText(git, { most: 4096 }) ?? '')?.[1] ?? ''
  if (/[\\/]modules[\\/]/.test(gitDir)) return 'submodule'
  return /[\\/]worktrees[\\/]/.test(gitDir) ? 'worktree' : 'repository'
}

/** Whether the disk under a folder takes `A` and `a` for the same name; looked up with a file that is there, nothing is written. */
export function ignoresCase(folder: string): boolean {
  const name = readdirSync(folder).find((entry) => swapped(entry) !== entry)
  const probe = name ? join(folder, name) : folder
  const other = name
    ? join(folder, swapped(name))
    : join(dirname(folder), swapped(folder.slice(dirname(folder).length + 1)))
  const one = lstatSync(probe, { throwIfNoEntry: false })
  const two = lstatSync(other, { throwIfNoEntry: false })
  return probe !== other && one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev
}

function swapped(name: string): string {
  const upper = name.toUpperCase()
  return upper === name ? name.toLowerCase() : upper
}

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import { behind, statOf } from '../file-hash.ts'

/** Where a checkout keeps its git files: its own, and those it shares with other worktrees. */
export interface GitPlace {
  /** The checkout's top folder. */
  top: string
  dir: string
  common: string
}

/** Finds the checkout a folder lies in by looking, without starting git. */
export function gitPlace(folder: string): GitPlace | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const git = join(top, '.git')
    const stat = behind(git)
    if (stat?.isDirectory()) return { top, dir: git, common: commonOf(git) }
    if (stat?.isFile()) {
      const dir = line(git)?.replace(/^gitdir:\s*/, '')
      if (!dir) return undefined
      const own = isAbsolute(dir) ? dir : join(top, dir)
      return { top, dir: own, common: commonOf(own) }
    }
    if (dirname(top) === top) return undefined
  }
}

/** What worktrees share lies where this file says, and git believes it in any repository. */
export function commonOf(dir: string): string {
  const file = join(dir, 'commondir')
  // Mostly there is none, and finding that out by an exception takes far longer.
  const common = existsSync(file) ? line(file) : undefined
  return common ? resolve(dir, common) : dir
}

/**
 * Whether git is sure to find the same place: it passes over a `.git` that is no repository, and takes a path with the line
 * ends and bytes in it that we do not read.
 */
export function isWhereGitLooks({ top, dir, common }: GitPlace): boolean {
  const marker = top === dir ? undefined : behind(join(top, '.git'))
  const named = [
    ...(marker?.isFile() ? [{ file: join(top, '.git'), as: /^gitdir: (?=\S)/ }] : []),
    ...(statOf(join(dir, 'commondir')) ? [{ file: join(dir, 'commondir'), as: /^(?=\S)/ }] : []),
  ]
  const head = join(dir, 'HEAD')
  return (
    named.every(({ file, as }) => isOnePath(text(file, LONGEST_LINE) ?? '', as)) &&
    statOf(head)?.isFile() === true &&
    /^(?:ref: *refs\/|[0-9a-f]{40})/.test(text(head, LONGEST_LINE) ?? '') &&
    ['objects', 'refs'].every((name) => mayEnter(join(common, name)))
  )
}

function isOnePath(text: string, as: RegExp): boolean {
  const path = text.endsWith('\n') ? text.slice(0, -1) : text
  return as.test(path) && path === path.trimEnd() && !/[\n\r\0\uFFFD]/.test(path)
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    // Absent or closed: git takes neither for a repository.
    return false
  }
}

/** The commit a checkout stands on; undefined before the first one, or when refs are kept in a way we do not read. */
export function headRevision(folder: string, place = gitPlace(folder)): string | undefined {
  const head = place && line(join(place.dir, 'HEAD'))
  if (!place || !head) return undefined
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  if (!ref) return commit(head)
  return commit(line(join(place.dir, ref)) ?? line(join(place.common, ref)) ?? packed(place.common, ref))
}

/** The branch that is checked out, born or not; undefined on a bare commit. */
export function headBranch(folder: string): string | undefined {
  const place = gitPlace(folder)
  return place && /^ref: refs\/heads\/(.+)$/.exec(line(join(place.dir, 'HEAD')) ?? '')?.[1]
}

function packed(common: string, ref: string): string | undefined {
  // Not line by line: there may be a million.
  const list = text(join(common, 'packed-refs'), LONGEST_LIST)
  const end = list === undefined ? -1 : `${list}\n`.indexOf(` ${ref}\n`)
  return end < 0 ? undefined : list?.slice(list.lastIndexOf('\n', end) + 1, end)
}

function commit(name: string | undefined): string | undefined {
  return name && /^[0-9a-f]{40,64}$/.test(name) ? name : undefined
}

function line(file: string): string | undefined {
  return text(file, LONGEST_LINE)?.split('\n')[0]?.trim()
}

/** Undefined for no such ref, and for one that may not be read: the same for the caller. */
function text(file: string, most: number): string | undefined {
  return plainText(file, { most })
}

/** Limit for a file that holds one path or name, and is read with every look. */
const LONGEST_LINE = 16 * 1024
/** Limit for a list of refs: room for a million. */
const LONGEST_LIST = 128 * 1024 * 1024

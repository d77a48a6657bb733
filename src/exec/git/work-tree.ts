import { copyFileSync, constants as fs, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import { isSecretFile } from '#core/intent/secret-file.ts'
import type { TreeChange, TreeState } from '#core/ports/guard.ts'
import type { CommittedFile } from '#core/ports/trace.ts'
import { hashOf, readContent, statOf } from '../file-hash.ts'
import { listed } from '../find-files.ts'
import { committedTexts } from './commit-lookups.ts'
import { gitPlace } from './head.ts'
import { differingUnwatched, gitsOwn, reflogLength, reflogSince } from './hidden-changes.ts'
import { look } from './look-only.ts'

const LIMIT = { files: 3000, entries: 30_000, copies: 400, bytes: 24 * 1024 * 1024, largest: 1024 * 1024 }
const PATIENCE_MS = 8000
/** Generated folders; outside git no ignore file names them. */
const NOT_OURS = new Set(['.git', 'node_modules', '.hg', '.svn', '.venv', '__pycache__', '.orchestration', '.grove'])

/** Looks at all of a tree. Undefined when that takes too long. */
export async function lookAtTree(root: string): Promise<TreeState | undefined> {
  return gitPlace(root) ? lookAtGit(root) : lookAtFolder(root)
}

/**
 * git's own list of what differs from the commit, with what lies there now, and what that list leaves out: files that
 * git was told not to look at, secrets that it ignores, repositories inside, and settings that make it run programs.
 * Everything else that is ignored is build output, not work.
 */
async function lookAtGit(root: string): Promise<TreeState | undefined> {
  // Submodules are looked at one by one: git would start another git in each, with that one's own settings.
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignored=matching']
  const [{ code, stdout }, unwatched] = await Promise.all([
    look(root, [...args, '--no-renames', '--ignore-submodules=dirty'], { timeoutMs: PATIENCE_MS }),
    differingUnwatched(root),
  ])
  if (code !== 0) return undefined
  const place = gitPlace(root)!
  const entries = stdout.split('\0').filter(Boolean)
  const about = (what: string) =>
    entries.find((entry) => entry.startsWith(`# branch.${what} `))?.slice(`# branch.${what} `.length)
  const head = /^[0-9a-f]{40,}$/.exec(about('oid') ?? '')?.[0]
  const branch = about('head')
  const fromRoot = (path: string) => posix(relative(root, join(place.top, path)))
  const listed = entries.filter((entry) => !isSubmodule(entry)).flatMap((entry) => pathIn(entry) ?? [])
  const paths = [...new Set([...listed.filter((path) => !path.endsWith('/')), ...unwatched])]
  const looked = paths.slice(0, LIMIT.files)
  const repositories = listed.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))
  const modules = await nestedIn(root, [...submodulesOf(place.top), ...repositories].map(fromRoot))
  return {
    kind: 'git',
    ...(head && { head }),
    ...(branch && branch !== '(detached)' && { branch }),
    reflog: reflogLength(place),
    files: { ...hashes(root, looked.map(fromRoot)), ...gitsOwn(root, place) },
    ...(paths.length > looked.length && { incomplete: true as const }),
    ...(modules && { nested: modules }),
  }
}

function isSubmodule(entry: string): boolean {
  return /^1 .. S/.test(entry)
}

/** Checked-out submodules, by what the repository says of them. */
function submodulesOf(top: string): string[] {
  const paths = [...(textAt(join(top, '.gitmodules')) ?? '').matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm)].map(
    ([, path]) => path!.trim(),
  )
  return paths.filter((path) => statOf(join(top, path, '.git')) !== undefined)
}

async function nestedIn(root: string, modules: string[]): Promise<Record<string, TreeState> | undefined> {
  if (modules.length === 0) return undefined
  const states = await Promise.all(modules.map(async (path) => [path, await lookAtGit(join(root, path))] as const))
  return Object.fromEntries(states.flatMap(([path, state]) => (state ? [[path, state]] : [])))
}

function textAt(file: string): string | undefined {
  return statOf(file)?.isFile() ? plainText(file) : undefined
}

/** `1 XY sub mH mI mW hH hI path`, `u … h1 h2 h3 path`, `? path`, `! path`; of what is ignored only what is worth a look. */
function pathIn(entry: string): string | undefined {
  if (entry[0] === '!') return isSecretFile(entry.slice(2)) ? entry.slice(2) : undefined
  const fields = { '1': 8, u: 10, '?': 1 }[entry[0]!]
  return fields === undefined ? undefined : entry.split(' ').slice(fields).join(' ')
}

function hashes(root: string, paths: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(paths.map((path) => [path, knownHash(join(root, path)) ?? null]))
}

const MOST_HASHES = 20_000
/** A younger file is read again: it may change twice within one tick of the disk's clock. */
const TICK_MS = 50
const knownHashes = new Map<string, { stamp: string; hash: string | undefined }>()

/** Cached by ctime, which cannot be set back: files that stay changed for long are read once. */
export function knownHash(path: string): string | undefined {
  const stat = statOf(path)
  if (!stat) return undefined
  const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
  const known = knownHashes.get(path)
  if (known?.stamp === stamp) return known.hash
  const isSettled = Date.now() - stat.ctimeMs > TICK_MS
  const hash = hashOf(path)
  if (knownHashes.size >= MOST_HASHES) knownHashes.clear()
  if (isSettled) knownHashes.set(path, { stamp, hash })
  return hash
}

/** Outside git: size and time stand for the content. */
function lookAtFolder(root: string): TreeState {
  const files: Record<string, string | null> = {}
  let seen = 0
  const walk = (folder: string) => {
    for (const entry of listed(folder)) {
      if (++seen > LIMIT.entries) return
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!NOT_OURS.has(entry.name)) walk(path)
        continue
      }
      const stat = statOf(path)
      if (stat) files[posix(relative(root, path))] = `${stat.size}-${stat.mtimeMs}-${stat.ino}`
    }
  }
  walk(root)
  return { kind: 'folder', files, ...(seen > LIMIT.entries && { incomplete: true as const }) }
}

/** What differs between two looks at the same tree. */
export async function treeChanges(root: string, before: TreeState, after: TreeState): Promise<TreeChange[]> {
  const hasMoved = before.head !== undefined && after.head !== undefined && before.head !== after.head
  const committed = hasMoved ? await committedBetween(root, before, after) : { paths: [], own: new Set<string>() }
  const paths = new Set([...Object.keys(before.files), ...Object.keys(after.files), ...committed.paths])
  const unlisted = [...paths].filter((path) => !(path in before.files))
  const known = before.kind === 'git' ? await inCommit(root, before.head, unlisted) : new Set<string>()
  const isMoved = new Set(committed.paths.filter((path) => !committed.own.has(path)))
  const changes = [...paths].flatMap((path): TreeChange[] => {
    // What git did not list was as in the commit, or not there at all.
    const was = path in before.files ? before.files[path] : known.has(path) ? undefined : null
    // A file that no longer differs from the commit may have been committed, or put back; the disk tells which.
    const is = path in after.files ? after.files[path]! : (hashOf(join(root, path)) ?? null)
    if (was === is) return []
    // Outside git sizes and times were compared; the caller wants the file's content.
    const content = before.kind === 'folder' && is !== null ? (hashOf(join(root, path)) ?? null) : is
    const cameAlong = isMoved.has(path) && !(path in before.files) && !(path in after.files)
    return [{ path, before: was, after: content, ...(cameAlong && { moved: true as const }) }]
  })
  return [...changes, ...(await nestedChanges(root, before, after))]
}

async function nestedChanges(root: string, before: TreeState, after: TreeState): Promise<TreeChange[]> {
  const appeared = Object.keys(after.nested ?? {}).filter((path) => !before.nested?.[path])
  const gone = Object.keys(before.nested ?? {}).filter((path) => !after.nested?.[path])
  const both = Object.entries(before.nested ?? {}).flatMap(([path, was]) => {
    const is = after.nested?.[path]
    return is ? [{ path, was, is }] : []
  })
  const found = await Promise.all(
    both.map(async ({ path, was, is }) => {
      const changes = await treeChanges(join(root, path), was, is)
      return changes.map((change) => ({ ...change, path: `${path}/${change.path}` }))
    }),
  )
  return [
    ...found.flat(),
    ...appeared.map((path) => ({ path, before: null, after: 'a repository' })),
    ...gone.map((path) => ({ path, before: 'a repository', after: null })),
  ]
}

/**
 * Files that differ between the two commits: what was changed and committed in one go differs from no commit any more.
 * The reflog says which of it the command has committed itself; dates say nothing, because a commit may claim any. The
 * rest came along with a checkout, a merge or a pull. Where the reflog does not lead here, all of it counts as done.
 */
async function committedBetween(root: string, before: TreeState, after: TreeState) {
  const names = ['--name-only', '-z', '--no-renames']
  const paths = await gitPaths(root, ['diff', ...names, before.head!, after.head!])
  const steps = reflogSince(gitPlace(root)!, before.reflog)
  if (steps?.at(-1)?.to !== after.head) return { paths, own: new Set(paths) }
  const done = steps!.filter(({ action }) => COMMITS.test(action)).slice(-MOST_STEPS)
  const own = await Promise.all(done.map(({ from, to }) => gitPaths(root, ['diff', ...names, from, to])))
  return { paths, own: new Set(own.flat()) }
}

const COMMITS =
  /^(?:commit|am|cherry-pick|revert|filter-branch)\b|^rebase (?:\([^)]*\) )?\(?(?:pick|squash|fixup|reword|edit|continue)/
const MOST_STEPS = 100

/** Those of the paths that the project ignores; a folder ends in a slash. What git follows all the same is not ignored. */
export async function ignoredPaths(root: string, paths: readonly string[]): Promise<Set<string>> {
  if (!gitPlace(root)) return new Set()
  const { stdout } = await look(root, ['check-ignore', '-z', '--stdin'], {
    input: paths.map((path) => `${path}\0`).join(''),
    timeoutMs: PATIENCE_MS,
  })
  return new Set(stdout.split('\0').filter(Boolean))
}

async function inCommit(root: string, head: string | undefined, paths: readonly string[]): Promise<Set<string>> {
  if (!head || paths.length === 0) return new Set()
  const found = await gitPaths(root, ['ls-tree', '-r', '--name-only', '--full-name', '-z', head, '--', ...paths])
  return new Set(found)
}

async function gitPaths(root: string, args: string[]): Promise<string[]> {
  const { code, stdout } = await look(root, args, { timeoutMs: PATIENCE_MS })
  const top = gitPlace(root)?.top ?? root
  const paths = code === 0 ? stdout.split('\0').map((path) => path.trim()) : []
  return [...new Set(paths.filter(Boolean))].map((path) => posix(relative(root, join(top, path))))
}

/** Every file a look has listed, submodules' included. */
export function listedFiles({ files, nested = {} }: TreeState): string[] {
  const below = Object.entries(nested).flatMap(([path, state]) => listedFiles(state).map((file) => `${path}/${file}`))
  return [...Object.keys(files), ...below]
}

/** Copies of files as they are before a command runs: what it takes to say which lines it changed, and to put them back. */
export function keepCopies(root: string, paths: readonly string[], folder: string): Record<string, string> {
  const kept: Record<string, string> = {}
  let bytes = 0
  for (const path of paths.slice(0, LIMIT.copies)) {
    const from = join(root, path)
    const stat = statOf(from)
    if (!stat?.isFile() || stat.size > LIMIT.largest || bytes + stat.size > LIMIT.bytes) continue
    bytes += stat.size
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const copy = join(folder, String(Object.keys(kept).length))
    copyFileSync(from, copy, fs.COPYFILE_FICLONE)
    kept[path] = copy
  }
  return kept
}

/** Forgets copies that are no longer needed, later ones of the same call included (`<folder>-…`). */
export async function dropCopies(folder: string): Promise<void> {
  const later = listed(dirname(folder)).filter(({ name }) => name.startsWith(`${basename(folder)}-`))
  const folders = [folder, ...later.map(({ name }) => join(dirname(folder), name))]
  for (const one of folders) await rm(one, { recursive: true, force: true })
}

/** The texts that changed files had before: from their copies, or from the commit. Those that had none are left out. */
export async function textsBefore(
  root: string,
  changes: readonly TreeChange[],
  copies: Record<string, string>,
  { head, nested = {} }: Pick<TreeState, 'head' | 'nested'>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const committed: CommittedFile[] = []
  for (const { path, before } of changes) {
    const copy = copies[path]
    const text = copy ? (await readContent(copy))?.text : undefined
    if (text !== undefined) texts.set(path, text)
    const isInModule = Object.keys(nested).some((module) => path.startsWith(`${module}/`))
    if (copy || isInModule || before !== undefined || !head || path.includes('\n')) continue
    committed.push({ path, oid: `${head}:./${path}` })
  }
  for await (const { path, text } of committedTexts(root, committed)) if (text !== undefined) texts.set(path, text)
  for (const [module, state] of Object.entries(nested)) {
    const inside = changes
      .filter(({ path }) => path.startsWith(`${module}/`) && !texts.has(path))
      .map((change) => ({ ...change, path: change.path.slice(module.length + 1) }))
    const found = await textsBefore(join(root, module), inside, {}, state)
    for (const [path, text] of found) texts.set(`${module}/${path}`, text)
  }
  return texts
}

function posix(path: string): string {
  return path.split(sep).join('/')
}

import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readPiece, readPlain } from '#config/plain-file.ts'
import { behind, hashOf, sha256, statOf } from '../file-hash.ts'
import { type GitPlace, gitPlace, headBranch, headRevision } from './head.ts'
import { look } from './look-only.ts'

/** Changes that `git status` does not report, because git was told not to look or has no reason to. */

const PATIENCE_MS = 8000
const MOST_UNWATCHED = 1000
const MOST_KNOWN = 50

interface Unwatched {
  path: string
  oid: string
}

/** Cached by index file until that changes: in a large tree listing it takes as long as all the rest. */
const known = new Map<string, { stamp: string; files: Promise<Unwatched[]> }>()

/** Files marked as unchanged or as not to be checked out (`update-index`) that are not what the index says; from the top folder. */
export async function differingUnwatched(root: string): Promise<string[]> {
  const place = gitPlace(root)!
  const files = (await unwatchedFiles(place)).slice(0, MOST_UNWATCHED)
  if (files.length === 0) return []
  const there = files.filter(({ path }) => statOf(join(place.top, path))?.isFile() && !path.includes('\n'))
  const { code, stdout } = await look(place.top, ['hash-object', '--stdin-paths'], {
    input: there.map(({ path }) => `${path}\n`).join(''),
    timeoutMs: PATIENCE_MS,
  })
  const oids = code === 0 ? stdout.split('\n') : []
  const isSame = new Set(there.filter(({ oid }, at) => oids[at] === oid).map(({ path }) => path))
  return files.map(({ path }) => path).filter((path) => !isSame.has(path))
}

function unwatchedFiles({ dir, top }: GitPlace): Promise<Unwatched[]> {
  const index = behind(join(dir, 'index'))
  if (!index) return Promise.resolve([])
  const stamp = `${index.mtimeNs}:${index.size}:${index.ino}`
  const before = known.get(dir)
  if (before?.stamp === stamp) return before.files
  if (known.size >= MOST_KNOWN) known.clear()
  const files = listUnwatched(top)
  known.set(dir, { stamp, files })
  return files
}

/** `h 100644 <oid> 0\tpath`: a small letter is assume-unchanged, `S` skip-worktree. */
async function listUnwatched(top: string): Promise<Unwatched[]> {
  const { code, stdout } = await look(top, ['ls-files', '-v', '-s', '-z'], { timeoutMs: PATIENCE_MS })
  if (code !== 0 || !/(?:^|\0)[a-zS] /.test(stdout)) return []
  return stdout.split('\0').flatMap((line) => {
    const [, oid, path] = /^[a-zS] \d+ ([0-9a-f]+) \d\t([\s\S]+)$/.exec(line) ?? []
    return oid && path ? [{ path, oid }] : []
  })
}

/** Sections that everyday work with branches changes, and that run no program. */
const QUIET_SECTIONS = /^\[(?:branch|submodule|gc|maintenance|push|pull|fetch|rerere|sparse)\b/

/** Hooks, and the settings with which git runs programs or stops looking; by path from the root. */
export function gitsOwn(root: string, { dir, common }: GitPlace): Record<string, string> {
  const name = (path: string) => relative(root, path).split(sep).join('/')
  const found: Record<string, string> = {}
  const config = join(common, 'config')
  if (statOf(config)?.isFile()) found[name(config)] = sha256(tellingSettings(readPlain(config).toString('utf8')))
  const hooks = join(common, 'hooks')
  const names = statOf(hooks)?.isDirectory() ? readdirSync(hooks).filter((one) => !one.endsWith('.sample')) : []
  const files = [
    ...names.map((one) => join(hooks, one)),
    join(common, 'info', 'exclude'),
    join(common, 'info', 'attributes'),
    join(common, 'info', 'grafts'),
    join(dir, 'info', 'sparse-checkout'),
    join(dir, 'config.worktree'),
  ]
  for (const path of files) {
    const hash = hashOf(path)
    if (hash) found[name(path)] = hash
  }
  return found
}

function tellingSettings(text: string): string {
  return settingLines(text)
    .filter(({ section, line }) => !QUIET_SECTIONS.test(section) && !/^repositoryformatversion/i.test(line))
    .map(({ line }) => line)
    .join('\n')
}

/** The settings of the sections that everyday work changes. */
export function quietSettings(text: string): { name: string; value: string }[] {
  return settingLines(text).flatMap(({ section, line }) => {
    const [key, ...value] = line.split('=').map((part) => part.trim())
    if (value.length === 0 || !QUIET_SECTIONS.test(section)) return []
    const [, group, name] = /^\[([\w-]+)(?:\s+"(.*)")?\]/.exec(section) ?? []
    return [{ name: [group, name, key].filter(Boolean).join('.'), value: value.join('=') }]
  })
}

function settingLines(text: string): { section: string; line: string }[] {
  let section = ''
  return text.split('\n').flatMap((full) => {
    const line = full.trim()
    if (line.startsWith('[')) section = line
    return line === '' ? [] : [{ section, line }]
  })
}

/** The current length of the reflog of HEAD. */
export function reflogLength({ dir }: GitPlace): number {
  return Number(behind(join(dir, 'logs', 'HEAD'))?.size ?? 0)
}

/** More bytes than are written to it between two looks. */
const MOST_REFLOG = 8 * 1024 * 1024

/** The steps of HEAD since then; undefined when the reflog was cut, or is not kept. */
export function reflogSince({ dir }: GitPlace, since: number | undefined) {
  const file = join(dir, 'logs', 'HEAD')
  const size = reflogLength({ dir } as GitPlace)
  if (since === undefined || size < since || size === 0) return undefined
  return readPiece(file, since, since + MOST_REFLOG)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to, action] = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*\t(.*)$/.exec(line) ?? []
      return from && to ? [{ from, to, action: action ?? '' }] : []
    })
}

/** Another text whenever something was checked out, staged or committed, here or in the repositories inside, or set in another way. */
export function checkoutStamp(root: string, nested: readonly string[] = []): string {
  const places = [root, ...nested.map((path) => join(root, path))].map((folder) => ({
    folder,
    place: gitPlace(folder),
  }))
  return JSON.stringify(
    places.map(({ folder, place }) => {
      if (!place) return undefined
      const index = behind(join(place.dir, 'index'))
      const stamp = index && `${index.mtimeNs}:${index.size}:${index.ino}`
      return [headRevision(folder, place), headBranch(folder), stamp, reflogLength(place), gitsOwn(folder, place)]
    }),
  )
}

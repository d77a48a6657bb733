import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import type { RepositoryChange, RepositoryState } from '#core/ports/guard.ts'
import { behind, sha256 } from '../file-hash.ts'
import { type GitPlace, gitPlace } from './head.ts'
import { quietSettings } from './hidden-changes.ts'

/**
 * What a repository keeps besides its files: branches, tags and other refs, stashes, worktrees, and the settings that a
 * day's work changes. Read from git's own files, because it is looked at twice around every command. Refs in a reftable
 * are not read.
 */

/** A group of refs that holds more is compared as one. */
const MOST_REFS = 1000

/** Undefined outside git. */
export function repositoryState(root: string): RepositoryState | undefined {
  const place = gitPlace(root)
  if (!place) return undefined
  const worktrees = worktreesOf(place)
  const checkedOut = [...new Set(worktrees.flatMap(({ ref }) => ref ?? []))].sort()
  return {
    refs: refsOf(place.common, checkedOut),
    stashes: stashesOf(place.common),
    checkedOut,
    worktrees: Object.fromEntries(worktrees.flatMap(({ name, path }) => (name ? [[name, path]] : []))),
    settings: settingsOf(place.common),
    fetched: stampOf(join(place.dir, 'FETCH_HEAD')),
  }
}

/**
 * What differs, apart from side effects of git itself: a commit moves the checked-out branch, a fetch remote branches
 * and tags.
 */
export function repositoryChanges(root: string, before: RepositoryState, after: RepositoryState): RepositoryChange[] {
  const { common } = gitPlace(root) ?? {}
  const isCheckedOut = new Set([...before.checkedOut, ...after.checkedOut])
  const hasFetched = before.fetched !== after.fetched
  const isElsewhere = before.checkedOut.join('\0') !== after.checkedOut.join('\0')
  const isByTheWay = (ref: string) =>
    (isElsewhere && ref === 'refs/heads') ||
    (isCheckedOut.has(ref) && ref in after.refs) ||
    ref.startsWith('refs/grove/') ||
    (hasFetched && /^refs\/(?:tags|remotes)(?:\/|$)/.test(ref)) ||
    (ref.startsWith('refs/remotes/') && common !== undefined && cameFromThere(common, ref))
  const refs = differences('ref', before.refs, after.refs).filter(({ name }) => !isByTheWay(name))
  const isOther = (branch: string) => `refs/heads/${branch}` in before.refs !== `refs/heads/${branch}` in after.refs
  const settings = differences('setting', before.settings, after.settings).filter(
    // A branch comes and goes with its settings.
    ({ name }) => !isOther(/^branch\.(.+)\.[^.]+$/.exec(name)?.[1] ?? ''),
  )
  const stashes = differences('stash', asRecord(before.stashes), asRecord(after.stashes))
  return [...refs, ...stashes, ...differences('worktree', before.worktrees, after.worktrees), ...settings]
}

function differences(
  kind: RepositoryChange['kind'],
  before: Record<string, string>,
  after: Record<string, string>,
): RepositoryChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ kind, name, before: before[name] ?? null, after: after[name] ?? null }))
}

function asRecord(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

/** Fetches and pushes say so in the record of a remote's branch. */
function cameFromThere(common: string, ref: string): boolean {
  const last = plainText(join(common, 'logs', ref))
    ?.trimEnd()
    .split('\n')
    .at(-1)
  return /\t(?:fetch|pull|clone|update by push|remote)\b/.test(last ?? '')
}

/** Groups that are too large stand as one entry with a digest of all but those that commits move. */
function byGroup(all: Map<string, string>, checkedOut: readonly string[]): Record<string, string> {
  const groups = new Map<string, [string, string][]>()
  for (const entry of all) {
    const group = /^refs\/[^/]+/.exec(entry[0])?.[0] ?? entry[0]
    const members = groups.get(group)
    if (members) members.push(entry)
    else groups.set(group, [entry])
  }
  const atRest = (entries: [string, string][]) => entries.filter(([ref]) => !checkedOut.includes(ref)).sort()
  const kept = [...groups].flatMap(([group, entries]): [string, string][] =>
    entries.length > MOST_REFS ? [[group, sha256(JSON.stringify(atRest(entries)))]] : entries,
  )
  return Object.fromEntries(kept)
}

const grouped = new Map<string, { key: string; refs: Record<string, string> }>()

/** What is grouped once stays so until a ref moves: tens of thousands of them are put in order in a tenth of a second. */
function refsOf(common: string, checkedOut: readonly string[]): Record<string, string> {
  const packed = join(common, 'packed-refs')
  const loose = looseRefs(join(common, 'refs'))
  const key = JSON.stringify([stampOf(packed), loose, checkedOut])
  const before = grouped.get(common)
  if (before?.key === key) return before.refs
  const all = new Map([...packedRefs(packed), ...loose])
  // Stashes are compared one by one.
  all.delete('refs/stash')
  const refs = byGroup(all, checkedOut)
  if (grouped.size >= MOST_REPOSITORIES) grouped.clear()
  grouped.set(common, { key, refs })
  return refs
}

const MOST_REPOSITORIES = 20

function looseRefs(top: string): [string, string][] {
  const refs: [string, string][] = []
  const walk = (folder: string, name: string) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      const ref = `${name}/${entry.name}`
      if (entry.isDirectory()) walk(path, ref)
      else if (!entry.name.endsWith('.lock')) refs.push([ref, known(path, (text) => text.trim()) ?? ''])
    }
  }
  walk(top, 'refs')
  return refs
}

const PACKED = /^([0-9a-f]{40,64}) (refs\/.+)$/gm

function packedRefs(file: string): [string, string][] {
  const refs = (text: string) => [...text.matchAll(PACKED)].map(([, oid, ref]): [string, string] => [ref!, oid!])
  return known(file, refs, LONGEST_LIST) ?? []
}

/** The stashes that can be taken, by commit. */
function stashesOf(common: string): string[] {
  const lines = (text: string) => [...text.matchAll(/^[0-9a-f]+ ([0-9a-f]+) /gm)].map(([, oid]) => oid!)
  return known(join(common, 'logs', 'refs', 'stash'), lines, LONGEST_LIST) ?? []
}

/** The main checkout has no name here. */
function worktreesOf({ common }: GitPlace): { name?: string; path: string; ref?: string }[] {
  const folder = join(common, 'worktrees')
  const places = entriesOf(folder).map(({ name }) => ({
    name,
    path: known(join(folder, name, 'gitdir'), (text) => text.trim()) ?? '',
    at: join(folder, name),
  }))
  return [{ path: common, at: common }, ...places].map(({ at, ...place }) => {
    const ref = known(join(at, 'HEAD'), (text) => /^ref: (.+)$/m.exec(text)?.[1])
    return { ...place, ...(ref && { ref }) }
  })
}

/** Only a digest: values may be addresses with a password. */
function settingsOf(common: string): Record<string, string> {
  const settings = (text: string) => {
    const found = quietSettings(text).map(({ name, value }): [string, string] => [name, sha256(value)])
    return Object.fromEntries(found)
  }
  return known(join(common, 'config'), settings, LARGEST_CONFIG) ?? {}
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Not there, or gone while we looked.
    return []
  }
}

function stampOf(file: string): string {
  const stat = behind(file)
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : ''
}

const MOST_KNOWN = 20_000
/** Limit for a file that holds one name or path. */
const LONGEST_LINE = 16 * 1024
/** Limit for a list of refs: room for a million. */
const LONGEST_LIST = 128 * 1024 * 1024
const LARGEST_CONFIG = 8 * 1024 * 1024
/** A younger file is not cached: it may change twice within one tick of the disk's clock. */
const TICK_MS = 50
const read = new Map<string, { stamp: string; value: unknown }>()

/** Parses a file once until it changes; each file has one parser. */
function known<T>(file: string, meaning: (text: string) => T, most = LONGEST_LINE): T | undefined {
  const stat = behind(file)
  if (!stat?.isFile()) return undefined
  const stamp = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
  const before = read.get(file)
  if (before?.stamp === stamp) return before.value as T
  const text = plainText(file, { most })
  if (text === undefined) return undefined
  const value = meaning(text)
  if (read.size >= MOST_KNOWN) read.clear()
  if (Date.now() - Number(stat.ctimeMs) > TICK_MS) read.set(file, { stamp, value })
  return value
}

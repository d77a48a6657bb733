import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readPiece } from '#config/plain-file.ts'
import type { LinesByFile } from '#core/gate/own-work.ts'
import type { Baseline } from '#core/gate/session.ts'
import { git } from './git.ts'
import { gitPlace } from './head.ts'
import { sharedByKey } from './single-flight.ts'

/** How much of the working tree was changed, by file, as git sees it. */

/** Git's name for a tree without files: what everything is compared with before the first commit. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const MAX_FILES = 2000
const MAX_NEW_FILES = 300
const AT_ONCE = 10
const MAX_BYTES = 256 * 1024
/** Files of Grove and of ticket systems do not count as work. */
const OURS = /^(\.grove|\.orchestration|\.beads|\.tissue)\//

/** How the tree stands now; undefined without git. */
export async function treeNow(root: string): Promise<Baseline | undefined> {
  const seen = await lookAt(root)
  if (!seen) return undefined
  const { head, edited, fresh } = seen
  const dirty = { ...edited, ...fresh }
  const kept = Object.fromEntries(Object.entries(dirty).slice(0, MAX_FILES))
  const log = headLog(root)
  return { ...(head && { head }), dirty: kept, ...(log && { headLog: log.size }) }
}

/**
 * Lines that were changed here since the baseline, by file; undefined without git. What was committed here counts, and what
 * came by checkout, pull, merge, rebase or reset does not: git's log of where HEAD has been tells them apart.
 */
export async function ownLines(root: string, baseline: Baseline | undefined): Promise<LinesByFile | undefined> {
  const seen = await lookAt(root)
  if (!seen) return undefined
  const { head, edited, fresh } = seen
  // During an unfinished merge or rebase, what comes from the other side cannot be told from own work.
  const now = { ...(isBetweenCommits(root) ? {} : edited), ...fresh }
  const before = baseline?.dirty ?? {}
  const own: LinesByFile = {}
  for (const [from, to] of baseline ? commitsHere(root, baseline, head) : []) {
    for (const [file, lines] of Object.entries((await changedSince(root, from, to)) ?? {})) {
      own[file] = (own[file] ?? 0) + lines
    }
  }
  for (const file of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const committed = own[file] ?? 0
    const lines = (now[file] ?? 0) - (before[file] ?? 0)
    // Changes that lay there before may have been committed with the rest.
    own[file] = committed > 0 ? Math.max(0, committed + lines) : Math.abs(lines)
  }
  return Object.fromEntries(Object.entries(own).filter(([, lines]) => lines > 0))
}

interface Look {
  /** Absent before the first commit. */
  head?: string
  /** Lines by file: of what differs from the last commit, and of what git does not know yet. */
  edited: LinesByFile
  fresh: LinesByFile
}

/** Asks git about a tree. Sessions in one tree share a look, but never one that began before they asked. */
const lookAt = sharedByKey(async (root): Promise<Look | undefined> => {
  const status = await statusOf(root)
  if (!status) return undefined
  const { head, isEdited, fresh } = status
  const edited = (isEdited && (await changedSince(root, head ?? EMPTY_TREE))) || {}
  return { ...(head && { head }), edited, fresh: await linesIn(root, fresh) }
})

/** Each stretch of commits that were made here since the baseline, from and to. */
function commitsHere(root: string, baseline: Baseline, head: string | undefined): [string, string][] {
  const log = headLog(root)
  if (!log || baseline.headLog === undefined || log.size < baseline.headLog) {
    // Without the reflog, or with another one, everything between the commits counts as work.
    return log || head === undefined || head === baseline.head ? [] : [[baseline.head ?? EMPTY_TREE, head]]
  }
  const stretches: [string, string][] = []
  for (const line of log.text(baseline.headLog).split('\n')) {
    const [, from, to, what] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t(.*)$/.exec(line) ?? []
    if (from === undefined || to === undefined || !/^(commit( \((initial|amend)\))?|revert):/.test(what!)) continue
    const last = stretches.at(-1)
    if (last?.[1] === from) last[1] = to
    else stretches.push([/^0+$/.test(from) ? EMPTY_TREE : from, to])
  }
  return stretches.slice(-MAX_STRETCHES)
}

const MAX_STRETCHES = 20
const MAX_LOG = 1024 * 1024

/** Git's own record of the commits that HEAD has pointed to; it only grows, one line each. */
function headLog(root: string): { size: number; text(from: number): string } | undefined {
  const place = gitPlace(root)
  const path = place && join(place.dir, 'logs', 'HEAD')
  const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || !stat?.isFile()) return undefined
  return { size: stat.size, text: (from) => textFrom(path, Math.max(from, stat.size - MAX_LOG), stat.size) }
}

function textFrom(path: string, from: number, to: number): string {
  return readPiece(path, from, to).toString('utf8')
}

/** Whether a merge, rebase or the like waits to be finished. */
function isBetweenCommits(root: string): boolean {
  const place = gitPlace(root)
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']
  return place !== undefined && signs.some((name) => existsSync(join(place.dir, name)))
}

interface Status {
  /** Absent before the first commit. */
  head?: string
  /** Something that git knows is not as it was committed. */
  isEdited: boolean
  /** Files git does not know yet. */
  fresh: string[]
}

/** One look that tells most of the time that there is nothing more to ask; undefined when this is no repository. */
async function statusOf(root: string): Promise<Status | undefined> {
  const listed = await git(
    root,
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--no-renames',
    '-uall',
    '--ignore-submodules=dirty',
    '--',
    '.',
  )
  if (listed === undefined) return undefined
  const entries = listed.split('\0')
  const [, head] =
    /^# branch\.oid ([0-9a-f]+)$/.exec(entries.find((entry) => entry.startsWith('# branch.oid')) ?? '') ?? []
  const below = folderIn(root)
  return {
    ...(head && { head }),
    isEdited: entries.some((entry) => /^[12u] /.test(entry)),
    fresh: entries
      .filter((entry) => entry.startsWith(`? ${below}`))
      .map((entry) => entry.slice(2 + below.length))
      .filter((path) => !OURS.test(path)),
  }
}

/** Git names files from the top of the checkout; a project may be a folder in it. */
function folderIn(root: string): string {
  const top = gitPlace(root)?.top
  const path = top === undefined ? '' : relative(top, root).replaceAll('\\', '/')
  return path === '' ? '' : `${path}/`
}

/** `12\t3\tpath\0…`; a binary file has dashes for numbers and counts as one line. */
async function changedSince(root: string, commit: string, to?: string): Promise<LinesByFile | undefined> {
  const options = [
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
    '--relative',
  ]
  const listed = await git(root, 'diff', ...options, commit, ...(to === undefined ? [] : [to]), '--')
  if (listed === undefined) return undefined
  const counted: [string, number][] = listed.split('\0').flatMap((entry) => {
    const [added = '', removed = '', path = ''] = entry.split('\t')
    if (path === '' || OURS.test(path)) return []
    return [[path, added === '-' ? 1 : Number(added) + Number(removed)]]
  })
  return Object.fromEntries(counted)
}

/** A few files are read faster synchronously; after some of them, other work gets its turn. */
async function linesIn(root: string, paths: string[]): Promise<LinesByFile> {
  const counted: LinesByFile = {}
  for (const [n, path] of paths.slice(0, MAX_NEW_FILES).entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate)
    counted[path] = countLines(join(root, path))
  }
  return counted
}

function countLines(path: string): number {
  try {
    const text = readPiece(path, 0, MAX_BYTES).toString('latin1')
    return (text.match(/(?<![^\n])(?:[^\n]*\n|[^\n]+$)/g) ?? []).length
  } catch {
    // Gone again, a dangling link, or not readable: it counts as one line.
    return 1
  }
}

/** How long a look is reused while nothing suggests a change. */
const KNOWN_FOR = 10 * 60_000
const MOST_KNOWN = 50

/** Looks at a tree, and remembers from the last look which files were changed, for as long as the checkout stays the same. */
export function watchedTrees(now: () => number) {
  const known = new Map<string, { at: number; stamp: string; files: string[] }>()
  return {
    async treeNow(root: string): Promise<Baseline | undefined> {
      const stamp = checkoutStamp(root)
      const tree = await treeNow(root)
      known.delete(root)
      if (tree && stamp !== undefined) known.set(root, { at: now(), stamp, files: Object.keys(tree.dirty) })
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
      return tree
    },
    ownLines,
    /** Undefined when there was no recent look, or when something was checked out, staged or committed since. */
    changedFiles(root: string): string[] | undefined {
      const last = known.get(root)
      const holds = last && now() - last.at < KNOWN_FOR && last.stamp === checkoutStamp(root)
      return holds ? last.files : undefined
    },
  }
}

/** Changes with every checkout, staging and commit. */
function checkoutStamp(root: string): string | undefined {
  const place = gitPlace(root)
  const times = ['HEAD', 'index'].map((name) => place && statSync(join(place.dir, name), { throwIfNoEntry: false }))
  return place && times.map((stat) => stat?.mtimeMs ?? 0).join(' ')
}

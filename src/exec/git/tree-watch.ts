import { type FSWatcher, mkdirSync, rmSync, statfsSync, watch, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { isSecretFile } from '#core/intent/secret-file.ts'
import type { TreeState } from '#core/ports/guard.ts'
import { hashOf, statOf } from '../file-hash.ts'
import { filesBelow, listed } from '../find-files.ts'
import { gitPlace } from './head.ts'
import { checkoutStamp, differingUnwatched, gitsOwn } from './hidden-changes.ts'
import { look } from './look-only.ts'
import { ignoredPaths, knownHash, lookAtTree } from './work-tree.ts'

/**
 * Watches the folders of working trees (inotify), so that the look before a command need not read a large tree again:
 * the last look still holds, except for paths touched since. Writes through a memory map or a hard link are not
 * reported, so after a command git also checks which of its files have another size, time or inode.
 */

const LIMIT = { trees: 3, folders: 40_000, touched: 300, events: 6000 }
/** A marker file: the kernel reports in order, so once it reports this file, it has reported everything before. */
const COOKIE_MS = 400
const FOLDERS_AT_ONCE = 100
/** Disks on which others can write without a report here: NFS, SMB, 9P, FUSE, virtiofs. */
const SHARED_DISKS = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x6a656a63])
/** What decides what git looks at, and where a repository begins. */
const DECIDES = new Set(['.gitignore', '.gitattributes', '.gitmodules', '.git'])
const NEVER = new Set(['.git', 'node_modules'])
/** Grove adds to it after every change. */
const LEDGER = `${sep}.orchestration${sep}agent_trace.jsonl`

export interface TreeWatches {
  /** A full look. */
  look(root: string): Promise<TreeState | undefined>
  /** The result of a full look, as far as changes were reported. */
  lookAgain(root: string): Promise<TreeState | undefined>
  /** The same, including changes that were not reported. */
  lookAfter(root: string): Promise<TreeState | undefined>
  /** Resolves when the tree is watched, or will not be. */
  watching(root: string): Promise<void>
  close(): void
}

/** `folder` is for files of its own. Where nothing can be watched every look is a full one. */
export function treeWatches(folder: string): TreeWatches {
  const trees = new Map<string, TreeWatch>()
  const cookies = new Cookies(folder)

  function treeAt(root: string): TreeWatch | undefined {
    const known = trees.get(root)
    if (!known && !canWatch(root)) return undefined
    const tree = known ?? new TreeWatch(root, cookies)
    trees.delete(root)
    trees.set(root, tree)
    for (const [oldest, one] of trees) {
      if (trees.size <= LIMIT.trees) break
      trees.delete(oldest)
      one.close()
    }
    return tree
  }

  return {
    look: (root) => treeAt(root)?.look() ?? lookAtTree(root),
    lookAgain: (root) => treeAt(root)?.lookAgain() ?? lookAtTree(root),
    lookAfter: (root) => treeAt(root)?.lookAfter() ?? lookAtTree(root),
    watching: async (root) => treeAt(root)?.started,
    close() {
      for (const tree of trees.values()) tree.close()
      trees.clear()
      cookies.close()
    },
  }
}

function canWatch(root: string): boolean {
  return process.platform === 'linux' && gitPlace(root)?.top === root && !SHARED_DISKS.has(statfsSync(root).type)
}

/** One tree: what the last full look saw, and what was touched since it began. */
class TreeWatch {
  readonly #root: string
  readonly #cookies: Cookies
  readonly #folders = new Map<string, FSWatcher>()
  #state: 'starting' | 'watching' | 'off' = 'starting'
  #touched = new Set<string>()
  #events = 0
  /** Something happened that only a full look can resolve. */
  #isLost = false
  #last: { tree: TreeState; stamp: string } | undefined
  readonly started: Promise<void>

  constructor(root: string, cookies: Cookies) {
    this.#root = root
    this.#cookies = cookies
    // A tree that cannot be watched gets a full look.
    this.started = this.#start().catch(() => this.close())
  }

  async look(): Promise<TreeState | undefined> {
    const isWatching = this.#state === 'watching'
    const stamp = checkoutStamp(this.#root)
    this.#touched = new Set()
    this.#events = 0
    this.#isLost = false
    this.#last = undefined
    const tree = await lookAtTree(this.#root)
    if (tree && isWatching && !tree.incomplete && stamp === checkoutStamp(this.#root)) {
      this.#last = { tree, stamp: stampOf(this.#root, tree) }
    }
    return tree
  }

  async lookAgain(): Promise<TreeState | undefined> {
    return (await this.#update(async () => [])) ?? this.look()
  }

  async lookAfter(): Promise<TreeState | undefined> {
    return (await this.#update((tree) => untold(this.#root, tree))) ?? this.look()
  }

  /** The last look with what was touched since, and what else is found; undefined when only a full look can tell. */
  async #update(find: (tree: TreeState) => Promise<string[] | undefined>): Promise<TreeState | undefined> {
    const last = this.#last
    if (this.#state !== 'watching' || !last) return undefined
    const [areThrough, found] = await Promise.all([this.#cookies.areThrough(), find(last.tree)])
    const isSame = this.#last === last && !this.#isLost && last.stamp === stampOf(this.#root, last.tree)
    if (!areThrough || !found || !isSame) return undefined
    const paths = [...this.#touched, ...found.map((name) => join(this.#root, name))]
    const touched = paths.length > 0 ? await this.#nowAt(paths, last.tree) : {}
    return touched && { ...last.tree, files: { ...last.tree.files, ...touched } }
  }

  close(): void {
    this.#state = 'off'
    this.#last = undefined
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  /** What lies at these paths. One that is as in the commit after all does no harm: so it will be afterwards. */
  async #nowAt(paths: string[], { nested = {} }: TreeState): Promise<Record<string, string | null> | undefined> {
    const files: string[] = []
    for (const path of paths) {
      const stat = statOf(path)
      const inside = stat?.isDirectory() ? filesBelow(path) : [path]
      const isElsewhereToo = stat?.isFile() && stat.nlink > 1
      if (!inside || isElsewhereToo || DECIDES.has(basename(path))) return undefined
      files.push(...inside)
    }
    if (files.length > LIMIT.touched) return undefined
    const names = files.map((path) => relative(this.#root, path).split(sep).join('/'))
    if (names.some((name) => Object.keys(nested).some((module) => name.startsWith(`${module}/`)))) return undefined
    const ignored = await ignoredPaths(this.#root, names)
    const bound = names.filter((name) => !ignored.has(name) || isSecretFile(name))
    return Object.fromEntries(bound.map((name) => [name, hashOf(join(this.#root, name)) ?? null]))
  }

  /** Many folders take their time; between some of them others get their turn. */
  async #start(): Promise<void> {
    const ignored = await ignoredFolders(this.#root)
    const waiting = [this.#root]
    for (let n = 0; waiting.length > 0 && this.#state === 'starting'; n++) {
      if (n % FOLDERS_AT_ONCE === FOLDERS_AT_ONCE - 1) await new Promise(setImmediate)
      waiting.push(...this.#watch(waiting.pop()!).filter((path) => !ignored.has(path)))
    }
    if (this.#state === 'starting') this.#state = 'watching'
  }

  /** Watches a folder first and lists it then, so that nothing is missed in between; resolves to the folders in it. */
  #watch(folder: string): string[] {
    if (this.#state === 'off') return []
    try {
      this.#folders.get(folder)?.close()
      const watcher = watch(folder, { persistent: false }, (kind, name) => this.#note(folder, kind, name))
      watcher.on('error', () => {
        this.#isLost = true
      })
      this.#folders.set(folder, watcher)
    } catch (error) {
      // Gone again: its parent tells. Anything else is a limit of the machine, and then nothing is watched.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.close()
      return []
    }
    if (this.#folders.size > LIMIT.folders) this.close()
    return listed(folder)
      .filter((entry) => entry.isDirectory() && !NEVER.has(entry.name))
      .map((entry) => join(folder, entry.name))
  }

  #note(folder: string, kind: string, name: string | null): void {
    if (name === null || ++this.#events > LIMIT.events || this.#touched.size > LIMIT.touched) {
      this.#isLost = true
      return
    }
    const path = join(folder, name)
    if (path.endsWith(LEDGER) || (name === '.git' && folder === this.#root)) return
    this.#touched.add(path)
    if (kind !== 'rename') return
    const before = this.#folders.get(path)
    if (before) {
      // A folder went away or was replaced; which files that took along only git can tell.
      before.close()
      this.#folders.delete(path)
      this.#isLost = true
    }
    if (NEVER.has(name) || !statOf(path)?.isDirectory()) return
    const waiting = [path]
    while (waiting.length > 0) waiting.push(...this.#watch(waiting.pop()!))
  }
}

/** Files that differ from the index or from the last look, reported or not; undefined when they are many. */
async function untold(root: string, tree: TreeState): Promise<string[] | undefined> {
  const args = ['diff-files', '--name-only', '--no-ext-diff', '--ignore-submodules=all', '-z']
  const [{ code, stdout }, unwatched] = await Promise.all([
    look(root, args, { timeoutMs: 8000 }),
    differingUnwatched(root),
  ])
  if (code !== 0) return undefined
  const own = new Set(Object.keys(gitsOwn(root, gitPlace(root)!)))
  const others = [...stdout.split('\0').filter(Boolean), ...unwatched]
  const changed = Object.entries(tree.files).filter(
    ([path, hash]) => !own.has(path) && (knownHash(join(root, path)) ?? null) !== hash,
  )
  const names = [...new Set([...others.filter((path) => !(path in tree.files)), ...changed.map(([path]) => path)])]
  return names.length > LIMIT.touched ? undefined : names
}

function stampOf(root: string, { nested = {} }: TreeState): string {
  return checkoutStamp(root, Object.keys(nested))
}

async function ignoredFolders(root: string): Promise<Set<string>> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  const { stdout } = await look(root, args, { timeoutMs: 20_000 })
  const folders = stdout.split('\0').filter((path) => path.endsWith('/'))
  return new Set(folders.map((path) => join(root, path.slice(0, -1))))
}

/** Resolves when everything that has happened so far was reported. */
class Cookies {
  readonly #folder: string
  readonly #waiting = new Map<string, () => void>()
  #watcher: FSWatcher | undefined
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async areThrough(): Promise<boolean> {
    const name = `${process.pid}-${++this.#count}`
    try {
      this.#watcher ??= this.#open()
      const told = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), COOKIE_MS)
        this.#waiting.set(name, () => {
          clearTimeout(timer)
          resolve(true)
        })
      })
      writeFileSync(join(this.#folder, name), '')
      return await told
    } catch {
      // The marker file cannot be written (no room, no right), so it is unknown whether the watcher has caught up: a full look is made.
      return false
    } finally {
      this.#waiting.delete(name)
      rmSync(join(this.#folder, name), { force: true })
    }
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #open(): FSWatcher {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const watcher = watch(this.#folder, { persistent: false }, (_kind, name) => {
      if (name !== null) this.#waiting.get(name)?.()
    })
    watcher.on('error', () => this.close())
    return watcher
  }
}

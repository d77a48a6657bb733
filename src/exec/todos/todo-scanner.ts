import { join, relative, sep } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import type { TodoBlock, TodoScanner } from '#core/ports/repository.ts'
import { filesBelow } from '../find-files.ts'
import { type SafeGit, safeGit } from '../git/safe-git.ts'
import type { Environment } from '../process/environment.ts'
import { changedBetween, diff } from '../repository/diff.ts'
import { paths } from '../repository/refs.ts'
import { commentsIn } from '../syntax/comments.ts'
import { mayHaveTodos, newBlocks, todoBlocks } from './blocks.ts'

/** Not written by hand, or written by us. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|dist|build|vendor|\.orchestration|\.grove)\//
const LARGEST = 1024 * 1024

export function todoScanner(env: Environment): TodoScanner {
  const git = safeGit(env)
  return {
    async newSince({ folder }, commit, saved) {
      const found: TodoBlock[] = []
      for (const { path, from = path, status, binary } of await changedSince(git, folder, commit, saved)) {
        if (status === 'deleted' || binary || SKIPPED.test(path)) continue
        const now = await blocksOf(path, await textAt(join(folder, path)))
        if (now.length === 0) continue
        const before = status === 'added' ? [] : await blocksOf(from, await committed(git, folder, commit, from))
        found.push(...newBlocks(before, now).map((block) => ({ path, ...block })))
      }
      return found
    },

    async all(folder, limit) {
      const blocks: TodoBlock[] = []
      for (const path of await filesIn(git, folder)) {
        if (SKIPPED.test(path)) continue
        const found = await blocksOf(path, await textAt(join(folder, path)))
        blocks.push(...found.map((block) => ({ path, ...block })))
        if (blocks.length > limit) return { blocks: blocks.slice(0, limit), truncated: true }
      }
      return { blocks, truncated: false }
    },
  }
}

async function changedSince(git: SafeGit, folder: string, commit: string, saved: string | undefined) {
  if (saved !== undefined) {
    const changed = await changedBetween(git, folder, commit, saved)
    if (changed.ok) return changed.value
  }
  const changed = await diff(git, { folder }, commit, { maxBytes: 0 })
  if (!changed.ok) throw new Error(changed.message)
  return changed.value.files
}

async function blocksOf(path: string, text: string | undefined): Promise<Omit<TodoBlock, 'path'>[]> {
  return text !== undefined && mayHaveTodos(text) ? todoBlocks(await commentsIn(path, text)) : []
}

/** Undefined for what is no text of reasonable size. A link may lead anywhere. */
async function textAt(path: string): Promise<string | undefined> {
  const text = plainText(path, { most: LARGEST, noLink: true })
  return text?.slice(0, 8192).includes('\0') ? undefined : text
}

async function committed(git: SafeGit, folder: string, commit: string, path: string): Promise<string | undefined> {
  const { code, stdout } = await git(folder, ['cat-file', 'blob', `${commit}:${path}`], { maxOutput: LARGEST })
  return code === 0 ? stdout : undefined
}

/** Files that may have a block: git finds them faster than we could read them. Outside of git, every file. */
async function filesIn(git: SafeGit, folder: string): Promise<string[]> {
  const options = ['-z', '-I', '--no-textconv', '--no-color', '--untracked', '--files-with-matches']
  const listed = await git(folder, ['grep', ...options, '--extended-regexp', '-e', 'TODO|FIXME|DEPENDENCY'])
  const foundNothing = 1
  if (listed.code === 0 || listed.code === foundNothing) return paths(listed.stdout)
  return (filesBelow(folder) ?? []).map((path) => relative(folder, path).split(sep).join('/'))
}

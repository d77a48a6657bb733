import type { FeatureRepository } from '#core/ports/repository.ts'
import { safeGit } from '../git/safe-git.ts'
import type { Environment } from '../process/environment.ts'
import { checkBranch, freeBranch, orphanedBranches } from './branches.ts'
import { checkpoint, rollback } from './checkpoint.ts'
import { diff } from './diff.ts'
import { close, find, open } from './feature-worktree.ts'
import { fingerprint } from './fingerprint.ts'
import { inspect } from './inspect.ts'
import { commit, push, stash } from './publish.ts'
import { paths } from './refs.ts'
import { mergeBase, rebase } from './update-base.ts'

interface Needs {
  env: Environment
  /** Untracked files that the work needs, as names or globs. */
  helpers: readonly string[]
}

export function featureRepository({ env, helpers }: Needs): FeatureRepository {
  const git = safeGit(env)
  return {
    inspect: (path) => inspect(git, path, helpers),
    checkBranch: (name) => checkBranch(git, name),
    freeBranch: (path, wanted, promised) => freeBranch(git, path, wanted, promised),
    open: (at) => open(git, at),
    find: (at) => find(git, at),
    close: (at, options) => close(git, at, options),
    stash: (path, message) => stash(git, path, message, helpers),
    checkpoint: (at, name, message) => checkpoint(git, at, name, message),
    diff: (at, since, options) => diff(git, at, since, options),
    fingerprint: ({ folder }) => fingerprint(git, folder),
    commit: (at, message, leaveOut) => commit(git, at, message, leaveOut),
    rebase: (at, base, own) => rebase(git, at, base, own),
    mergeBase: (at, base, own) => mergeBase(git, at, base, own),
    push: (at, options) => push(git, at, options),
    rollback: (at, to, name) => rollback(git, at, to, name),
    orphanedBranches: (path, ours) => orphanedBranches(git, path, ours),
    files: async (path, limit) => {
      const listed = await git(path, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
      return [...new Set(paths(listed.stdout))].slice(0, limit)
    },
  }
}

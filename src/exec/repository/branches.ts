import { tmpdir } from 'node:os'
import type { Outcome } from '#core/ports/repository.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { adoptedRef, baseRef } from './hidden-refs.ts'
import { done, gitTrouble, trouble } from './outcome.ts'

/** Longer names fail on some disks, where each part of a branch is a folder. */
const LONGEST = 200
const MOST_TRIED = 200

/** Git's own rules, and no leading dash, which git forbids too where a branch is made. */
export async function checkBranch(git: SafeGit, name: string): Promise<Outcome<string>> {
  const bad = (why: string) => trouble('bad_branch_name', `“${name.slice(0, 80)}” cannot be a branch name: ${why}.`)
  if (name === '') return trouble('bad_branch_name', 'A branch needs a name.')
  if (Buffer.byteLength(name) > LONGEST) return bad('it is too long')
  if (name === '@' || /^[0-9a-f]{40}$/.test(name)) return bad('git takes it for a commit')
  // Passed on as an argument, a NUL would end the name and a leading dash would be an option.
  if (name.includes('\0') || name.startsWith('-')) return bad('git does not allow it')
  const { code, stdout } = await git(tmpdir(), ['check-ref-format', '--branch', name])
  // `@{-1}` is a way to name another branch.
  return code === 0 && stdout.replace(/\n$/, '') === name ? done(name) : bad('git does not allow it')
}

/** The name, or the name with the first number that makes it free, here and at the remotes. */
export async function freeBranch(
  git: SafeGit,
  path: string,
  wanted: string,
  promised: readonly string[] = [],
): Promise<Outcome<string>> {
  const valid = await checkBranch(git, wanted)
  if (!valid.ok) return valid
  const refs = await git(path, ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes'])
  if (refs.code !== 0) return gitTrouble('Listing branches', refs)
  // Disks that ignore case take two spellings for one file.
  const names = refs.stdout
    .split('\n')
    .filter(Boolean)
    .map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ''))
  const taken = [...names, ...promised].map((name) => name.toLowerCase())
  const isFree = (name: string) => {
    const own = name.toLowerCase()
    return !taken.some((other) => other === own || other.startsWith(`${own}/`) || own.startsWith(`${other}/`))
  }
  const tried = [wanted, ...Array.from({ length: MOST_TRIED }, (_, at) => `${wanted}-${at + 2}`)]
  const free = tried.find(isFree)
  return free ? done(free) : trouble('branch_exists', `The branch ${wanted} exists already, and so do all its numbers.`)
}

/** Branches that Grove has opened, by their hidden mark, and that none of the given ones is. */
export async function orphanedBranches(
  git: SafeGit,
  path: string,
  ours: readonly string[],
): Promise<Outcome<{ name: string; lastCommitAt: string }[]>> {
  const format = '--format=%(refname)%09%(committerdate:iso-strict)'
  const refs = await git(path, ['for-each-ref', format, '--sort=-committerdate', 'refs/heads', 'refs/grove'])
  if (refs.code !== 0) return gitTrouble('Listing branches', refs)
  const lines = refs.stdout.split('\n').map((line) => line.split('\t'))
  const known = new Set(lines.map(([ref]) => ref))
  const branches = lines.flatMap(([ref = '', date = '']) => {
    const name = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
    return name && known.has(baseRef(name)) && !known.has(adoptedRef(name)) && !ours.includes(name)
      ? [{ name, lastCommitAt: new Date(date).toISOString() }]
      : []
  })
  return done(branches)
}

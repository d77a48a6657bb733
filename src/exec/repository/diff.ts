import type { FeatureDiff, FeaturePlace, Outcome } from '#core/ports/repository.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { done, gitTrouble } from './outcome.ts'
import { excluded, literal, needCommit } from './refs.ts'
import { withScratchIndex } from './scratch-index.ts'

const LIMIT = { files: 5000, bytes: 2 * 1024 * 1024 }
const PLAIN = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '-l1000',
  '--unified=3',
  '--submodule=short',
  '--ignore-submodules=dirty',
]

type ChangedFile = FeatureDiff['files'][number]

/** From a commit to the files as they lie there, new ones included. */
export async function diff(
  git: SafeGit,
  { folder }: Pick<FeaturePlace, 'folder'>,
  since: string,
  options: { paths?: string[]; without?: readonly string[]; maxBytes?: number } = {},
): Promise<Outcome<FeatureDiff>> {
  const from = await needCommit(git, folder, since)
  if (!from.ok) return from
  const maxBytes = options.maxBytes ?? LIMIT.bytes
  const without = (options.without ?? []).map(excluded)
  const only = ['--', ...(options.paths ?? (without.length > 0 ? [''] : [])).map(literal), ...without]
  return withScratchIndex(git, folder, 'names', async (scratch): Promise<Outcome<FeatureDiff>> => {
    const listed = await scratch(['diff', ...PLAIN, '--raw', '--numstat', '-z', from.value, ...only])
    if (listed.code !== 0) return gitTrouble('Comparing', listed)
    const files = changedFiles(listed.stdout)
    if (maxBytes === 0)
      return done({ files: files.slice(0, LIMIT.files), patch: '', truncated: files.length > LIMIT.files })
    const patch = await scratch(['diff', ...PLAIN, '--patch', from.value, ...only], { maxOutput: maxBytes })
    if (patch.code !== 0 && !patch.cut) return gitTrouble('Comparing', patch)
    return done({
      files: files.slice(0, LIMIT.files),
      patch: patch.cut ? wholeLines(patch.stdout) : patch.stdout,
      truncated: patch.cut || files.length > LIMIT.files,
    })
  })
}

/** The files that differ between two commits, without their lines. */
export async function changedBetween(
  git: SafeGit,
  folder: string,
  from: string,
  to: string,
): Promise<Outcome<ChangedFile[]>> {
  const listed = await git(folder, ['diff', ...PLAIN, '--raw', '--numstat', '-z', from, to, '--'])
  return listed.code === 0 ? done(changedFiles(listed.stdout).slice(0, LIMIT.files)) : gitTrouble('Comparing', listed)
}

/** A letter that was cut in two would be another letter. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

/**
 * `:100644 100644 1234 5678 R90\0old\0new\0` for every file, then `1\t2\t\0old\0new\0`; the second names are there for renames
 * only, and a binary file has dashes for numbers.
 */
export function changedFiles(listing: string): ChangedFile[] {
  const fields = listing.split('\0')
  const files = new Map<string, ChangedFile>()
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!
    if (/^\n?:\d/.test(field)) {
      const letter = field.slice(field.lastIndexOf(' ') + 1)[0]!
      const first = fields[++at] ?? ''
      const path = letter === 'R' || letter === 'C' ? (fields[++at] ?? '') : first
      const status = STATUS[letter] ?? 'modified'
      const from = status === 'renamed' ? { from: first } : {}
      files.set(path, { path, status, ...from, added: 0, removed: 0, binary: false })
      continue
    }
    const [, added, removed, name] = /^\n?(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(field) ?? []
    if (added === undefined) continue
    if (name === '') at += 2
    const path = name || fields[at]!
    const file = files.get(path)
    if (file)
      files.set(path, { ...file, added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' })
  }
  return [...files.values()]
}

const STATUS: Record<string, ChangedFile['status']> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

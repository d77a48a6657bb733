import { git } from './git.ts'

/** Lines of a file that commits of the current branch have ever added since a time; undefined without git. */
export async function linesEverAdded(root: string, file: string, since: number): Promise<string[] | undefined> {
  const from = `--since=${new Date(since).toISOString()}`
  const shown = await git(
    root,
    'log',
    '--format=',
    '-p',
    '--unified=0',
    '--no-ext-diff',
    '-m',
    '--first-parent',
    from,
    '--',
    file,
  )
  return shown?.split('\n').flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : []))
}

/** Whether a file differs from what was committed; undefined without git. */
export async function isEdited(root: string, file: string): Promise<boolean | undefined> {
  const status = await git(root, 'status', '--porcelain', '--', file)
  return status === undefined ? undefined : status.trim() !== ''
}

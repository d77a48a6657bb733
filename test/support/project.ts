import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Project {
  dir: string
  git(...args: string[]): Promise<string>
  remove(): Promise<void>
}

/** A folder of its own, with its real path (on macOS the temporary folder is a link). */
export async function tempDir(name: string): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `grove-${name}-`)))
}

/** A real git repository with the given files in its first commit. */
export async function createProject(files: Record<string, string> = {}): Promise<Project> {
  const dir = await tempDir('project')
  const git = async (...args: string[]) => {
    // Nothing of the machine's own git settings may reach a test.
    const env = { PATH: process.env.PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    return (await run('git', args, { cwd: dir, env })).stdout.trim()
  }
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.name', 'Grove Test')
  await git('config', 'user.email', 'test')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message=Start')
  return { dir, git, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }) }
}

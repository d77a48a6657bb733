import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { FeaturePlace, FeatureRepository } from '../../src/core/ports/repository.ts'
import { featureRepository } from '../../src/exec/repository/repository.ts'
import { createProjectWithRemote, type ProjectWithRemote } from './bare-remote.ts'
import { value } from './outcome.ts'
import { tempDir } from './project.ts'

export const HELPERS = ['CLAUDE.md', 'CLAUDE.local.md', '.env*']

/** A project with a remote, and where the branch of a feature is worked on: `featureStageForEach` makes both anew for each test. */
export let project: ProjectWithRemote
export let home: string
export let repository: FeatureRepository
export let at: FeaturePlace

/** Makes a project before each test of a file, and removes it after it. */
export function featureStageForEach(): void {
  beforeEach(async () => {
    project = await createProjectWithRemote({
      'src/a.ts': 'one\ntwo\nthree\n',
      'src/b.ts': 'b\n',
      '.gitignore': '.env\nnode_modules/\nCLAUDE.local.md\n',
    })
    home = await tempDir('home')
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    repository = featureRepository({ env, helpers: HELPERS })
    at = {
      repository: project.dir,
      folder: join(home, 'worktrees', 'login'),
      inPlace: false,
      branch: 'feature/login',
    }
  })
  afterEach(async () => {
    await project.remove()
    rmSync(home, { recursive: true, force: true })
  })
}

/** Has the branch of this test worked on elsewhere. */
export function workAt(place: Partial<FeaturePlace>): void {
  at = { ...at, ...place }
}

/** Begins the work there; resolves to the commit that it begins at. */
export async function openBranch(place = at): Promise<string> {
  return value(await repository.open({ ...place, baseBranch: 'main', copy: HELPERS })).baseCommit
}

export function write(folder: string, path: string, text: string | Buffer) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

/** Everything in a folder but git's own files. */
export function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^\.git(\/|$)/.test(path) && statSync(join(folder, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, read(folder, path)]))
}

export function inFolder(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
}

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

/** A project with a remote, and where the branch of a feature would be worked on. */
export interface FeatureStage {
  project: ProjectWithRemote
  home: string
  repository: FeatureRepository
  at: FeaturePlace
}

/** One for each test of a file. */
export function featureStageForEach(take: (stage: FeatureStage) => void): void {
  let stage: FeatureStage
  beforeEach(async () => {
    const project = await createProjectWithRemote({
      'src/a.ts': 'one\ntwo\nthree\n',
      'src/b.ts': 'b\n',
      '.gitignore': '.env\nnode_modules/\nCLAUDE.local.md\n',
    })
    const home = await tempDir('home')
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    const folder = join(home, 'worktrees', 'login')
    stage = {
      project,
      home,
      repository: featureRepository({ env, helpers: HELPERS }),
      at: { repository: project.dir, folder, inPlace: false, branch: 'feature/login' },
    }
    take(stage)
  })
  afterEach(async () => {
    await stage.project.remove()
    rmSync(stage.home, { recursive: true, force: true })
  })
}

/** Begins the work there; resolves to the commit that it begins at. */
export async function openBranch(repository: FeatureRepository, place: FeaturePlace): Promise<string> {
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

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '#core/memory/memory.ts'
import { run } from '../spawn.ts'
import { mergedAmong, workPlace } from './branches.ts'

let root: string

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-branches-')))
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.name', 'Ada')
  await git('config', 'user.email', 'ada')
  write('src/a.ts', 'one\n')
  write('src/b.ts', 'one\n')
  await commit('Start', '2026-01-01T00:00:00Z')
  await git('switch', '--quiet', '-c', 'feature')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

async function git(...args: string[]): Promise<string> {
  return gitAt(undefined, ...args)
}

async function gitAt(date: string | undefined, ...args: string[]): Promise<string> {
  const dates = date ? { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } : {}
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...dates }
  const { code, stdout, stderr } = await run('git', args, { cwd: root, env })
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

async function commit(message: string, date: string): Promise<string> {
  await git('add', '--all')
  await gitAt(date, 'commit', '--quiet', `--message=${message}`)
  return git('rev-parse', 'HEAD')
}

const WORKED = Date.parse('2026-01-02T00:00:00Z')
const memory = (more: Partial<Memory> = {}): Memory => ({
  id: 'm1',
  projectId: 'p',
  instruction: 'x',
  goal: 'x',
  reasoningTrace: [],
  decisions: [],
  constraints: [],
  files: ['src/a.ts'],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  branch: 'feature',
  createdAt: WORKED,
  ...more,
})

const isMerged = async (one: Memory) => (await mergedAmong(root, [one])).has(one.id)

describe('where an agent works', () => {
  it('is told by git: branch, default branch, last commit, name', async () => {
    const head = await git('rev-parse', 'HEAD')
    expect(await workPlace(root)).toEqual({
      branch: 'feature',
      defaultBranch: 'main',
      user: 'Ada',
      head: { sha: head, at: Date.parse('2026-01-01T00:00:00Z') },
    })
  })

  it('has no branch on a detached head', async () => {
    await git('switch', '--quiet', '--detach')
    expect((await workPlace(root)).branch).toBeUndefined()
  })

  it('is nowhere outside of git', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'grove-outside-'))
    expect((await workPlace(outside)).branch).toBeUndefined()
    rmSync(outside, { recursive: true })
  })
})

describe('work on a branch', () => {
  it('is not merged while it is not even committed, although the branch itself is contained', async () => {
    write('src/a.ts', 'two\n')
    expect(await isMerged(memory())).toBe(false)
  })

  it('is merged when its commit is in the default branch', async () => {
    write('src/a.ts', 'two\n')
    const sha = await commit('Change', '2026-01-03T00:00:00Z')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(false)
    expect(await isMerged(memory())).toBe(false)

    await git('switch', '--quiet', 'main')
    await gitAt('2026-01-04T00:00:00Z', 'merge', '--quiet', '--no-ff', '--no-edit', 'feature')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(true)
    expect(await isMerged(memory())).toBe(true)
  })

  it('is merged when it was rebased', async () => {
    write('src/a.ts', 'two\n')
    const sha = await commit('Change', '2026-01-03T00:00:00Z')
    await git('switch', '--quiet', 'main')
    write('src/b.ts', 'other\n')
    await commit('Elsewhere', '2026-01-03T12:00:00Z')
    await gitAt('2026-01-04T00:00:00Z', 'cherry-pick', sha)
    write('src/a.ts', 'three\n')
    await commit('And on', '2026-01-05T00:00:00Z')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(true)
  })

  it('is merged when several commits were squashed into one', async () => {
    write('src/a.ts', 'two\n')
    const sha = await commit('One', '2026-01-03T00:00:00Z')
    write('src/a.ts', 'two\nthree\n')
    await commit('Two', '2026-01-03T01:00:00Z')
    await git('switch', '--quiet', 'main')
    await git('merge', '--quiet', '--squash', 'feature')
    await commit('Squashed', '2026-01-04T00:00:00Z')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(true)

    await git('branch', '--quiet', '-D', 'feature')
    write('src/a.ts', 'later\n')
    await commit('Later', '2026-01-06T00:00:00Z')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(true)
  })

  it('is not merged because somebody else changed the same file', async () => {
    write('src/a.ts', 'two\n')
    const sha = await commit('Change', '2026-01-03T00:00:00Z')
    await git('switch', '--quiet', 'main')
    write('src/a.ts', 'by another\n')
    await commit('Other change', '2026-01-04T00:00:00Z')
    expect(await isMerged(memory({ linkedCommit: sha }))).toBe(false)
  })

  it('is not merged where this clone has never seen the branch', async () => {
    await git('switch', '--quiet', 'main')
    expect(await isMerged(memory({ branch: 'elsewhere', linkedCommit: 'f'.repeat(40) }))).toBe(false)
  })
})

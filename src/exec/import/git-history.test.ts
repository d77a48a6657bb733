import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Commit } from '#core/memory/import-commit.ts'
import { aside, commitsOf, headOf, isBehind, lengthOf } from './git-history.ts'

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-history-')))
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada Größe')
  git('config', 'user.email', 'ada')
  commit('First: ünïcode 🌳', ['src/a b.ts', 'src/grün.ts'], 'Body with\nlines\n\nand "quotes" and \\backslashes')
  commit('Second', ['src/a b.ts'])
  git('switch', '--quiet', '-c', 'side')
  commit('On the side', ['src/side.ts'])
  git('switch', '--quiet', 'main')
  commit('Third', ['docs/x.md'])
  git('merge', '--quiet', '--no-ff', '--no-edit', 'side')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

let clock = 1_700_000_000
function git(...args: string[]): string {
  const date = `${clock} +0000`
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  }
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim()
}

function commit(title: string, files: string[], body = '') {
  clock += 60
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), String(clock))
  }
  git('add', '--all')
  git('commit', '--quiet', '-m', title, ...(body ? ['-m', body] : []))
}

async function read(stretch: Partial<Parameters<typeof commitsOf>[1]> = {}): Promise<Commit[]> {
  const head = (await headOf(root))!
  const commits: Commit[] = []
  for await (const one of commitsOf(root, { head, skip: 0, ...stretch })) commits.push(one)
  return commits
}

it('reads commits as they are, oldest first, merges left out', async () => {
  const commits = await read()
  expect(commits.map(({ title }) => title)).toEqual(['First: ünïcode 🌳', 'Second', 'On the side', 'Third'])
  expect(commits[0]).toMatchObject({
    author: 'Ada Größe',
    at: 1_700_000_060_000,
    files: ['src/a b.ts', 'src/grün.ts'],
    body: 'Body with\nlines\n\nand "quotes" and \\backslashes\n',
  })
})

it('skips, stops and leaves out what is known', async () => {
  const titles = async (stretch: Parameters<typeof read>[0]) => (await read(stretch)).map(({ title }) => title)
  expect(await titles({ skip: 1, most: 3 })).toEqual(['On the side', 'Third'])
  const [, second] = await read()
  expect(await titles({ known: second!.sha })).toEqual(['On the side', 'Third'])
  expect(await titles({ since: new Date(1_700_000_121_000).toISOString() })).toEqual(['On the side', 'Third'])
  expect(await titles({ skip: 4 })).toEqual([])
})

it('knows how long a history is, and what lies behind what', async () => {
  const head = (await headOf(root))!
  expect(await lengthOf(root, { head })).toBe(4)
  expect(await lengthOf(root, { head, most: 2 })).toBe(2)
  const [, , side, third] = await read()
  expect(await isBehind(root, side!.sha, head)).toBe(true)
  expect(await isBehind(root, side!.sha, third!.sha)).toBe(false)
})

it('finds no history where there is none', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'grove-empty-'))
  expect(await headOf(empty)).toBeUndefined()
  rmSync(empty, { recursive: true })
})

it('knows which commits only the branch at hand has', async () => {
  expect(await aside(root, (await headOf(root))!)).toBeUndefined()
  git('switch', '--quiet', '-c', 'open')
  commit('Not merged yet', ['src/open.ts'])
  const head = (await headOf(root))!
  expect(await aside(root, head)).toEqual({ branch: 'open', commits: new Set([head]) })
  git('switch', '--quiet', 'main')
})

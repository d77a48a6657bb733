import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { grove, type Place, place } from './grove.ts'

let commits = 0

/** A project with a history worth remembering, and some that is not. */
export function projectPlace(env: Record<string, string> = {}): Place {
  const here = place(env)
  git(here, 'init', '--quiet', '--initial-branch=main')
  git(here, 'config', 'user.name', 'Ada')
  git(here, 'config', 'user.email', 'ada')
  git(here, 'remote', 'add', 'origin', 'git@git.example:team/shop.git')
  commit(
    here,
    'Reject expired tokens at the gateway',
    'src/auth/token.ts',
    'The gateway compared seconds with milliseconds, so sessions never ended.',
  )
  commit(
    here,
    'Cache product prices for a minute',
    'src/prices/cache.ts',
    'We keep prices in memory instead of Redis, because the catalogue is small.',
  )
  commit(here, 'bump version to 1.2.0', 'package.json')
  commit(here, 'wip', 'src/x.ts')
  return here
}

export function git({ cwd, env }: Place, ...args: string[]): string {
  // Git counts in seconds; each commit gets one of its own.
  const date = `${1_790_000_000 + commits} +0000`
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const clean = { ...env, ...dates, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', args, { cwd, env: clean, encoding: 'utf8' }).trim()
}

export function commit(here: Place, title: string, file: string, body = '') {
  mkdirSync(dirname(join(here.cwd, file)), { recursive: true })
  writeFileSync(join(here.cwd, file), `${++commits}\n`)
  git(here, 'add', '--all')
  git(here, 'commit', '--quiet', '-m', title, ...(body ? ['-m', body] : []))
}

export async function json<T>(here: Place, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await grove(here, ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as T
}

export interface Entry {
  id: string
  goal: string
  user: string
  tags: string[]
  updatedBy?: string
}

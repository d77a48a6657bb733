import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { gitCache } from './cache.ts'

it('a project is asked for again after git gave no answer, by this process and by others', async ({
  onTestFinished,
}) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-known-')))
  const store = await openSqliteStore({ file: join(root, 'grove.db') })
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await store.close()
    rmSync(root, { recursive: true })
  })
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=none']
  for (const args of [
    ['init', '-q'],
    [...identity, 'commit', '-qm', 'first', '--allow-empty'],
  ]) {
    execFileSync('git', args, { cwd: root })
  }
  const needs = { states: store.states, slot: SLOTS.git, now: () => 1000 }
  const { projectAt } = gitCache(needs)
  vi.stubEnv('PATH', join(root, 'nothing'))
  expect((await projectAt(root)).id).toBe(`path:${root}`)
  vi.unstubAllEnvs()
  expect((await gitCache(needs).projectAt(root)).id).toMatch(/^commit:/)
  expect((await projectAt(root)).id).toMatch(/^commit:/)
})

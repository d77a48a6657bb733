import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/project.ts'
import { runLogs } from './run-logs.ts'

const DAY = 86_400_000

async function withLogs(...names: string[]) {
  const folder = await tempDir('logs')
  await mkdir(folder, { recursive: true })
  for (const name of names) await writeFile(join(folder, name), 'x')
  return folder
}

it('the logs of a complete session are kept apart, and those of others stay', async () => {
  const folder = await withLogs('claude_one_2026-01-01.log', 'claude_one-more_2026-01-01.log', 'grove.log')
  await runLogs(folder, DAY).archive('one')
  expect(await readdir(join(folder, 'archive', 'one'))).toEqual(['claude_one_2026-01-01.log'])
  expect((await readdir(folder)).sort()).toEqual(['archive', 'claude_one-more_2026-01-01.log', 'grove.log'])
})

it('logs of runs are removed when they are old enough, wherever they lie, and nothing else is', async () => {
  const folder = await withLogs('claude_a_1.log', 'claude_b_1.log', 'claude_b_2.log', 'grove.log')
  const logs = runLogs(folder, 30 * DAY)
  await logs.archive('a')
  const old = new Date(Date.now() - 31 * DAY)
  for (const name of [join('archive', 'a', 'claude_a_1.log'), 'claude_b_1.log', 'grove.log'])
    await utimes(join(folder, name), old, old)
  await logs.sweep(Date.now())
  expect((await readdir(folder)).sort()).toEqual(['archive', 'claude_b_2.log', 'grove.log'])
  expect(await readdir(join(folder, 'archive'))).toEqual([])
})

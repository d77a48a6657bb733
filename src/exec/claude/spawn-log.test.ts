import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSpawnLog } from './spawn-log.ts'

const key = `sk-ant-api03-${'Ab3dEf6h'.repeat(10)}`

async function written(notes: string[], largest?: number): Promise<{ text: string; mode: number }> {
  const file = join(mkdtempSync(join(tmpdir(), 'grove-log-')), 'deep', 'spawn.log')
  const log = openSpawnLog(file, largest)
  for (const note of notes) log.note('<', note)
  log.close()
  while (!readable(file)) await sleep(5)
  return { text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }
}

function readable(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').endsWith('\n')
  } catch {
    return false
  }
}

it('masks secrets, also one that the cut would tear, and is for its owner only', async () => {
  const { text, mode } = await written([`{"key":"${key}"}`, `${'word '.repeat(797)} ${key} and more`])
  expect(text).not.toContain('Ab3dEf6h')
  expect(text).toContain('[redacted]')
  expect(mode).toBe(0o600)
})

it('cuts long lines and says so', async () => {
  const { text } = await written(['x '.repeat(100_000)])
  expect(text.length).toBeLessThan(4_200)
  expect(text).toContain('(200000 characters)')
})

it('ends when it is full', async () => {
  const { text } = await written(
    Array.from({ length: 100 }, () => 'one line of it'),
    1_000,
  )
  expect(text.length).toBeLessThan(1_200)
  expect(text.trimEnd()).toMatch(/the log is full$/)
})

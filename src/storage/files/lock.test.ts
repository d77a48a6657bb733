import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withLock } from './lock.ts'

it('forty writers who each take their time lose no line, however long the last one waits', async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'grove-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'notes.md')
  writeFileSync(file, '')
  const writers = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  const add = (line: string) =>
    withLock(file, async () => {
      const before = readFileSync(file, 'utf8')
      await sleep(100)
      writeFileSync(file, `${before}${line}\n`)
    })
  await Promise.all(writers.map(add))
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').toSorted()).toEqual(writers.toSorted())
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { tempDir } from '../../../test/support/project.ts'
import { endWhenRemoved } from './end-when-removed.ts'

it('ends what runs from a package that was removed, and not what is being updated', async ({ onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const program = join(await tempDir('program'), 'grove.js')
  const ended = vi.fn()
  writeFileSync(program, '')
  endWhenRemoved(program, ended, 1000)
  vi.advanceTimersByTime(10_000)
  rmSync(program)
  vi.advanceTimersByTime(2000)
  writeFileSync(program, 'newer')
  vi.advanceTimersByTime(10_000)
  expect(ended).not.toHaveBeenCalled()
  rmSync(program)
  vi.advanceTimersByTime(10_000)
  expect(ended).toHaveBeenCalledOnce()
})

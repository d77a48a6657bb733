import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const mayBound = spawnSync('prlimit', ['--version']).status === 0

it.runIf(mayBound)('a test, and a process that it starts, cannot fill the memory of the machine', () => {
  const fill = 'const held = []; for (let n = 0; n < 64; n++) held.push(Buffer.allocUnsafeSlow(2 ** 27))'
  expect(spawnSync(process.execPath, ['-e', fill]).status).not.toBe(0)
})

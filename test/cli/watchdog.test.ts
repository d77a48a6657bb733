import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { dist, place, withBinary } from './grove.ts'

// A real daemon whose event loop is blocked for good, by what a signal makes it do: work that never ends, in a function and
// in a regular expression.

withBinary()

const BLOCKS = `
process.on('SIGUSR2', function spinForEver() { for (;;) {} })
process.on('SIGURG', () => /^(a+)+$/.test('a'.repeat(50) + 'b'))
`

it.each(['SIGUSR2', 'SIGURG'] as const)(
  'a blocked event loop is freed, and the daemon goes on (%s)',
  async (signal) => {
    const port = await freePort()
    const { home, cwd, env } = place({ PORT: `${port}` })
    const blocks = join(cwd, 'blocks.mjs')
    writeFileSync(blocks, BLOCKS)
    const daemon = spawn(process.execPath, ['--import', blocks, join(dist, 'grove.js'), 'up'], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let told = ''
    daemon.stderr.on('data', (chunk) => {
      told += chunk
    })
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(300) }).then(
        ({ status }) => status,
        () => 0,
      )
    try {
      await expect.poll(answers, { timeout: 30_000 }).toBe(200)
      daemon.kill(signal)
      await expect.poll(answers, { timeout: 10_000, interval: 20 }).toBe(0)
      await expect.poll(answers, { timeout: 30_000 }).toBe(200)
      await expect.poll(() => told, { timeout: 10_000 }).toContain('something blocked Grove for two seconds')
      daemon.kill('SIGTERM')
      const [code] = await once(daemon, 'exit')
      expect(code, home).toBe(0)
    } finally {
      daemon.kill('SIGKILL')
    }
  },
)

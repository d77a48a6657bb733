import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { dist, place, withBinary } from './grove.ts'

// A real daemon whose event loop is blocked for good, by what a signal makes it do: work that never ends, in a function and
// in a regular expression. Or by a hook, whose payload takes for ever to read.

withBinary()

/** A command whose reading never ends. */
const NEVER_JUDGED = 'echo never judged > a.txt'

const BLOCKS = `
process.on('SIGUSR2', function spinForEver() { for (;;) {} })
process.on('SIGURG', () => /^(a+)+$/.test('a'.repeat(50) + 'b'))
process.on('SIGWINCH', () => void Promise.reject(new Error('torn off')))
const read = JSON.parse
JSON.parse = function readForEver(text, ...rest) { for (; String(text).includes('never ends'); ) {} return read(text, ...rest) }
for (const name of ['split', 'trim', 'includes', 'startsWith', 'slice', 'replace', 'match']) {
  const said = String.prototype[name]
  String.prototype[name] = function judgeForEver(...rest) { for (; String(this) === '${NEVER_JUDGED}'; ) {} return said.apply(this, rest) }
}
`

/** A daemon that signals block, what it has said, and whether it answers. */
async function startBlockable() {
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
  return { home, daemon, told: () => told, answers }
}

it.each(['SIGUSR2', 'SIGURG'] as const)(
  'a blocked event loop is freed, and the daemon goes on (%s)',
  async (signal) => {
    const { home, daemon, told, answers } = await startBlockable()
    try {
      await expect.poll(answers).toBe(200)
      daemon.kill(signal)
      await expect.poll(answers, { interval: 20 }).toBe(0)
      await expect.poll(answers).toBe(200)
      await expect.poll(told).toContain('something blocked Grove for two seconds')
      daemon.kill('SIGTERM')
      const [code] = await once(daemon, 'exit')
      expect(code, home).toBe(0)
    } finally {
      daemon.kill('SIGKILL')
    }
  },
)

it('a failure that nothing waits for is noted, and the daemon goes on', async () => {
  const { daemon, told, answers } = await startBlockable()
  try {
    await expect.poll(answers).toBe(200)
    daemon.kill('SIGWINCH')
    await expect.poll(told).toContain('something failed that nothing waited for')
    await expect.poll(answers).toBe(200)
  } finally {
    daemon.kill('SIGKILL')
  }
})

it('a hook whose work never ends is answered as if Grove were not there, a call under intents is denied, and the others are answered', async () => {
  const port = await freePort()
  const { home, cwd, env } = place({ PORT: `${port}` })
  const blocks = join(cwd, 'blocks.mjs')
  writeFileSync(blocks, BLOCKS)
  const daemon = spawn(process.execPath, ['--import', blocks, join(dist, 'grove.js'), 'up'], {
    cwd,
    env,
    stdio: 'ignore',
  })
  const health = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status,
      () => 0,
    )
  try {
    await expect.poll(health).toBe(200)
    const authorization = `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}`
    const tell = async (prompt: string) => {
      const body = JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt, cwd })
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(`http://127.0.0.1:${port}/hooks/user-prompt-submit`, { method: 'POST', headers, body })
      return { status: answer.status, body: await answer.json() }
    }
    const stuck = tell('this never ends')
    const others = await Promise.all([tell('Hello'), tell('And hello again')])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    expect(await stuck).toEqual({ status: 200, body: {} })
    // A call passes like that only where no intents are in force.
    const call = async () => {
      const asked = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: NEVER_JUDGED } }
      const body = JSON.stringify({ session_id: 's1', hook_event_name: 'PreToolUse', cwd, ...asked })
      const headers = { authorization, 'content-type': 'application/json' }
      return (await fetch(`http://127.0.0.1:${port}/hooks/pre-tool-use`, { method: 'POST', headers, body })).json()
    }
    expect(await call()).toEqual({})
    mkdirSync(join(cwd, '.orchestration'))
    expect(await call()).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('ended before it could answer'),
      },
    })
  } finally {
    daemon.kill('SIGKILL')
  }
})

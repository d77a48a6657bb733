import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { loadSqlite } from '../../src/storage/sqlite/driver.ts'
import { dist, grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { freePort } from '../support/free-port.ts'

// What breaks on real machines, over and over: processes that are killed at any moment, a home that cannot be written or
// is gone, a system that hands out no more descriptors. A few rounds here; `npm run test:faults` makes 200 of each.

const ROUNDS = Number(process.env.GROVE_FAULTS ?? 4)
const binary = () => join(dist, 'grove.js')

withBinary()

const told = (n: number, cwd: string) => ({
  session_id: `fault-${n % 7}`,
  cwd,
  hook_event_name: 'PostToolUse',
  tool_name: 'Write',
  tool_input: { file_path: join(cwd, `src/part-${n}.ts`), content: 'export {}\n' },
  tool_use_id: `toolu_${n}`,
  tool_response: {},
})

/** A number from 0 to below `limit`, another one each time, and the same in every run. */
function draw(n: number, limit: number): number {
  return (Math.imul(n + 1, 2654435761) >>> 8) % limit
}

/** Loaded before a program: its clock goes wrong by as many milliseconds as the file in MOVED_CLOCK says. */
const MOVED_CLOCK = `
  const { readFileSync } = require('node:fs')
  const Real = Date
  const now = () => Real.now() + (Number(readFileSync(process.env.MOVED_CLOCK, 'utf8')) || 0)
  globalThis.Date = class extends Real {
    constructor(...args) { super(...(args.length === 0 ? [now()] : args)) }
    static now() { return now() }
  }
`

async function isWhole(home: string) {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(join(home, 'grove.db'))
  const finding = database.prepare('PRAGMA integrity_check').get()
  database.close()
  expect(finding).toEqual({ integrity_check: 'ok' })
}

async function runHook({ cwd, env }: Place, n: number, killAfterMs?: number) {
  const child = spawn(process.execPath, [join(dist, 'hook.cjs'), 'post-tool-use'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {}).end(JSON.stringify(told(n, cwd)))
  const said = text(child.stdout)
  const gone = once(child, 'exit')
  if (killAfterMs !== undefined) await Promise.race([setTimeout(killAfterMs), gone])
  if (killAfterMs !== undefined) child.kill('SIGKILL')
  const [code] = await gone
  return { code, said: await said }
}

describe('killed at any moment', () => {
  it('the daemon starts again, and its store is whole', { timeout: 60_000 + ROUNDS * 60_000 }, async () => {
    const at = place()
    for (let round = 0; round < ROUNDS; round++) {
      const daemon = await startGrove(at, 'web')
      const ask = (n: number) =>
        fetch(`${daemon.url('Web')}/hooks/post-tool-use`, {
          method: 'POST',
          headers: { ...daemon.asTool(), 'content-type': 'application/json' },
          body: JSON.stringify(told(round * 1000 + n, at.cwd)),
        })
      expect((await ask(0)).status).toBe(200)
      const busy = Array.from({ length: 20 }, (_, n) => ask(n + 1).catch(() => undefined))
      await Promise.race([busy[draw(round, busy.length)], setTimeout(draw(round, 50))])
      daemon.kill('SIGKILL')
      await daemon.exit
      await Promise.all(busy)
    }
    await isWhole(at.home)
    expect((await grove(at, 'status')).code).toBe(0)
    // What a killed process leaves behind does not pile up.
    expect(readdirSync(at.home).filter((name) => /tmp|\.new$/.test(name)).length).toBeLessThan(4)
  })

  it('a hook leaves a store that the next one goes on with', { timeout: 60_000 + ROUNDS * 30_000 }, async () => {
    const at = place()
    expect((await runHook(at, 0)).code).toBe(0)
    for (let round = 1; round <= ROUNDS; round++) await runHook(at, round, draw(round, 400))
    const { code, said } = await runHook(at, ROUNDS + 1)
    expect(code).toBe(0)
    expect(typeof JSON.parse(said)).toBe('object')
    await isWhole(at.home)
  })

  it('the MCP server leaves learnings that can be read', { timeout: 60_000 + ROUNDS * 30_000 }, async () => {
    const at = place({ CLAUDE_CODE_SESSION_ID: 'fault-mcp' })
    mkdirSync(join(at.cwd, '.orchestration'))
    for (let round = 0; round < ROUNDS; round++) {
      const server = spawn(process.execPath, [binary(), 'mcp'], { ...at, stdio: ['pipe', 'pipe', 'ignore'] })
      const gone = once(server, 'exit')
      const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      server.stdin.on('error', () => {})
      const clientInfo = { name: 'test', version: '1' }
      say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
      await once(server.stdout, 'data')
      say({ method: 'notifications/initialized' })
      const lesson = {
        summary: `The build of part ${round} needs pnpm`,
        detail: 'npm fails, because of the workspace.',
      }
      say({ id: 2, method: 'tools/call', params: { name: 'grove_record_learning', arguments: lesson } })
      say({ id: 3, method: 'tools/call', params: { name: 'grove_status', arguments: {} } })
      await Promise.race([setTimeout(draw(round, 300)), gone])
      server.kill('SIGKILL')
      await gone
    }
    expect((await grove(at, 'learnings')).code).toBe(0)
    await isWhole(at.home)
    expect((await grove(at, 'status')).code).toBe(0)
  })
})

describe('a clock', () => {
  const HOUR = 3_600_000
  const YEAR = 8766 * HOUR

  it('that jumps by hours and years, to and fro, stops nothing', { timeout: 300_000 }, async () => {
    const at = place()
    const clock = join(at.cwd, '..', 'clock')
    const moved = (by: number) => writeFileSync(clock, `${by}`)
    moved(0)
    const preload = join(at.cwd, '..', 'moved-clock.cjs')
    writeFileSync(preload, MOVED_CLOCK)
    const skewed = {
      ...at,
      env: {
        ...at.env,
        MOVED_CLOCK: clock,
        NODE_OPTIONS: `--require ${preload}`,
      },
    }
    const daemon = await startGrove(skewed, 'web')
    const headers = { ...daemon.asTool(), 'content-type': 'application/json' }
    const tell = async (event: string, payload: object) => {
      const response = await fetch(`${daemon.url('Web')}/hooks/${event}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(payload),
      })
      expect(response.status).toBe(200)
      return response.json()
    }
    for (const [n, by] of [0, 6 * HOUR, -6 * HOUR, 5 * YEAR, -5 * YEAR, 40 * YEAR, 0].entries()) {
      moved(by)
      const common = { session_id: `clock-${n % 3}`, cwd: at.cwd }
      await tell('session-start', { ...common, hook_event_name: 'SessionStart', source: 'startup' })
      await tell('user-prompt-submit', {
        ...common,
        hook_event_name: 'UserPromptSubmit',
        prompt: `Add the export of orders in src/orders-${n}.ts`,
      })
      await tell('post-tool-use', { ...told(n, at.cwd), ...common })
      await tell('stop', { ...common, hook_event_name: 'Stop', stop_hook_active: false })
      // Commands with the right clock, and with the wrong one, go on beside it.
      expect((await grove(n % 2 ? at : skewed, 'status')).code).toBe(0)
      expect((await fetch(`${daemon.url('Web')}/api/sessions`, { headers })).status).toBe(200)
    }
    daemon.kill('SIGTERM')
    expect((await daemon.exit).signal).toBeNull()
    expect((await runHook(at, 99)).code).toBe(0)
    await isWhole(at.home)
  })
})

describe('a home', () => {
  it('that vanishes stops no agent', async () => {
    const at = place()
    const daemon = await startGrove(at, 'web')
    const ask = (n: number) =>
      fetch(`${daemon.url('Web')}/hooks/post-tool-use`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(told(n, at.cwd)),
      }).then(({ status }) => status)
    const headers = daemon.asTool()
    expect(await ask(1)).toBe(200)
    renameSync(at.home, `${at.home}-elsewhere`)
    // Nothing can be put in its place.
    writeFileSync(at.home, 'in the way')
    for (let n = 2; n < 6; n++) expect(await ask(n)).toBe(200)
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
    expect((await runHook(at, 7)).code).toBe(0)
    rmSync(at.home)
    await expect.poll(() => ask(8)).toBe(200)
    daemon.kill('SIGTERM')
    await daemon.exit
  })

  const UNSHARE = [['-m'], ['-rm']].find((args) => spawnSync('unshare', [...args, 'true']).status === 0)
  if (UNSHARE) {
    it('that cannot be written stops no agent', async () => {
      const at = place()
      mkdirSync(at.home, { recursive: true })
      const script =
        'mount --bind "$GROVE_HOME" "$GROVE_HOME" && mount -o remount,ro,bind "$GROVE_HOME" && exec "$0" "$@"'
      const args = [...UNSHARE, 'sh', '-c', script, process.execPath, join(dist, 'hook.cjs'), 'post-tool-use']
      const child = spawn('unshare', args, { cwd: at.cwd, env: at.env, stdio: ['pipe', 'pipe', 'ignore'] })
      child.stdin.end(JSON.stringify(told(1, at.cwd)))
      const said = text(child.stdout)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(typeof JSON.parse(await said)).toBe('object')
      expect(existsSync(join(at.home, 'grove.db'))).toBe(false)
    })
  }
})

if (process.platform === 'linux') {
  it('a daemon without descriptors goes on when there are some again', async () => {
    const port = await freePort()
    const at = place({ PORT: `${port}` })
    // The lowest limit that a system in use begins with (macOS). Loading the program alone opens dozens of its files at once.
    const script = 'ulimit -n 256 && exec "$0" "$@"'
    const child = spawn('sh', ['-c', script, process.execPath, binary(), 'web'], { ...at, stdio: 'ignore' })
    const gone = once(child, 'exit')
    try {
      const health = () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          ({ status }) => status,
          () => undefined,
        )
      await expect.poll(health).toBe(200)
      for (let round = 0; round < Math.min(ROUNDS, 20); round++) {
        const held = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => {}))
        await Promise.all(
          held.map((socket) => Promise.race([once(socket, 'connect').catch(() => {}), setTimeout(1000)])),
        )
        for (const socket of held) socket.destroy()
        await expect.poll(health).toBe(200)
      }
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill('SIGKILL')
      await gone
    }
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { systemdUnit } from '../../src/daemon/attach/service.ts'
import { holderOf } from '../../src/daemon/process/lock.ts'
import { freePort } from '../support/free-port.ts'
import { readUnit } from '../support/service-files.ts'
import { dist, grove, place, startGrove, withBinary } from './grove.ts'

withBinary()

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const upstream = (answer: RequestListener) => listen(createServer(answer))

describe('grove up', () => {
  it('opens both ports, says where, and forwards to the target', async () => {
    const target = await upstream((_, response) => response.end('from upstream'))
    const here = place({ ANTHROPIC_TARGET: `http://127.0.0.1:${target}` })
    const daemon = await startGrove(here, 'up')
    const variables = `ANTHROPIC_BASE_URL=${daemon.url('Proxy')} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_GATEWAY_HINT_HEADERS=1`
    expect(daemon.stdout).toMatch(/^ {2}grove claude$/m)
    expect(daemon.stdout).toContain(`${variables} claude`)
    expect(await (await fetch(`${daemon.url('Web')}/health`)).json()).toMatchObject({ status: 'ok' })
    expect(await (await fetch(`${daemon.url('Proxy')}/health`)).json()).toMatchObject({ status: 'ok' })
    expect(await (await fetch(`${daemon.url('Proxy')}/v1/models`)).text()).toBe('from upstream')
    daemon.kill('SIGTERM')
    expect(await daemon.exit).toEqual({ code: 0, signal: null })
  })

  it('keeps everything in its home, for its owner only', async () => {
    const here = place()
    const daemon = await startGrove(here, 'up')
    expect(statSync(here.home).mode & 0o777).toBe(0o700)
    expect(statSync(join(here.home, 'token')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(here.home, 'run'))).toEqual(expect.arrayContaining(['proxy.json', 'web.json']))
    daemon.kill('SIGINT')
    await daemon.exit
    expect(readdirSync(join(here.home, 'run'))).toEqual([])
    expect(readFileSync(join(here.home, 'logs', 'grove.log'), 'utf8')).toContain('grove has stopped')
    expect(readdirSync(here.cwd)).toEqual([])
  })

  it('runs as its service file says, with nothing of a terminal around it, and ends when it is told to', async () => {
    const here = place()
    mkdirSync(here.home)
    writeFileSync(join(here.home, 'config.toml'), 'port = 0\n[proxy]\nport = 0\n')
    const config = loadConfig({ env: { GROVE_HOME: here.home }, cwd: here.cwd })
    const unit = readUnit(systemdUnit({ config, env: {}, program: join(dist, 'grove.js') })).Service!
    const [program, ...args] = unit.ExecStart!
    const env = Object.fromEntries(unit.Environment!.map((entry) => entry.split('=')))
    const cwd = unit.WorkingDirectory![0]!
    const service = spawn(program!, args, { cwd, env: { ...env, HOME: here.env.HOME! }, stdio: 'ignore' })
    const holder = () => holderOf(join(here.home, 'run', 'web.json'))
    await expect.poll(holder).toMatchObject({ startedBy: 'service', url: expect.any(String) })
    expect((await fetch(`${holder()!.url}/health`)).status).toBe(200)
    service.kill('SIGTERM')
    expect(await once(service, 'exit')).toEqual([0, null])
    expect(readdirSync(join(here.home, 'run'))).toEqual([])
  })

  it('ends with what started it, when that is npm', async () => {
    const here = place()
    const env = { ...here.env, npm_lifecycle_event: 'start' }
    // As npm does it: a shell that stays between, and dies of a signal without passing it on.
    const binary = join(dist, 'grove.js')
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${binary}" up; true`], { ...here, env })
    await once(shell.stdout, 'data')
    shell.kill('SIGTERM')
    // Its output is closed when the last of them has ended.
    await once(shell, 'close')
    expect(readdirSync(join(here.home, 'run'))).toEqual([])
    expect(readFileSync(join(here.home, 'logs', 'grove.log'), 'utf8')).toContain('grove has stopped')
  })

  it('lets an open answer finish before it ends', async () => {
    let finish = () => {}
    const target = await upstream((_, response) => {
      response.write('first, ')
      finish = () => response.end('last')
    })
    const daemon = await startGrove(place({ ANTHROPIC_TARGET: `http://127.0.0.1:${target}` }), 'up')
    const answer = await fetch(`${daemon.url('Proxy')}/v1/models`)
    daemon.kill('SIGINT')
    await daemon.says('Stopping')
    finish()
    expect(await answer.text()).toBe('first, last')
    expect((await daemon.exit).code).toBe(0)
  })

  it('takes two signals at once for one wish, and a later one as an order', async () => {
    const target = await upstream((_, response) => void response.write('never ends'))
    const daemon = await startGrove(place({ ANTHROPIC_TARGET: `http://127.0.0.1:${target}` }), 'up')
    const answer = await fetch(`${daemon.url('Proxy')}/v1/models`)
    daemon.kill('SIGINT')
    daemon.kill('SIGINT')
    await daemon.says('Stopping')
    await sleep(1200)
    expect(existsSync(`/proc/${daemon.pid}`) || process.kill(daemon.pid, 0)).toBe(true)
    daemon.kill('SIGINT')
    expect((await daemon.exit).code).toBe(130)
    await answer.text().catch(() => 'cut off, as it should be')
  })

  it('detects a second one on the same home', async () => {
    const here = place()
    const daemon = await startGrove(here, 'up')
    const { code, stdout, stderr } = await grove(here, 'up')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`grove is already running (pid ${daemon.pid})`)
    expect(stderr).toContain('Stop it with `grove stop`')
    daemon.kill('SIGTERM')
    await daemon.exit
    const next = await startGrove(here, 'up')
    next.kill('SIGTERM')
    await next.exit
  })

  it('leaves everything in the one file when it is stopped, so that a copy of it is whole', async () => {
    const here = place()
    const daemon = await startGrove(here, 'up')
    daemon.kill('SIGTERM')
    await daemon.exit
    const log = join(here.home, 'grove.db-wal')
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    expect(statSync(join(here.home, 'grove.db')).size).toBeGreaterThan(50_000)
  })

  it('sets a damaged database aside at its start, says so, and runs', async () => {
    const here = place()
    const first = await startGrove(here, 'up')
    first.kill('SIGTERM')
    await first.exit
    // Whoever leaves the database last puts everything into the one file.
    await grove(here, 'status')
    const file = join(here.home, 'grove.db')
    const half = Math.floor(statSync(file).size / 2)
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(half, 'garbage!'), 0, half, half)
    closeSync(handle)
    const daemon = await startGrove(here, 'up')
    expect(daemon.stderr).toContain('The database was damaged. It was set aside as')
    expect(readdirSync(here.home).filter((name) => /damaged-\d+T\d+Z$/.test(name))).toHaveLength(1)
    expect(await (await fetch(`${daemon.url('Web')}/health`)).json()).toMatchObject({ status: 'ok' })
    daemon.kill('SIGTERM')
    expect((await daemon.exit).code).toBe(0)
  })

  it('starts again after it was killed', async () => {
    const here = place()
    const killed = await startGrove(here, 'up')
    killed.kill('SIGKILL')
    await killed.exit
    const next = await startGrove(here, 'up')
    next.kill('SIGTERM')
    expect((await next.exit).code).toBe(0)
  })
})

it('grove proxy and grove web open one port each, and share a home', async () => {
  const here = place()
  const proxy = await startGrove(here, 'proxy')
  const web = await startGrove(here, 'web')
  expect([proxy.url('Web'), web.url('Proxy')]).toEqual(['', ''])
  expect((await fetch(`${proxy.url('Proxy')}/health`)).status).toBe(200)
  expect((await fetch(`${web.url('Web')}/api/agents`, { headers: web.asTool() })).status).toBe(200)
  for (const daemon of [proxy, web]) daemon.kill('SIGTERM')
  await Promise.all([proxy.exit, web.exit])
})

describe('a port that is taken', () => {
  it('is named together with the process that has it', async () => {
    const port = await listen(createTcpServer())
    const { code, stderr } = await grove(place({ PROXY_PORT: String(port) }), 'up')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(`Port ${port}, wanted for the proxy, is taken by .*node.* \\(pid ${process.pid}\\)`),
    )
    expect(stderr).toContain(`PROXY_PORT=${port + 1}`)
    const web = await grove(place({ PORT: String(port) }), 'web')
    expect(web.stderr).toContain(`Port ${port}, wanted for the web page, is taken by`)
  })

  it('is recognised when another grove has it', async () => {
    const daemon = await startGrove(place(), 'up')
    const { port } = new URL(daemon.url('Proxy'))
    const { code, stderr } = await grove(place({ PROXY_PORT: port }), 'up')
    expect(code).toBe(1)
    expect(stderr).toContain(`grove is already running (pid ${daemon.pid}), with another home`)
    daemon.kill('SIGTERM')
    await daemon.exit
  })

  it('is explained when it is wanted for both ports', async () => {
    const port = String(await freePort())
    const here = place({ PORT: port, PROXY_PORT: port })
    const { code, stderr } = await grove(here, 'up')
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is set for both the proxy and the web page.`)
    expect(stderr).toContain(
      `Choose another port (port = ${Number(port) + 1} in config.toml of Grove's home, or PORT=${Number(port) + 1}).`,
    )
    expect((await grove(here, 'doctor')).stdout).toContain(`port ${port} is set for both`)
  })

  it('leaves no lock behind', async () => {
    const port = await listen(createTcpServer())
    const here = place({ PROXY_PORT: String(port) })
    await grove(here, 'up')
    expect(readdirSync(join(here.home, 'run'))).toEqual([])
  })
})

it('a home that cannot be a folder is explained', async () => {
  const here = place()
  writeFileSync(here.home, 'in the way')
  const { code, stderr } = await grove(here, 'up')
  expect(code).toBe(1)
  expect(stderr).toMatch(/cannot write to its home folder .*: there is a file in its place/)
  expect(stderr).toContain('GROVE_HOME=')
})

it('a home that holds the homes of users is refused, and stays as it is', async () => {
  const all = place().cwd
  const here = place({ HOME: join(all, 'user'), GROVE_HOME: all })
  mkdirSync(join(all, 'user'), { recursive: true })
  chmodSync(all, 0o755)
  for (const command of ['up', 'init']) {
    const { code, stderr } = await grove(here, command)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is no home for Grove: it holds other things/)])
  }
  expect(await grove(here, 'hook', 'session-start')).toMatchObject({ code: 0, stdout: '{}\n' })
  expect(statSync(all).mode & 0o777).toBe(0o755)
})

it('a home where nothing can be created is explained, by every command that needs one', async () => {
  const here = place({ GROVE_HOME: '/proc/grove' })
  for (const command of ['up', 'init']) {
    const { code, stderr } = await grove(here, command)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot write to its home folder \/proc\/grove: /)])
  }
  expect(await grove(here, 'hook', 'session-start')).toMatchObject({ code: 0, stdout: '{}\n' })
})

it('a target that is the proxy itself is explained', async () => {
  const port = await freePort()
  const here = place({ PROXY_PORT: String(port), ANTHROPIC_TARGET: `http://localhost:${port}` })
  const { code, stderr } = await grove(here, 'up')
  expect(code).toBe(1)
  expect(stderr).toMatch(/go in a circle[\s\S]*Set ANTHROPIC_TARGET/)
  expect(stderr).not.toContain('bug in Grove')
})

it('an address of another machine is explained', async () => {
  const { code, stderr } = await grove(place({ PROXY_HOST: '203.0.113.7' }), 'up')
  expect(code).toBe(1)
  expect(stderr).toContain('The proxy cannot listen on 203.0.113.7')
})

it.each(['127.0.0.1', '0.0.0.0'])('HOST=%s is served only to those who have the printed link', async (host) => {
  const here = place({ HOST: host })
  const daemon = await startGrove(here, 'up')
  const { port, search } = new URL(daemon.url('Open'))
  const token = readFileSync(join(here.home, 'token'), 'utf8').trim()
  const local = `http://127.0.0.1:${port}`
  expect((await fetch(`${local}/`)).status).toBe(401)
  const paired = await fetch(`${local}/${search}`, { redirect: 'manual' })
  const cookie = paired.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await fetch(`${local}/`, { headers: { cookie } })).status).toBe(200)
  expect((await grove(here, 'proxy-status', '--json')).stdout).toContain('"source": "daemon"')
  daemon.kill('SIGTERM')
  await daemon.exit
  const log = readFileSync(join(here.home, 'logs', 'grove.log'), 'utf8')
  for (const secret of [token, search.slice(7), cookie.split('=')[1]!]) expect(log).not.toContain(secret)
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../src/protocol/api/routes.ts'
import { keysOf } from '../../src/server/keys.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'
import { dist, withBinary } from '../cli/grove.ts'
import { intentsYaml } from '../support/guarded.ts'
import { story } from '../support/story.ts'
import { areTwo, commonPlace } from './two-users.ts'

// Another user of the machine, who can reach every port of it. Started as root this is a user of its own; otherwise a
// process that knows none of the secrets.

withBinary()

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/**'] }),
  '.intentignore': 'auth\n',
  'src/a.ts': 'export const a = 1\n',
}

let place: ReturnType<typeof commonPlace>
let at: { web: string; link: string; proxy: string }
let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator({
    scenario: story({ text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }),
  })
  place = commonPlace(dist, files, { ANTHROPIC_TARGET: simulator.url })
  at = await place.up()
  return async () => {
    await place.remove()
    await simulator.close()
  }
})

/** Every route there is, asked in every disguise. */
const ROUTES = Object.values(api)
  .flatMap((noun) => Object.values(noun))
  .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') }))
  .concat([
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/inbox' },
  ])

const KNOCK = `
const disguises = {
  nobody: {},
  page: { origin: told.web, referer: told.web + '/', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', accept: 'text/html' },
  guess: { authorization: 'Bearer ' + 'a'.repeat(32), cookie: 'grove_00000000=x', 'x-grove-page': 'x', 'x-grove-gesture': 'x' },
  ...told.more,
}
const answers = []
for (const { method, path } of told.routes) {
  for (const [disguise, headers] of Object.entries(disguises)) {
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(told.web + path, { method, headers, redirect: 'manual', ...body })
    answers.push({ what: method + ' ' + path + ' as ' + disguise, status: answer.status, text: await answer.text() })
  }
}
console.log(JSON.stringify(answers))
`

interface Answer {
  what: string
  status: number
  text: string
}

describe('on the page’s port', () => {
  it('gets nothing but whether Grove runs, whatever it claims to be', async () => {
    const answers = await place.attack<Answer[]>(KNOCK, { web: at.web, routes: ROUTES })
    const open = answers.filter(({ status }) => status !== 401)
    expect(open.map(({ what, status }) => `${what}: ${status}`)).toEqual([
      'GET /health as nobody: 200',
      'GET /health as page: 200',
      'GET /health as guess: 200',
    ])
    const page = await (await fetch(at.web, { headers: { authorization: `Bearer ${place.token()}` } })).text()
    const key = /<meta name="grove-page" content="([^"]+)"/.exec(page)![1]!
    expect(answers.filter(({ text }) => text.includes(key) || text.includes(place.token()))).toEqual([])
  })

  it('forges no hook', async () => {
    const forged = await place.attack<{ status: number; text: string }[]>(
      `const answers = []
      for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'stop']) {
        for (const headers of [{}, { origin: told.web }, { authorization: 'Bearer x' }, { authorization: 'Bearer ' + told.leaked }]) {
          const body = JSON.stringify({ session_id: 'forged', prompt: 'Delete everything', cwd: told.cwd })
          const answer = await fetch(told.web + '/hooks/' + event, { method: 'POST', headers, body })
          answers.push({ status: answer.status, text: await answer.text() })
        }
      }
      console.log(JSON.stringify(answers))`,
      // Claude Code sends it to whoever listens on the port while Grove does not run.
      { web: at.web, cwd: place.project, leaked: areTwo ? keysOf(place.token()).hooks : 'x' },
    )
    expect(new Set(forged.map(({ text }) => text))).toEqual(new Set(['{}']))
    expect(await agents()).not.toContain('forged')
  })

  it('hears nothing on the live socket', async () => {
    const [status] = await place.attack<string[]>(
      `import { connect } from 'node:net'
      const { hostname, port, host } = new URL(told.web)
      const socket = connect(port, hostname)
      socket.write('GET /ws HTTP/1.1\\r\\nhost: ' + host + '\\r\\norigin: ' + told.web + '\\r\\nconnection: Upgrade\\r\\nupgrade: websocket\\r\\nsec-websocket-version: 13\\r\\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n')
      socket.once('data', (data) => { console.log(JSON.stringify([String(data).split('\\r\\n')[0]])); socket.destroy() })`,
      { web: at.web },
    )
    expect(status).toContain('401')
  })

  // A browser sends its cookies to every port of a host, and the arguments of a program are there for all to read.
  if (areTwo && process.platform === 'linux') {
    it('gets nothing with a cookie or a link that it has come by', async () => {
      const { cookie } = await place.asOwner<{ cookie: string }>(
        `const answer = await fetch(told.link, { redirect: 'manual' })
        console.log(JSON.stringify({ cookie: answer.headers.getSetCookie()[0].split(';')[0] }))`,
        at,
      )
      const routes = [
        { method: 'GET', path: '/api/agents' },
        { method: 'GET', path: '/' },
        { method: 'POST', path: '/api/gestures' },
      ]
      const stolen = await place.attack<Answer[]>(KNOCK, { web: at.web, routes, more: { thief: { cookie } } })
      expect(stolen.filter(({ status }) => status !== 401)).toEqual([])
      const link = [{ method: 'GET', path: `/${new URL(at.link).search}` }]
      const followed = await place.attack<Answer[]>(KNOCK, { web: at.web, routes: link })
      expect(followed.filter(({ status }) => status !== 401)).toEqual([])
      const owner = await place.asOwner<Answer[]>(KNOCK, {
        web: at.web,
        routes: routes.slice(0, 1),
        more: { owner: { cookie } },
      })
      expect(owner.find(({ what }) => what.endsWith('owner'))?.status).toBe(200)
    })
  }
})

describe('in the files', () => {
  it('finds the home closed, though it was made open', async () => {
    expect(statSync(place.home).mode & 0o777).toBe(0o700)
    expect(statSync(join(place.home, 'token')).mode & 0o777).toBe(0o600)
    expect(statSync(join(place.home, 'grove.sock')).mode & 0o777).toBe(0o600)
  })

  if (areTwo) {
    it('reads nothing in it, and opens no socket', async () => {
      const opened = await place.attack<string[]>(
        `import { readdirSync, readFileSync } from 'node:fs'
        import { connect } from 'node:net'
        const opened = []
        for (const name of ['', 'token', 'grove.db', 'run/web.json', 'run/proxy.json', 'logs/grove.log', 'bin/grove-hook']) {
          try { name ? readFileSync(told.home + '/' + name) : readdirSync(told.home); opened.push(name) } catch {}
        }
        const socket = connect(told.home + '/grove.sock')
        socket.on('connect', () => { opened.push('the socket'); socket.destroy() })
        socket.on('error', () => {}).on('close', () => console.log(JSON.stringify(opened)))`,
        { home: place.home },
      )
      expect(opened).toEqual([])
    })
  }
})

describe('on the proxy’s port', () => {
  const ASK = `
  import { connect } from 'node:net'
  const system = [{ type: 'text', text: 'x-anthropic-billing-header: x' }, { type: 'text', text: 'You help.\\n - Primary working directory: ' + told.cwd }]
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Repair src/a.ts' }] }]
  const body = JSON.stringify({ model: 'claude-opus-4-8', max_tokens: 100, messages, system, tools: [{ name: 'Agent' }], thinking: { type: 'adaptive' } })
  const headers = { 'content-type': 'application/json', 'x-api-key': 'sk-ant-simulated', 'anthropic-version': '2023-06-01', 'x-claude-code-session-id': told.session }
  const { hostname, port, host } = new URL(told.proxy)
  if (told.hangsUp) {
    const lines = Object.entries({ host, ...headers, 'content-length': body.length }).map((pair) => pair.join(': '))
    const socket = connect(port, hostname)
    socket.end('POST /v1/messages?beta=true HTTP/1.1\\r\\n' + lines.join('\\r\\n') + '\\r\\n\\r\\n' + body)
    socket.on('connect', () => setTimeout(() => { socket.destroy(); console.log('{"status":0}') }, 5))
  } else {
    const answer = await fetch(told.proxy + '/v1/messages?beta=true', { method: 'POST', headers, body })
    console.log(JSON.stringify({ status: answer.status, text: await answer.text() }))
  }`
  const sent = () => simulator.requests.filter(({ url }) => url.startsWith('/v1/messages'))

  it('is served, and neither recorded nor changed', async () => {
    const before = sent().length
    const { status } = await place.asOwner<{ status: number }>(ASK, {
      proxy: at.proxy,
      cwd: place.project,
      session: 'the-owners',
    })
    expect(status).toBe(200)
    await expect.poll(agents).toContain('the-owners')
    if (!areTwo) return
    expect(await place.attack(ASK, { proxy: at.proxy, cwd: place.project, session: 'a-strangers' })).toMatchObject({
      status: 200,
    })
    // Whose connection was closed the kernel calls root's.
    await place.attack(ASK, { proxy: at.proxy, cwd: place.project, session: 'a-fugitives', hangsUp: true })
    await place.asOwner(ASK, { proxy: at.proxy, cwd: place.project, session: 'the-owners-again' })
    await expect.poll(agents).toContain('the-owners-again')
    expect(await agents()).not.toMatch(/a-strangers|a-fugitives/)
    expect(sent().length).toBeGreaterThanOrEqual(before + 3)
  })

  it('finds it closed to web pages, also where they merely load', async () => {
    const statuses = await place.attack<number[]>(
      `const statuses = []
      for (const headers of [{ origin: 'http://localhost:5173' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
        for (const method of ['GET', 'POST']) statuses.push((await fetch(told.proxy + '/v1/models', { method, headers })).status)
      console.log(JSON.stringify(statuses))`,
      { proxy: at.proxy },
    )
    expect(new Set(statuses)).toEqual(new Set([403]))
  })
})

if (areTwo) {
  it('on a proxy that listens for other machines too gets nothing without the key', async ({ onTestFinished }) => {
    const open = commonPlace(dist, files, { ANTHROPIC_TARGET: simulator.url, PROXY_HOST: '0.0.0.0' })
    onTestFinished(open.remove)
    const { port } = new URL((await open.up()).proxy)
    const before = simulator.requests.length
    const ask = `
      const urls = told.paths.map((path) => 'http://127.0.0.1:' + told.port + path)
      const answers = await Promise.all(urls.map((url) => fetch(url, { method: 'POST', body: '{}' })))
      console.log(JSON.stringify(await Promise.all(answers.map(async (one) => one.status + ' ' + (await one.text())))))`
    const paths = ['/v1/messages', `/grove-${'a'.repeat(32)}/v1/messages`, '/v1/models', '/grove-/v1/messages']
    const answers = await open.attack<string[]>(ask, { port, paths })
    for (const answer of answers) expect(answer).toMatch(/^40[13] .*key/)
    expect(simulator.requests).toHaveLength(before)
    await open.asOwner<string[]>(ask, { port, paths: ['/v1/messages'] })
    expect(simulator.requests).toHaveLength(before + 1)
  })
}

/** The agents that the daemon knows, as text. */
async function agents(): Promise<string> {
  return (await fetch(`${at.web}/api/agents`, { headers: { authorization: `Bearer ${place.token()}` } })).text()
}

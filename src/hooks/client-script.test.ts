import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { tempHome } from '../../test/support/home.ts'
import type { AnswerHook } from './answer-hook.ts'
import { clientScript } from './client-script.ts'
import { openHookSocket } from './socket.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const shells = ['sh', 'dash', 'bash', 'busybox'].filter((name) =>
  ['/bin', '/usr/bin'].some((folder) => existsSync(join(folder, name))),
)

// Every byte that UTF-8 text can hold, and what a shell could trip over.
const everyCharacter = Array.from({ length: 0x250 }, (_, i) => String.fromCodePoint(i + 1)).join('')
const awkward = `${everyCharacter}€🥛 $(touch x) \`id\` \${HOME} \\n %s 'one' "two"\nPAYLOAD\n\n`

describe.each(shells)('the hook client in %s', (shell) => {
  it('carries payload and answer through unharmed', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, shell)
    await stage.daemon(async (event, body) => ({ systemMessage: event, reason: body.trimEnd() }))
    const payload = JSON.stringify({ awkward, plain: '%d$HOME' })
    const { code, stdout, stderr } = await stage.run('post-tool-use', payload)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ systemMessage: 'post-tool-use', reason: payload })
  })

  it('carries five megabytes', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, shell)
    await stage.daemon(async (_event, body) => ({ reason: String(body.trimEnd().length) }))
    const payload = JSON.stringify({ text: 'x'.repeat(5_000_000) })
    expect(JSON.parse((await stage.run('stop', payload)).stdout)).toEqual({ reason: String(payload.length) })
  })

  it('asks Node, with the same input, when nobody answers', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, shell)
    const { code, stdout } = await stage.run('stop', awkward)
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      args: ['hook', 'stop', 'ask'],
      home: stage.home,
      input: awkward,
    })
  })
})

describe.concurrent('the hook client', () => {
  it('asks Node when the daemon has trouble, and does not let it ask again', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    const server = createServer((_request, response) => response.writeHead(500).end('{"decision":"block"}'))
    server.listen(join(stage.home, 'grove.sock'))
    onTestFinished(() => void server.close())
    expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toMatchObject({ args: ['hook', 'stop', 'alone'] })
  })

  it('asks Node when the daemon falls silent', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    const server = createServer(() => {}).listen(join(stage.home, 'grove.sock'))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toMatchObject({ args: ['hook', 'stop', 'alone'] })
  })

  it('asks Node at once when the daemon was stopped, or was silent a moment ago', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    let asked = 0
    await stage.daemon(async () => ({ reason: `asked ${++asked}` }))
    // With a title of two words, as a daemon gives itself.
    const titled = 'process.title = "grove up"; setTimeout(() => {}, 600_000); console.log("up")'
    const stopped = spawn(process.execPath, ['-e', titled])
    onTestFinished(() => void stopped.kill('SIGKILL'))
    await once(stopped.stdout, 'data')
    stopped.kill('SIGSTOP')
    const isStopped = () => /\) T /.test(readFileSync(`/proc/${stopped.pid}/stat`, 'utf8'))
    while (existsSync('/proc/self/stat') && !isStopped()) await sleep(10)
    const run = join(stage.home, 'run')
    await mkdir(run)
    await writeFile(join(run, 'web.json'), JSON.stringify({ pid: stopped.pid, host: 'here' }))
    const alone = { args: ['hook', 'stop', 'alone'], input: '{}' }
    if (existsSync('/proc/self/stat')) expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toMatchObject(alone)
    await writeFile(join(run, 'web.json'), JSON.stringify({ pid: process.pid, host: 'here' }))
    expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toEqual({ reason: 'asked 1' })

    await writeFile(join(run, 'silent'), `${Math.floor(Date.now() / 1000) + 600}\n`)
    expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toMatchObject(alone)
    await writeFile(join(run, 'silent'), '1000\n')
    expect(JSON.parse((await stage.run('stop', '{}')).stdout)).toEqual({ reason: 'asked 2' })
  })

  it('asks Node where there is no curl', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    await stage.daemon(async () => ({ reason: 'from the daemon' }))
    await mkdir(join(stage.home, 'path'))
    await symlink('/bin/cat', join(stage.home, 'path', 'cat'))
    const { stdout } = await stage.run('stop', '{}', { PATH: join(stage.home, 'path') })
    expect(JSON.parse(stdout)).toMatchObject({ args: ['hook', 'stop', 'ask'] })
  })

  it("is not led astray by the user's curl settings or by a proxy of the network", async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    await stage.daemon(async () => ({ reason: 'from the daemon' }))
    await writeFile(join(stage.home, '.curlrc'), 'include\nverbose\nproxy = http://127.0.0.1:9\n')
    const proxies = { http_proxy: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' }
    expect((await stage.run('stop', '{}', proxies)).stdout).toBe('{"reason":"from the daemon"}\n')
  })

  it('waits for an answer that waits for a person', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished)
    await stage.daemon(async () => {
      await new Promise((done) => setTimeout(done, 7000))
      return { reason: 'approved' }
    })
    expect(JSON.parse((await stage.run('pre-tool-use', '{}')).stdout)).toEqual({ reason: 'approved' })
  })

  const gone = { client: '/nowhere/grove/dist/hook.cjs' }
  const damaged = { client: import.meta.filename.replace(/[^/]+$/, 'plugin.test.ts') }
  const noNode = { node: '/nowhere/node' }

  it.for([
    ['Grove is gone', gone, 'not where it was installed'],
    ['its files are damaged', damaged, 'files are damaged'],
    ['its Node is gone', noNode, 'Node is gone'],
    ['Node refuses to run with the variables of the user', {}, 'your NODE_OPTIONS'],
  ] as const)(
    'stops nobody when %s, and says so at the start of a session only',
    async ([, places, said], { onTestFinished }) => {
      const more = said.includes('NODE_OPTIONS') ? { NODE_OPTIONS: '--no-such-option' } : {}
      const stage = await setStage(onTestFinished)
      await writeFile(stage.script, clientScript({ ...stage.places, ...places }))
      // Without Node on the PATH either.
      const path = join(stage.home, 'path')
      await mkdir(path)
      for (const name of ['cat', 'sed', 'cp', 'mv', 'rm', 'sleep']) await symlink(`/bin/${name}`, join(path, name))
      const { code, stdout } = await stage.run('session-start', '{}', { PATH: path, ...more })
      expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, systemMessage: expect.stringContaining(said) })
      expect(await stage.run('pre-tool-use', '{}', { PATH: path, ...more })).toMatchObject({ code: 0, stdout: '' })
    },
  )

  it('spares Node the reading of certificates that no hook needs, unless embeddings are asked for', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(onTestFinished)
    const tell = ({ NODE_EXTRA_CA_CERTS: read, GROVE_EXTRA_CA_CERTS: kept }: NodeJS.ProcessEnv) => ({ read, kept })
    await writeFile(stage.places.client, `console.log(JSON.stringify((${tell})(process.env)))`)
    const told = async (more = {}) =>
      JSON.parse((await stage.run('stop', '{}', { NODE_EXTRA_CA_CERTS: '/certs', ...more })).stdout)
    expect(await told()).toEqual({ kept: '/certs' })
    expect(await told({ GROVE_EMBEDDINGS_URL: 'https://models.example/v1' })).toEqual({ read: '/certs' })
    await writeFile(join(stage.home, 'config.toml'), '[drift]\ncheck_interval = 2\n')
    expect(await told()).toEqual({ kept: '/certs' })
    await writeFile(join(stage.home, 'config.toml'), '[embeddings]\nurl = "https://models.example/v1"\n')
    expect(await told()).toEqual({ read: '/certs' })
  })

  it('points settings past the proxy when nothing else of Grove can run, and changes nothing else in them', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(onTestFinished)
    const proxy = { url: 'http://127.0.0.1:8080', direct: 'https://api.anthropic.com' }
    await writeFile(stage.script, clientScript({ ...stage.places, ...gone, proxy }))
    const settings = join(stage.home, 'settings.json')
    const text = (url: string) =>
      `{ "model": "x",\n  "env": {"ANTHROPIC_BASE_URL":   "${url}", "A": "http://127.0.0.1:8080"} }`
    await writeFile(settings, text(proxy.url), { mode: 0o600 })
    await mkdir(join(stage.home, 'attached'))
    await writeFile(join(stage.home, 'attached', 'a.json'), JSON.stringify({ settings, trace: {} }, null, 2))
    await stage.run('session-start', '{}', { ANTHROPIC_BASE_URL: 'https://gateway.example' })
    expect(readFileSync(settings, 'utf8')).toBe(text(proxy.url))
    await stage.run('session-start', '{}', { ANTHROPIC_BASE_URL: proxy.url })
    expect(readFileSync(settings, 'utf8')).toBe(text(proxy.direct))
    expect(statSync(settings).mode & 0o777).toBe(0o600)
    // A client that has not followed its settings sends nothing to whoever may listen there now.
    const prompt = (url: string) => stage.run('user-prompt-submit', '{}', { ANTHROPIC_BASE_URL: url })
    expect(JSON.parse((await prompt(proxy.url)).stdout)).toEqual({
      decision: 'block',
      reason: expect.stringContaining('nothing was sent'),
    })
    expect(await prompt(proxy.direct)).toMatchObject({ code: 0, stdout: '' })
  })

  it.for([
    ['itself', 'a daemon'],
    ['the shell that asks', 'a daemon'],
    ['the shell that asks', 'Node'],
    ['what it waits for', 'Node'],
  ] as const)(
    'says no before a tool when %s is killed while %s lets it wait',
    async ([who, whom], { onTestFinished }) => {
      const stage = await setStage(onTestFinished)
      let isAsked = () => existsSync(join(stage.home, 'asked'))
      let letGo = () => {}
      if (whom === 'Node') {
        const wait = `require('fs').writeFileSync(${JSON.stringify(join(stage.home, 'asked'))}, '')\nsetTimeout(() => {}, 20_000)`
        await writeFile(stage.places.client, wait)
      } else {
        let asked = false
        const answered = new Promise<void>((resolve) => {
          letGo = resolve
        })
        const deny = { permissionDecision: 'deny', permissionDecisionReason: 'nobody has answered' } as const
        await stage.daemon(async () => {
          asked = true
          await answered
          return { hookSpecificOutput: { hookEventName: 'PreToolUse' as const, ...deny } }
        })
        isAsked = () => asked
      }
      const child = stage.start('pre-tool-use', '{}')
      const said = text(child.stdout)
      while (!isAsked()) await sleep(20)
      // A Node that is ended before it can have decided anything is no reason to hold the agent up.
      if (who === 'what it waits for') await sleep(4000)
      const asking = childOf(child.pid!)
      process.kill(who === 'itself' ? child.pid! : who === 'the shell that asks' ? asking : childOf(asking), 'SIGKILL')
      if (who === 'itself') await once(child, 'exit')
      letGo()
      expect(JSON.parse(await said)).toMatchObject(DENIED)
    },
  )

  it.for([
    ['says no', 'where intents are in force', '.orchestration'],
    ['goes on', 'elsewhere', 'src'],
  ] as const)(
    '%s %s when the check before a tool computes without end',
    async ([said, , folder], { onTestFinished }) => {
      const stage = await setStage(onTestFinished)
      await mkdir(join(stage.home, folder))
      await mkdir(join(stage.home, 'deeper'))
      await writeFile(stage.places.client, 'for (;;) {}')
      const script = readFileSync(stage.script, 'utf8')
      await writeFile(stage.script, script.replace(/ulimit -S -t \d+/, 'ulimit -S -t 1'))
      // A folder that is named from nowhere has no folders above it.
      const nowhere = { CLAUDE_PROJECT_DIR: 'nowhere' }
      const { code, stdout } = await stage.run('pre-tool-use', '{}', nowhere, join(stage.home, 'deeper'))
      expect(code).toBe(0)
      if (said === 'says no') expect(JSON.parse(stdout)).toMatchObject(DENIED)
      else expect(stdout).toBe('')
    },
  )

  it('of the plugin is the same script, finding its way by itself', () => {
    const plugin = join(import.meta.dirname, '..', '..', 'plugin', 'bin', 'grove-hook')
    expect(readFileSync(plugin, 'utf8')).toBe(clientScript())
  })
})

const DENIED = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').at(-1))
}

type WhenFinished = (work: () => Promise<void> | void) => void

/** A home with spaces and quotes in its name, the script in it, and a Node client that tells how it was called. */
async function setStage(whenFinished: WhenFinished, shell = 'sh') {
  const home = join(await tempHome(whenFinished), "it's here")
  await mkdir(home)
  const client = join(home, 'client.cjs')
  await writeFile(
    client,
    `const input = require('fs').readFileSync(0, 'utf8')
     console.log(JSON.stringify({ args: process.argv.slice(2), home: process.env.GROVE_HOME, input }))`,
  )
  const script = join(home, 'grove-hook')
  const places = { home, socket: join(home, 'grove.sock'), node: process.execPath, client }
  await writeFile(script, clientScript(places))
  await chmod(script, 0o755)

  async function daemon(answer: AnswerHook) {
    whenFinished((await openHookSocket({ path: places.socket, answer, log: silent })).close)
  }

  function start(event: string, input: string, more: Record<string, string> = {}, cwd = home) {
    const env = { PATH: '/usr/bin:/bin', HOME: home, ...more }
    const child = spawn(`/bin/${shell}`, [...(shell === 'busybox' ? ['sh'] : []), script, event], { env, cwd })
    child.stdin.end(input)
    return child
  }

  async function run(event: string, input: string, more: Record<string, string> = {}, cwd = home) {
    const child = start(event, input, more, cwd)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const code = child.exitCode ?? (await new Promise<number | null>((done) => child.once('close', done)))
    return { code, stdout, stderr }
  }

  return { home, script, places, daemon, start, run }
}

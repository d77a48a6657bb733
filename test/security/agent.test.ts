import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'
import { intentsYaml } from '../support/guarded.ts'
import { createProject, type Project } from '../support/project.ts'

// An agent that tries to answer for a person. It runs what it likes, as the user whose machine it is, and has read every
// secret of the home.

withBinary()

let project: Project
let at: Place
let daemon: Running
let agent: ReturnType<typeof startAgent>

beforeAll(async () => {
  project = await createProject({
    '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/**'] }),
    '.intentignore': 'auth\n',
    'src/a.ts': 'export const a = 1\n',
  })
  at = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  daemon = await startGrove(at, 'up')
  agent = startAgent()
  return async () => {
    agent.end()
    daemon.kill('SIGKILL')
    await daemon.exit
    await project.remove()
  }
})

/** A process that is called like Claude Code, and a shell that it runs commands in. */
function startAgent() {
  const code = `
  const { spawnSync } = require('node:child_process')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { code, stdout, stderr, status } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
    console.log(JSON.stringify({ code: status, said: stdout + stderr }))
  })`
  const child = spawn(process.execPath, ['-e', code], { argv0: 'claude', cwd: at.cwd, env: at.env, stdio: 'pipe' })
  child.stdout.setEncoding('utf8')
  return {
    async runs(command: string): Promise<{ code: number; said: string }> {
      child.stdin.write(`${command}\n`)
      let answer = ''
      while (!answer.endsWith('\n')) answer += (await once(child.stdout, 'data'))[0]
      return JSON.parse(answer)
    },
    end: () => void child.kill('SIGKILL'),
  }
}

const call = (...words: string[]) => [process.execPath, join(dist, 'grove.js'), ...words].map(quote).join(' ')
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
/** Without any variable that would tell of an agent. */
const bare = () =>
  `env -i ${Object.entries(at.env)
    .map(([name, value]) => quote(`${name}=${value}`))
    .join(' ')}`
const settings = () => readFileSync(join(at.env.HOME!, '.claude', 'settings.json'), 'utf8')

describe('by its shell', () => {
  it.each([
    ['detach Grove', ['unregister']],
    ['attach it elsewhere', ['init', '--transport', 'http']],
    ['stop it', ['stop']],
    ['start it with other variables', ['restart']],
    ['switch it off', ['pause', '--all']],
    ['delete memories', ['memories', 'delete', 'mem_1', '--yes']],
    ['leave the team', ['team', 'leave']],
    ['take back what was shared', ['team', 'forget', '--yes']],
    ['declare an intent', ['intent', 'add', 'All', '--scope', '**']],
    ['close an intent', ['intent', 'done', 'auth']],
    ['answer a request', ['intent', 'approve', 'apr-1']],
  ])('cannot %s', async (_what, words) => {
    const before = settings()
    const { code, said } = await agent.runs(`${bare()} ${call(...words)}`)
    expect(said).toContain('An agent cannot')
    expect(code).not.toBe(0)
    expect(settings()).toBe(before)
  })

  it('cannot by starting what Grove itself detaches with', async () => {
    const before = settings()
    const detacher = join(at.home, 'bin', 'grove-detach.cjs')
    expect(existsSync(detacher)).toBe(true)
    const { said } = await agent.runs(`${bare()} ${quote(process.execPath)} ${quote(detacher)}`)
    expect(said).toContain('An agent cannot')
    expect(settings()).toBe(before)
  })

  it('cannot by a process that sheds its parents, its variables and its terminal', async () => {
    for (const [n, way] of ['setsid -f', 'nohup setsid -f', 'setsid -f script -qec'].entries()) {
      const file = join(at.home, `said-${n}`)
      const words = `${call('pause', '--all')} >${quote(file)} 2>&1`
      const pretended = way.endsWith('-qec') ? `${quote(words)} /dev/null` : `/bin/sh -c ${quote(words)}`
      await agent.runs(`${bare()} ${way} ${pretended} >/dev/null 2>&1`)
      await expect
        .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 30_000 })
        .toMatch(/cannot tell whether a person|An agent cannot/)
    }
    expect((await grove(at, 'status')).stdout).not.toContain('paused')
  })

  const hasPython = spawnSync('python3', ['-c', 'import pty, ctypes']).status === 0
  it.runIf(hasPython).each([
    ['sheds its parents', 'if os.fork(): os._exit(0)', ''],
    ['looks as if it had ended', '', 'ctypes.CDLL(None).syscall({"x86_64": 60}.get(os.uname().machine, 93), 0)'],
  ])('cannot from a terminal that a program makes for itself, when it %s', async (_how, before, after) => {
    const file = join(at.home, 'said-terminal')
    const code = `
import ctypes, fcntl, os, signal, sys, termios, threading, time
${before}
def work():
    time.sleep(0.3)
    main, side = os.openpty()
    os.set_inheritable(main, True)
    leader = os.fork()
    if leader == 0:
        os.setsid()
        fcntl.ioctl(side, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(0.3)
            os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])
        os.wait()
    elif ${before ? 'False' : 'True'}:
        os.waitpid(leader, 0)
    os._exit(0)
threading.Thread(target=work).start()
${after}
`
    const words = `${call('pause', '--all')} >${quote(`${file}.draft`)} 2>&1; mv ${quote(`${file}.draft`)} ${quote(file)}`
    writeFileSync(join(at.home, 'terminal.py'), code)
    await agent.runs(`${bare()} setsid python3 ${quote(join(at.home, 'terminal.py'))} ${quote(words)}`)
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 30_000 })
      .toMatch(/cannot tell whether a person|An agent cannot/)
    rmSync(file)
  })

  const mayUnshare = spawnSync('unshare', ['-rm', 'true']).status === 0
  it.runIf(mayUnshare).each([
    ['its own processes only', `unshare -rpf --mount-proc ${call('pause', '--all')}`],
    ['no processes at all', `unshare -rm sh -c ${quote(`mount -t tmpfs none /proc; ${call('pause', '--all')}`)}`],
  ])('cannot from where it sees %s', async (_what, command) => {
    const { code, said } = await agent.runs(`${bare()} ${command}`)
    expect(said).toContain('cannot tell whether a person')
    expect(code).not.toBe(0)
  })
})

describe('by HTTP', () => {
  const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    `${bare()} curl -s -X ${method} ${Object.entries(headers)
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
      .join(
        ' ',
      )} ${body ? `-H 'content-type: application/json' -d ${quote(JSON.stringify(body))}` : ''} ${quote(daemon.url('Web') + path)}`

  it('cannot with the token', async () => {
    for (const [method, path, body] of [
      ['DELETE', '/api/memories/mem_1'],
      ['POST', '/api/approvals/apr-1', { answer: 'approve' }],
      ['POST', '/api/intents', { name: 'All', ownedScope: ['**'] }],
      ['PATCH', '/api/intents/auth', { status: 'done' }],
      ['POST', '/api/links'],
    ] as [string, string, object?][]) {
      const { said } = await agent.runs(ask(method, path, daemon.asTool(), body))
      expect(JSON.parse(said)).toMatchObject({ code: 'only_people' })
    }
    // A person's own program can.
    const answer = await fetch(`${daemon.url('Web')}/api/approvals/apr-1`, {
      method: 'POST',
      headers: { ...daemon.asTool(), 'content-type': 'application/json' },
      body: '{"answer":"approve"}',
    })
    expect(await answer.json()).toMatchObject({ code: 'approval_not_found' })
  })

  it('cannot with the link, the cookie, the key of the page and a word for a click that nobody has made', async () => {
    const opened = await fetch(daemon.url('Open'), { redirect: 'manual' })
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const page = await (await fetch(daemon.url('Web'), { headers: { cookie } })).text()
    const key = /<meta name="grove-page" content="([^"]+)"/.exec(page)![1]!
    const headers = { cookie, origin: daemon.url('Web'), 'x-grove-page': key }
    const path = '/api/approvals/apr-1'
    const word = await agent.runs(ask('POST', '/api/gestures', headers, { for: `POST ${path}` }))
    const gesture = { ...headers, 'x-grove-gesture': JSON.parse(word.said).gesture }
    const { said } = await agent.runs(ask('POST', path, gesture, { answer: 'approve' }))
    expect(JSON.parse(said)).toMatchObject({ code: 'only_people' })
    const without = await fetch(daemon.url('Web') + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"answer":"approve"}',
    })
    expect(await without.json()).toMatchObject({ code: 'gesture_required' })
  })

  it('cannot by a program that closes its end of the connection before it can be looked up', async () => {
    const opened = await fetch(daemon.url('Open'), { redirect: 'manual' })
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const page = await (await fetch(daemon.url('Web'), { headers: { cookie } })).text()
    const key = /<meta name="grove-page" content="([^"]+)"/.exec(page)![1]!
    const { host, port } = new URL(daemon.url('Web'))
    // The first request makes the connection known as this user's; the second is followed by the end at once.
    const code = `
    const head = (path, more, body) => ['POST ' + path + ' HTTP/1.1', 'host: ${host}', 'cookie: ${cookie}', 'x-grove-page: ${key}',
      'content-type: application/json', 'content-length: ' + body.length, ...more, '', body].join(String.fromCharCode(13, 10))
    const socket = require('node:net').connect(${port}, '127.0.0.1')
    socket.write(head('/api/gestures', [], JSON.stringify({ for: 'POST /api/pauses' })))
    socket.once('data', (answer) => {
      const { gesture } = JSON.parse(String(answer).slice(String(answer).indexOf('{')))
      socket.write(head('/api/pauses', ['x-grove-gesture: ' + gesture], JSON.stringify({ scope: { type: 'all' } })))
      socket.on('data', () => {}).destroySoon()
      process.exitCode = gesture ? 0 : 1
      setTimeout(() => process.exit(), 50)
    })`
    const file = join(at.home, 'hasty.cjs')
    writeFileSync(file, code)
    expect(await agent.runs(`${bare()} ${quote(process.execPath)} ${quote(file)}`)).toEqual({ code: 0, said: '' })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const answer = await fetch(`${daemon.url('Web')}/api/pauses`, { headers: daemon.asTool() })
    expect(await answer.json()).toEqual({ pauses: [] })
  })
})

it('a person in a terminal of their own is heard all the while', async () => {
  expect((await grove(at, 'pause', '1')).code).toBe(0)
  expect((await grove(at, 'resume')).code).toBe(0)
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { attempted } from './attempted.ts'

// What can become of a home, and of the machine, while agents work: every hook is answered, the daemon ends only where it is told
// to, and commands say what is wrong in words.

withBinary()

const CRASH = /should not happen|at .*\.js:\d|a bug in Grove/
const prompt = (cwd: string, id = 's') => ({
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Fix src/a.ts',
  session_id: id,
  cwd,
})

async function running(at: Place) {
  const daemon = await startGrove(at, 'up')
  const headers = { ...daemon.asTool(), 'content-type': 'application/json' }
  const tell = async (id: string) => {
    const body = JSON.stringify(prompt(at.cwd, id))
    return (await fetch(`${daemon.url('Web')}/hooks/user-prompt-submit`, { method: 'POST', headers, body })).status
  }
  const agents = async () => {
    const answer = await fetch(`${daemon.url('Web')}/api/agents`, { headers })
    return `${answer.status} ${await answer.text()}`
  }
  return { daemon, tell, agents }
}

function hook({ cwd, env }: Place, limits = ':', input: string | Buffer = JSON.stringify(prompt(cwd))) {
  const args = [
    '-c',
    `${limits} || true; exec "$0" "$@"`,
    process.execPath,
    join(dist, 'hook.cjs'),
    'user-prompt-submit',
  ]
  return spawnSync('/bin/bash', args, { cwd, env, input, encoding: 'utf8', timeout: 120_000 })
}

describe('a store that is harmed while it is open', () => {
  const HARMS: Record<string, (file: string) => void> = {
    'is cut to nothing': (file) => truncateSync(file, 0),
    'is cut in the middle': (file) => truncateSync(file, 20_000),
    'becomes something else': (file) => writeFileSync(file, Buffer.alloc(100_000, 'garbage ')),
    'loses its log': (file) => rmSync(`${file}-wal`, { force: true }),
    'loses its log’s index': (file) => rmSync(`${file}-shm`, { force: true }),
    'has a log of garbage': (file) => writeFileSync(`${file}-wal`, Buffer.alloc(100_000, 'x')),
    'is gone': (file) => rmSync(file),
    'gives way to a folder': (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    'gives way to a pipe': (file) => {
      rmSync(file)
      spawnSync('mkfifo', [file])
    },
    'gives way to a link': (file) => {
      rmSync(file)
      symlinkSync('/etc/passwd', file)
    },
  }
  it.each(attempted(Object.keys(HARMS), 3))(
    '%s',
    async (name) => {
      const at = place({ NODE_OPTIONS: '--max-old-space-size=600' })
      const { daemon, tell } = await running(at)
      expect(await tell('before')).toBe(200)
      HARMS[name]!(join(at.home, 'grove.db'))
      for (let n = 0; n < 5; n++) expect(await tell(`during-${n}`)).toBe(200)
      const during = await grove(at, 'status')
      expect(during.stdout + during.stderr).not.toMatch(CRASH)
      daemon.kill('SIGTERM')
      expect((await daemon.exit).signal).toBeNull()
      expect(daemon.stderr).not.toMatch(CRASH)
      expect(hook(at).status).toBe(0)
      const again = spawnSync(process.execPath, [join(dist, 'grove.js'), 'status'], {
        ...at,
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(again.signal).toBeNull()
      expect(again.stdout + again.stderr).not.toMatch(CRASH)
      expect(readFileSync('/etc/passwd', 'utf8')).toContain('root:')
    },
    300_000,
  )
})

describe('a home', () => {
  it('that becomes a link to elsewhere under a daemon', async () => {
    const at = place()
    const { daemon, tell } = await running(at)
    expect(await tell('before')).toBe(200)
    const elsewhere = `${at.home}-elsewhere`
    mkdirSync(elsewhere)
    renameSync(at.home, `${at.home}-old`)
    symlinkSync(elsewhere, at.home)
    for (let n = 0; n < 5; n++) expect(await tell(`during-${n}`)).toBe(200)
    expect(hook(at).status).toBe(0)
    daemon.kill('SIGTERM')
    expect((await daemon.exit).signal).toBeNull()
    expect(daemon.stderr).not.toMatch(CRASH)
  })

  const FILES = [
    'token',
    'config.toml',
    'run/web.json',
    'run/proxy.json',
    'logs/grove.log',
    'grove.sock',
    'bin/grove-hook',
    'personal-learnings.md',
  ]
  const KINDS: Record<string, (path: string) => void> = {
    'a folder': (path) => mkdirSync(path),
    nothing: (path) => writeFileSync(path, ''),
    garbage: (path) => writeFileSync(path, Buffer.alloc(1000, '\u0000\u00ff{[')),
    'ten megabytes': (path) => writeFileSync(path, Buffer.alloc(10_000_000, 'x')),
    'a link to itself': (path) => symlinkSync(path, path),
    'deep JSON': (path) => writeFileSync(path, '{"a":'.repeat(50_000)),
  }
  it.each(attempted(FILES, 4))(
    'with odd things at %s',
    async (name) => {
      const at = place()
      expect((await grove(at, 'init')).code).toBe(0)
      const { daemon, tell } = await running(at)
      for (const [kind, make] of Object.entries(KINDS)) {
        const path = join(at.home, name)
        rmSync(path, { recursive: true, force: true })
        mkdirSync(join(path, '..'), { recursive: true })
        make(path)
        expect(await tell(`${kind}`), kind).toBe(200)
        expect(hook(at).status, kind).toBe(0)
        for (const command of ['status', 'doctor', 'stop']) {
          if (command === 'stop' && kind !== 'deep JSON') continue
          const { code, stdout, stderr } = await grove(at, command)
          expect(code, `${command} with ${kind}`).not.toBeNull()
          expect(stdout + stderr, `${command} with ${kind}`).not.toMatch(CRASH)
        }
      }
      daemon.kill('SIGTERM')
      await daemon.exit
      expect(daemon.stderr).not.toMatch(CRASH)
    },
    600_000,
  )

  it.each([
    ['without HOME', { HOME: undefined }],
    ['with a HOME that is a device', { HOME: '/dev/null' }],
    ['below a device', { GROVE_HOME: '/dev/null/x' }],
    ['of a name with lines', { GROVE_HOME: '/tmp/a\nb' }],
    ['of a name that is too long', { GROVE_HOME: `/${'a'.repeat(300)}` }],
    ['of a path that is too long', { GROVE_HOME: '/tmp/a'.repeat(900) }],
    ['that is not absolute', { GROVE_HOME: 'relative' }],
    ['where no file can be made', { GROVE_HOME: '/proc' }],
    ['without a place for temporary files', { TMPDIR: '/nowhere/at/all' }],
    ['without programs', { PATH: '' }],
    ['in a locale that there is not', { LC_ALL: 'xx_XX.\u00ff', LANG: '\u0001', TZ: '../../etc/passwd' }],
    [
      'with settings of the wrong kind',
      {
        PORT: '1e309',
        PROXY_PORT: '-1',
        HOST: '\u0000'.slice(1) || ' ',
        LOG_LEVEL: '__proto__',
        DRIFT_CHECK_INTERVAL: 'NaN',
        ANTHROPIC_TARGET: 'javascript:alert(1)',
      },
    ],
  ] as [string, Record<string, string | undefined>][])(
    '%s stops no hook',
    async (_, more) => {
      const at = place()
      const env = { ...at.env, ...more } as Record<string, string>
      for (const key of Object.keys(env)) if (env[key] === undefined) delete env[key]
      expect(hook({ ...at, env }).status).toBe(0)
      for (const args of [['status'], ['doctor']]) {
        const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'grove.js'), ...args], {
          cwd: at.cwd,
          env,
          encoding: 'utf8',
          timeout: 60_000,
        })
        expect(status, args[0]).not.toBeNull()
        expect(stdout + stderr).not.toMatch(CRASH)
      }
      rmSync('/tmp/a\nb', { recursive: true, force: true })
    },
    200_000,
  )
})

describe('a machine that gives little', () => {
  it.each([
    'ulimit -n 16',
    'ulimit -n 24',
    'ulimit -v 700000',
    'ulimit -d 60000',
    'ulimit -d 150000',
    'ulimit -s 200',
    'ulimit -f 0',
    'ulimit -t 1',
    'exec 2>&-',
    'exec 1>&-',
    'exec 1>/dev/full',
    'exec 2>/dev/full',
    'umask 777',
    'trap "" PIPE TERM INT',
    'cd /proc/self/fd && unset PWD',
  ])(
    'lets a hook pass: %s',
    (limits) => {
      const at = place()
      expect(spawnSync(process.execPath, [join(dist, 'grove.js'), 'init'], at).status).toBe(0)
      const { status } = hook(at, limits)
      // What the system itself ends is no answer either, and the client goes on.
      const client = spawnSync(
        'bash',
        ['-c', `${limits} || true; exec "$0" user-prompt-submit`, join(at.home, 'bin', 'grove-hook')],
        { cwd: at.cwd, env: at.env, input: JSON.stringify(prompt(at.cwd)), encoding: 'utf8', timeout: 60_000 },
      )
      expect(status).not.toBe(2)
      expect(client.status).not.toBe(2)
    },
    200_000,
  )

  it('a hook is fed without end, nothing at all, or by a pipe that stays open', async () => {
    const at = place()
    for (const input of [
      '',
      ' ',
      '{',
      '\u0000',
      '[]',
      Buffer.alloc(40_000_000, 'x'),
      `{"a":"${'x'.repeat(40_000_000)}"}`,
    ]) {
      const { status, stderr } = hook(at, ':', input)
      expect(status).toBe(0)
      expect(stderr).not.toMatch(CRASH)
    }
    const child = spawn('bash', ['-c', 'yes "{" | "$0" "$@"', process.execPath, join(dist, 'hook.cjs'), 'stop'], {
      ...at,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = text(child.stdout)
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    await said
  }, 300_000)

  it('somebody answers in the daemon’s place, without end or with nonsense', async () => {
    const at = place()
    expect((await grove(at, 'init')).code).toBe(0)
    for (const answer of [
      '',
      'HTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{',
      `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_000_000)}`,
      'HTTP/1.1 204 No Content\r\n\r\n',
      '\u0000\u0001',
      'HTTP/1.1 500 x\r\ncontent-length: 2\r\n\r\n{}',
      'HTTP/1.1 302 x\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      'endless',
      'trickle',
    ]) {
      const path = join(at.home, 'grove.sock')
      rmSync(path, { force: true })
      const server = createServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', () => {
            if (answer === 'endless') {
              socket.write('HTTP/1.1 200 OK\r\n\r\n')
              const more = () => {
                while (socket.writable && socket.write(Buffer.alloc(65536, ' ')));
              }
              socket.on('drain', more)
              more()
            } else if (answer === 'trickle') setInterval(() => socket.writable && socket.write(' '), 200).unref()
            else socket.end(answer)
          })
      }).listen(path)
      await once(server, 'listening')
      for (const program of [[process.execPath, join(dist, 'hook.cjs')], [join(at.home, 'bin', 'grove-hook')]] as [
        string,
        string,
      ][]) {
        const child = spawn(program[0], [...program.slice(1), 'user-prompt-submit'], {
          cwd: at.cwd,
          env: at.env,
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        child.stdin.on('error', () => {}).end(JSON.stringify(prompt(at.cwd)))
        let _got = 0
        child.stdout.on('data', (chunk: Buffer) => {
          _got += chunk.length
        })
        const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
        const [code, _signal] = await once(child, 'close')
        clearTimeout(timer)
        expect([answer.slice(0, 40), code === 2]).toEqual([answer.slice(0, 40), false])
      }
      server.close()
    }
  }, 600_000)
})

describe('killed in the middle', () => {
  it.each([
    ['init', ['init']],
    ['unregister', ['unregister', '--yes']],
  ])(
    '%s leaves settings that are whole',
    async (_, words) => {
      const at = place()
      const settings = join(at.env.HOME!, '.claude', 'settings.json')
      mkdirSync(join(settings, '..'))
      writeFileSync(settings, '{\n  // mine\n  "model": "opus",\n  "hooks": {}\n}\n'.replace('  // mine\n', ''))
      for (let n = 0; n < 12; n++) {
        if (words[0] === 'unregister') await grove(at, 'init')
        const child = spawn(process.execPath, [join(dist, 'grove.js'), ...words], {
          cwd: at.cwd,
          env: at.env,
          stdio: 'ignore',
        })
        const gone = once(child, 'exit')
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 150 + n * 60))])
        child.kill('SIGKILL')
        await gone
        expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ model: 'opus' })
      }
      expect((await grove(at, 'init')).code).toBe(0)
      expect((await grove(at, 'unregister')).code).toBe(0)
      expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ model: 'opus' })
      expect(readFileSync(settings, 'utf8')).not.toContain('grove')
    },
    300_000,
  )
})

describe('a clock', () => {
  it.each([-60 * 365 * 86_400_000, 8.64e15 - 1.9e12, 3 * 86_400_000])(
    'that is wrong by %i ms stops no command and no hook',
    async (by) => {
      const at = place()
      const preload = join(at.cwd, 'clock.cjs')
      writeFileSync(
        preload,
        `const Real = Date; const now = () => Real.now() + (${by}); globalThis.Date = class extends Real { constructor(...a) { super(...(a.length === 0 ? [now()] : a)) } static now() { return now() } }`,
      )
      const wrong = { ...at, env: { ...at.env, NODE_OPTIONS: `--require ${preload}` } }
      const { daemon, tell, agents } = await running(wrong)
      expect(await tell('wrong')).toBe(200)
      expect(await agents()).toMatch(/^200/)
      for (const args of [['status'], ['learnings'], ['insights'], ['pause', '5'], ['resume'], ['doctor']]) {
        for (const one of [wrong, at]) {
          const { stdout, stderr } = await grove(one, ...args)
          expect(stdout + stderr, args[0]).not.toMatch(CRASH)
        }
      }
      expect(hook(wrong).status).toBe(0)
      expect(hook(at).status).toBe(0)
      daemon.kill('SIGTERM')
      expect((await daemon.exit).signal).toBeNull()
      expect(daemon.stderr).not.toMatch(CRASH)
      expect(existsSync(join(at.home, 'grove.db'))).toBe(true)
    },
    300_000,
  )
})

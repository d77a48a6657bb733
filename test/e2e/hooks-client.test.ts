import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { dist, type Place, place, startGrove, withBinary } from '../cli/grove.ts'

// `grove hook`, as the client calls it, with the daemon up and down: whatever it is sent, it answers with one JSON
// object and 0, because anything else would stop or disturb the agent.

withBinary()

const session = '7c6e1d6a-5a0c-4d0e-9d55-0f4a1c2b3d4e'
const prompt = { session_id: session, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login in src/login.ts' }
const write = (n: number, cwd: string) => ({
  session_id: session,
  cwd,
  hook_event_name: 'PostToolUse',
  tool_name: 'Write',
  tool_input: { file_path: join(cwd, `src/login-${n}.ts`), content: 'export {}\n' },
  tool_use_id: `toolu_${n}`,
  tool_response: {},
})

const oddities: [string, string, string][] = [
  ['no JSON', 'pre-tool-use', '{"session_id": "x", '],
  ['nothing at all', 'stop', ''],
  ['a number', 'stop', '7'],
  ['an event nobody knows', 'tea-time', '{"session_id":"x","hook_event_name":"TeaTime"}'],
  ['an event that is a path', '../../etc/passwd', '{"session_id":"x"}'],
  ['no event', '', '{"session_id":"x","hook_event_name":"Stop"}'],
  ['odd types', 'pre-tool-use', '{"session_id":7,"hook_event_name":["PreToolUse"],"tool_name":{}}'],
  ['bytes that are no text', 'post-tool-use', '\ufffd\u0000\u0001'],
]

describe.each(['up', 'down'])('grove hook, daemon %s', (daemon) => {
  const withDaemon = async (env?: Record<string, string>) => {
    const at = place(env)
    return { at, running: daemon === 'up' ? await startGrove(at, 'web') : undefined }
  }

  it('answers whatever it is sent', async () => {
    const { at } = await withDaemon()
    for (const [what, event, payload] of oddities) {
      const { code, stdout } = await hook(at, event, payload)
      // It decides nothing; the user may be told, in one line, that the client is not understood.
      const { systemMessage = '', ...decided } = parsed(stdout) as { systemMessage?: string }
      expect({ what, code, decided }).toEqual({ what, code: 0, decided: {} })
      expect(systemMessage).not.toContain('\n')
    }
  })

  it('reads five megabytes', async () => {
    const { at } = await withDaemon()
    const huge = { ...prompt, prompt: `Fix it: ${'äöü '.repeat(700_000)}` }
    expect(await hook(at, 'user-prompt-submit', JSON.stringify(huge))).toMatchObject({ code: 0, stderr: '' })
  })

  it('notes what it is told', async () => {
    const { at } = await withDaemon()
    await hook(at, 'user-prompt-submit', JSON.stringify({ ...prompt, cwd: at.cwd }))
    await hook(at, 'post-tool-use', JSON.stringify(write(1, at.cwd)))
    // What no answer depends on, a daemon sees to when the hook has been answered.
    await expect.poll(() => steps(at)).toEqual(['toolu_1'])
    expect(await hook(at, 'session-end', JSON.stringify({ session_id: session, reason: 'other' }))).toMatchObject({
      code: 0,
    })
    const ended = () => look(at, (store) => store.sessions.get(session))
    await expect.poll(async () => (await ended())?.endedAt).toBeDefined()
  })

  it('loses nothing when twenty come at once', async () => {
    const { at } = await withDaemon()
    await hook(at, 'user-prompt-submit', JSON.stringify({ ...prompt, cwd: at.cwd }))
    const all = Array.from({ length: 20 }, (_, n) => n)
    await Promise.all(all.map((n) => hook(at, 'post-tool-use', JSON.stringify(write(n, at.cwd)))))
    await expect.poll(async () => (await steps(at)).sort()).toEqual(all.map((n) => `toolu_${n}`).sort())
  })
})

it('http hooks are answered to those who know the token', async () => {
  const at = place()
  const running = await startGrove(at, 'web')
  const token = readFileSync(join(at.home, 'token'), 'utf8').trim()
  const knock = (headers: Record<string, string>) =>
    fetch(`${running.url('Web')}/hooks/user-prompt-submit`, { method: 'POST', headers, body: JSON.stringify(prompt) })
  // Not heard, and no error that the client would show.
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { origin: running.url('Web') }] as Record<
    string,
    string
  >[]) {
    const answer = await knock(headers)
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: {} })
  }
  expect(await look(at, (store) => store.sessions.get(session))).toBeUndefined()
  expect((await knock({ authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' })).status).toBe(403)
  const answer = await knock({ authorization: `Bearer ${token}` })
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: {} })
  await expect.poll(() => look(at, (store) => store.sessions.get(session))).toBeDefined()
})

describe('grove hook, on its own', () => {
  it('goes on when its home cannot be used', async () => {
    const at = place()
    writeFileSync(at.home, 'a file in its place')
    const { code, stdout, stderr } = await hook(at, 'stop', JSON.stringify({ session_id: session }))
    expect({ code, answer: parsed(stdout) }).toEqual({ code: 0, answer: {} })
    expect(stderr).toContain('the agent goes on')
  })

  it('goes on with a configuration that makes no sense', async () => {
    const at = place({ PORT: 'seven', GROVE_JUDGE: 'oracle' })
    mkdirSync(at.home)
    writeFileSync(join(at.home, 'config.toml'), '[proxy\nport = ')
    await hook(at, 'user-prompt-submit', JSON.stringify({ ...prompt, cwd: at.cwd }))
    await hook(at, 'post-tool-use', JSON.stringify(write(1, at.cwd)))
    expect(await steps(at)).toEqual(['toolu_1'])
  })

  it('starts quicker from the second time on, and starts anyway when what it kept is damaged', async () => {
    const at = place()
    const ask = () => hook(at, 'stop', JSON.stringify({ session_id: session }))
    const isFine = { code: 0, stdout: '{}\n', stderr: '' }
    await ask()
    const cache = join(at.home, 'cache')
    const [name] = readdirSync(cache)
    expect(name).toMatch(/-stop\.bin$/)
    const kept = join(cache, name!)
    const sound = readFileSync(kept)
    const inTheMiddle = Buffer.from(sound).fill(0xff, sound.length / 2, sound.length / 2 + 64)
    for (const damaged of ['', 'damaged', inTheMiddle, sound.subarray(0, sound.length / 2)]) {
      writeFileSync(kept, damaged)
      expect(await ask()).toMatchObject(isFine)
    }
    rmSync(cache, { recursive: true })
    writeFileSync(cache, 'a file in its place')
    expect(await ask()).toMatchObject(isFine)
  })

  it('writes nothing into its installation', async () => {
    const at = place()
    const files = () => readdirSync(dist, { recursive: true }).sort()
    const before = files()
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']) {
      const payload = { ...write(1, at.cwd), ...prompt, hook_event_name: event, source: 'startup', reason: 'other' }
      const name = event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
      expect(await hook(at, name, JSON.stringify(payload))).toMatchObject({ code: 0, stderr: '' })
    }
    expect(files()).toEqual(before)
  })

  it('knows secrets by words in any script, as the daemon does', async () => {
    const at = place()
    const instruction = 'Fix src/login.ts, пароль: Wq7rT2mX9z, 密码: Kp4vB8nY3c'
    await hook(at, 'user-prompt-submit', JSON.stringify({ ...prompt, cwd: at.cwd, prompt: instruction }))
    const [task] = await look(at, (store) => store.tasks.ofSession(session))
    expect(task!.instruction).not.toMatch(/Wq7rT2mX9z|Kp4vB8nY3c/)
  })

  it('tells the user when Claude Code goes through a proxy that does not run', async () => {
    const start = JSON.stringify({ session_id: session, hook_event_name: 'SessionStart', source: 'startup' })
    const lost = place({ PROXY_PORT: '8123', ANTHROPIC_BASE_URL: 'http://127.0.0.1:8123' })
    mkdirSync(lost.env.GROVE_HOME!, { recursive: true })
    writeFileSync(join(lost.env.GROVE_HOME!, 'config.toml'), '[proxy]\nstart_with_claude = false\n')
    expect(JSON.parse((await hook(lost, 'session-start', start)).stdout).systemMessage).toContain('grove up')
    const fine = place({ PROXY_PORT: '8123', ANTHROPIC_BASE_URL: 'https://gateway.example' })
    expect(JSON.parse((await hook(fine, 'session-start', start)).stdout)).not.toHaveProperty('systemMessage')
  })

  it('waits for its event at a pipe that does not wait for anybody', async () => {
    const at = place()
    await hook(at, 'user-prompt-submit', JSON.stringify({ ...prompt, cwd: at.cwd }))
    const pipe = join(at.home, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const writing = openSync(pipe, 'w')
    const child = spawn(process.execPath, [join(dist, 'hook.cjs'), 'post-tool-use', 'ask'], {
      cwd: at.cwd,
      env: at.env,
      stdio: [reading, 'pipe', 'pipe'],
    })
    // The same end of the pipe as a stream of ours: from then on nobody waits at it.
    const ours = new Socket({ fd: reading, readable: false, writable: false })
    const payload = Buffer.from(JSON.stringify({ ...write(1, at.cwd), tool_response: { said: 'grün' } }))
    const middle = payload.indexOf(0xc3) + 1
    for (const part of [payload.subarray(0, middle), payload.subarray(middle)]) {
      await setTimeout(150)
      writeSync(writing, part)
    }
    closeSync(writing)
    const outcome = Promise.all([text(child.stdout!), text(child.stderr!), ended(child)])
    const [stdout, stderr, code] = await outcome
    ours.destroy()
    expect({ stdout, stderr, code }).toEqual({ stdout: '{}\n', stderr: '', code: 0 })
    expect(await steps(at)).toEqual(['toolu_1'])
  })

  it('does not mind that nobody reads its answer', async () => {
    const at = place()
    const child = start(at, 'stop')
    child.stdout!.destroy()
    child.stdin!.end('{}')
    expect(await ended(child)).toBe(0)
  })
})

function start({ cwd, env }: Place, event: string): ChildProcess {
  return spawn(process.execPath, [join(dist, 'grove.js'), 'hook', event], { cwd, env, stdio: 'pipe' })
}

async function hook(at: Place, event: string, payload: string) {
  const child = start(at, event)
  child.stdin!.end(payload)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended(child)])
  return { code, stdout, stderr }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

function parsed(stdout: string): unknown {
  return JSON.parse(stdout)
}

type OpenStore = Awaited<ReturnType<typeof openSqliteStore>>

async function look<T>({ home }: Place, question: (store: OpenStore) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ file: join(home, 'grove.db') })
  try {
    return await question(store)
  } finally {
    await store.close()
  }
}

async function steps(at: Place): Promise<string[]> {
  return (await look(at, (store) => store.steps.recent(session, 100))).map(({ id }) => id)
}

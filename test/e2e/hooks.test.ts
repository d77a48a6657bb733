import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { type ClaudeOptions, startClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'

// The real Claude Code with Grove attached by `grove init`. Hooks alone must tell Grove what happens; with the proxy
// as well, nothing may count twice; and with the daemon gone, what must hold still holds.

withBinary()

const files = { 'notes.txt': 'remember the milk\n' }
const goal = 'Summarise notes.txt in summary.md'
const read = { name: 'Read', input: { file_path: '{{cwd}}/notes.txt' } }
const write = { name: 'Write', input: { file_path: '{{cwd}}/summary.md', content: '# Summary\n\n- milk\n' } }
const count = { name: 'Bash', input: { command: 'wc -l < summary.md', description: 'Count lines' } }

/** One tool after the other, and then a last answer that never comes: the session stays open, to be looked at. */
const unfinished = story(
  { tool_use: [read] },
  { tool_use: [write] },
  { tool_use: [count] },
  { text: 'Done.', hang_after: 0 },
)
const finished = story({ tool_use: [read] }, { tool_use: [write] }, { text: 'The summary of notes.txt is written.' })

describe('Claude Code with hooks', () => {
  it.for(['auto', 'http', 'command'])(
    'tells Grove its goal and its steps (%s)',
    async (transport, { onTestFinished }) => {
      const stage = await setStage(onTestFinished, unfinished)
      await stage.daemon()
      await stage.attach('--transport', transport)
      const { sessionId } = await stage.start(goal)

      const steps = await stage.steps(sessionId, 3)
      expect(steps.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash'])
      expect(await stage.look((store) => store.tasks.ofSession(sessionId))).toMatchObject([
        { goal: expect.stringContaining('notes.txt'), status: 'active' },
      ])
      expect(await stage.look((store) => store.sessions.get(sessionId))).toMatchObject({
        attachments: ['hooks'],
        cwd: stage.project.dir,
      })
    },
  )

  it('keeps the finished work when the session ends', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, finished)
    await stage.daemon()
    await stage.attach()
    const { done, sessionId } = await stage.start(goal)

    expect(await done).toMatchObject({ exitCode: 0, stderr: '' })
    const session = await stage.ended(sessionId)
    const memories = await stage.look((store) => store.memories.list(session!.projectId!, { limit: 10 }))
    expect(memories).toMatchObject([{ files: [expect.stringContaining('summary.md')] }])
  })

  it('is counted once with proxy and hooks together', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, unfinished)
    const daemon = await stage.daemon()
    await stage.attach()
    const { sessionId } = await stage.start(goal, { baseUrl: daemon.url('Proxy') })

    const steps = await stage.steps(sessionId, 3)
    expect(steps.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash'])
    expect(await stage.look((store) => store.sessions.get(sessionId))).toMatchObject({
      attachments: expect.arrayContaining(['hooks', 'proxy']),
    })
    expect(await stage.look((store) => store.tasks.ofSession(sessionId))).toHaveLength(1)
  })

  it('goes on without a daemon, and Grove still notes what it does', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, unfinished)
    await stage.attach('--transport', 'command')
    const { sessionId } = await stage.start(goal)

    const steps = await stage.steps(sessionId, 3)
    expect(steps.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash'])
    expect(await stage.warnings()).toBe('')
  })

  it('goes on when the daemon is killed in the middle, and nothing is lost', async ({ onTestFinished }) => {
    const waits = { name: 'Bash', input: { command: 'until [ -e gone ]; do sleep 0.1; done', description: 'Wait' } }
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [read] }, { tool_use: [waits] }, { tool_use: [write] }, { text: 'Done.', hang_after: 0 }),
    )
    const daemon = await stage.daemon()
    await stage.attach('--transport', 'command')
    const { sessionId } = await stage.start(goal)
    await stage.steps(sessionId, 1)

    daemon.kill('SIGKILL')
    await daemon.exit
    await writeFile(join(stage.project.dir, 'gone'), '')
    const steps = await stage.steps(sessionId, 3)
    expect(steps.map(({ tool }) => tool)).toEqual(['Read', 'Bash', 'Write'])
    expect(await readFile(join(stage.project.dir, 'summary.md'), 'utf8')).toContain('milk')
    expect(await stage.look((store) => store.tasks.ofSession(sessionId))).toHaveLength(1)
  })

  it('starts the daemon that its requests must go through, and the first of them finds it', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(onTestFinished, finished)
    const port = await freePort()
    const target = `[proxy]\nport = ${port}\ntarget = "${stage.simulator.url}"\n`
    await mkdir(stage.place.home)
    await writeFile(join(stage.place.home, 'config.toml'), `port = 0\n${target}[gate]\nenabled = false\n`)
    const { PORT: _, PROXY_PORT: __, ANTHROPIC_TARGET: ___, ...env } = stage.place.env
    stage.place.env = env
    onTestFinished(() => stage.stopDaemon())
    await stage.attach()
    const { done, sessionId } = await stage.start(goal, { baseUrl: `http://127.0.0.1:${port}` })

    expect(await done).toMatchObject({ exitCode: 0, result: { result: 'The summary of notes.txt is written.' } })
    expect(stage.simulator.problems).toEqual([])
    expect(await stage.look((store) => store.sessions.get(sessionId))).toMatchObject({
      attachments: expect.arrayContaining(['hooks', 'proxy']),
    })
    expect(await stage.look((store) => store.tasks.ofSession(sessionId))).toHaveLength(1)
  })

  it('is known once where proxy and web page are two processes', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, unfinished)
    // Whoever comes first has the hooks' socket; the other hands on what it is told.
    const web = await startGrove(stage.place, 'web')
    onTestFinished(() => web.kill('SIGKILL'))
    const proxy = await startGrove(stage.place, 'proxy')
    onTestFinished(() => proxy.kill('SIGKILL'))
    await stage.attach()
    const { sessionId } = await stage.start(`${goal}. Do not touch old.txt.`, { baseUrl: proxy.url('Proxy') })

    const steps = await stage.steps(sessionId, 3)
    expect(steps.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash'])
    expect(await stage.look((store) => store.tasks.ofSession(sessionId))).toHaveLength(1)
    const session = await stage.look((store) => store.states.get(SLOTS.session, sessionId))
    // It holds both halves: what the hooks told, and what the proxy has forwarded.
    expect(session?.work.instruction).toMatchObject({ index: expect.any(Number) })
    expect(session?.transcript.file).toEqual(expect.any(Object))
    expect(session?.injected.conversations).toHaveLength(1)
    expect(session?.work.notedActions).toHaveLength(3)
  })

  it('goes on as if nothing were there when Grove is broken', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, finished)
    await stage.attach('--transport', 'command')
    await mkdir(join(stage.place.home, 'grove.db'))
    const { done } = await stage.start(goal)
    expect(await done).toMatchObject({
      exitCode: 0,
      stderr: '',
      result: { result: 'The summary of notes.txt is written.' },
    })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type WhenFinished = (work: () => Promise<void> | void) => void

async function setStage(whenFinished: WhenFinished, scenario: Scenario) {
  const project = await createProject(files)
  whenFinished(project.remove)
  const simulator = await simulatorOf(whenFinished, scenario, project.dir)
  const at: Place = { ...place({ ANTHROPIC_TARGET: simulator.url }), cwd: project.dir }

  async function start(prompt: string, options: Partial<ClaudeOptions> = {}) {
    const sessionId = crypto.randomUUID()
    const args = ['--session-id', sessionId]
    const running = await startClaude({
      baseUrl: simulator.url,
      prompt,
      cwd: project.dir,
      home: at.env.HOME!,
      args,
      env: { GROVE_HOME: at.home },
      ...options,
    })
    whenFinished(async () => {
      running.kill()
      await running.done
    })
    return { ...running, sessionId }
  }

  async function look<T>(question: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<T>): Promise<T> {
    const store = await openSqliteStore({ file: join(at.home, 'grove.db') })
    try {
      return await question(store)
    } finally {
      await store.close()
    }
  }

  return {
    project,
    simulator,
    place: at,
    start,
    look,
    async daemon() {
      const running = await startGrove(at, 'up')
      whenFinished(() => running.kill('SIGKILL'))
      return running
    },
    async attach(...options: string[]) {
      const { code, stderr } = await grove(at, 'init', ...options)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
    /** Ends a daemon that was started for the client. */
    async stopDaemon() {
      const holder = await readFile(join(at.home, 'run', 'proxy.json'), 'utf8').catch(() => undefined)
      if (holder) process.kill(JSON.parse(holder).pid, 'SIGKILL')
    },
    /** What hook processes without a daemon have complained about. */
    warnings: () => readFile(join(at.home, 'logs', 'hooks.log'), 'utf8').catch(() => ''),
    /** The session, as soon as it is over: on a busy machine the client does not wait for its last hook. */
    async ended(sessionId: string) {
      for (;;) {
        const session = await look((store) => store.sessions.get(sessionId))
        if (session?.endedAt !== undefined) return session
        await sleep(50)
      }
    },
    /** The steps of a session in their order, as soon as there are so many. */
    async steps(sessionId: string, enough: number) {
      for (;;) {
        const steps = await look((store) => store.steps.recent(sessionId, 100))
        if (steps.length >= enough) return steps.toReversed()
        await sleep(50)
      }
    },
  }
}

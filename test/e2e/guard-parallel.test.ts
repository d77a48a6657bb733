import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { TraceRecord } from '../../src/core/trace/record.ts'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'
import { startClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'

// Several real clients in one working tree, each with an intent of its own, while the daemon comes and goes. They and the
// test wait for each other by files that the project ignores.

withBinary()

const use = (name: string, input: object) => ({ tool_use: [{ name, input }] })
const bash = (command: string) => use('Bash', { command, description: 'Work' })
const until = (mark: string) => `until [ -e dist/${mark} ]; do sleep 0.05; done`

/** The path is in base64, so that nobody can read beforehand what it writes. */
const SNEAK = `import { writeFileSync } from 'node:fs'
const file = Buffer.from('${Buffer.from('src/part-1/stray.ts').toString('base64')}', 'base64').toString()
writeFileSync(file, 'export const stray = 1')
`

function filesFor(count: number): Record<string, string> {
  const intents = Array.from(
    { length: count },
    (_, n) =>
      `  - id: INT-${n}\n    name: Part ${n}\n    status: in_progress\n    owned_scope: [src/part-${n}/**, src/shared.ts]\n`,
  )
  return {
    '.orchestration/active_intents.yaml': `active_intents:\n${intents.join('')}`,
    '.gitignore': 'dist/\n',
    'sneak.mjs': SNEAK,
    'src/shared.ts': 'export const shared = 0\n',
  }
}

/** What the n-th agent does; only the first one strays. */
function work(n: number) {
  const stray = `touch dist/open-0; ${until('go')}; node sneak.mjs; touch dist/strayed`
  return story(
    use('mcp__grove__select_active_intent', { intent_id: `INT-${n}` }),
    bash(`mkdir -p src/part-${n} && echo "export const made = 1" > src/part-${n}/made.ts`),
    bash(n === 0 ? stray : `touch dist/open-${n}; ${until('strayed')}; cat package.json`),
    bash(`touch dist/edits-${n}; ${until('edited')}; sed -i s/1/2/ src/part-${n}/made.ts`),
    bash(`touch dist/waits-${n}; ${until(`turn-${n}`)}`),
    bash(`echo "export const shared = ${n + 1}" > src/shared.ts`),
    bash(`touch dist/turn-${n + 1}`),
    { text: 'Done.' },
  )
}

const DAEMON = {
  'two, and the daemon is killed while their commands run': { count: 2, first: true, restarts: false },
  'four, without a daemon first, then with one that is killed': { count: 4, first: false, restarts: true },
}

it.for(Object.entries(DAEMON))(
  '%s: each is held to what it did itself, and to nothing else',
  { timeout: 360_000 },
  async ([, { count, first, restarts }], { onTestFinished }) => {
    const project = await createProject(filesFor(count))
    onTestFinished(project.remove)
    const at: Place = { ...place(), cwd: project.dir }
    await grove(at, 'init')
    await mkdir(join(project.dir, 'dist'))
    const mark = (name: string) => writeFile(join(project.dir, 'dist', name), '')
    const all = async (name: string) => {
      for (let n = 0; n < count; n++) while (!existsSync(join(project.dir, 'dist', `${name}-${n}`))) await pause(50)
    }
    const daemons: Running[] = []
    const up = async () => void daemons.push(await startGrove(at, 'up'))
    const kill = async () => {
      daemons.at(-1)!.kill('SIGKILL')
      await daemons.at(-1)!.exit
    }
    onTestFinished(() => {
      for (const daemon of daemons) daemon.kill('SIGKILL')
    })

    if (first) await up()
    const clients = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const simulator = await simulatorOf(onTestFinished, work(n), project.dir)
        const running = await startClaude({
          ...{ baseUrl: simulator.url, prompt: `Part ${n}`, cwd: project.dir, home: at.env.HOME!, timeoutMs: 300_000 },
          env: { GROVE_HOME: at.home, MCP_CONNECTION_NONBLOCKING: '0' },
        })
        onTestFinished(async () => {
          running.kill()
          await running.done
        })
        return { running, told: (words: string) => simulator.requests.some(({ body }) => body.includes(words)) }
      }),
    )
    const runs = Promise.all(clients.map(({ running }) => running.done))
    // One that ends early would be waited for in vain.
    const ended = runs.then((all) => {
      throw new Error(`a client ended too early: ${all.map(({ stdout }) => stdout.slice(-2000)).join('\n')}`)
    })
    const meanwhile = async <T>(step: Promise<T>) => void (await Promise.race([step, ended]))
    ended.catch(() => {})

    await meanwhile(all('open'))
    await mark('go')
    await meanwhile(all('edits'))
    if (restarts) await up()
    await writeFile(join(project.dir, 'src/part-0/by-hand.ts'), 'export const byHand = 0\n')
    await writeFile(join(project.dir, 'src/part-1/by-hand.ts'), 'export const byHand = 1\n')
    if (!restarts) await kill()
    await mark('edited')
    await meanwhile(all('waits'))
    if (restarts) await kill()
    await mark('turn-0')
    const sessions = (await runs).map(({ sessionId }) => sessionId!)

    const written = (await ledger(project.dir)).flatMap(({ files, metadata }) =>
      files.map(({ path }) => ({ path, ...metadata!['dev.grove']! })),
    )
    const writersOf = (path: string) => written.filter((one) => one.path === path).map(({ session }) => session)
    for (const [n, session] of sessions.entries()) {
      expect(new Set(writersOf(`src/part-${n}/made.ts`)), `part ${n}`).toEqual(new Set([session]))
      expect(clients[n]!.told('src/part-1/stray.ts'), `agent ${n} is told of the stray write`).toBe(n === 0)
    }
    expect(written.filter(({ path }) => path === 'src/part-1/stray.ts')).toMatchObject([
      { session: sessions[0], scope_violation: true },
    ])
    expect([...writersOf('src/part-0/by-hand.ts'), ...writersOf('src/part-1/by-hand.ts')]).toEqual([])
    // Each took the file as soon as the one before had run: nobody was told to wait.
    expect(writersOf('src/shared.ts')).toEqual(sessions)
    expect(await readFile(join(project.dir, 'src/shared.ts'), 'utf8')).toBe(`export const shared = ${count}\n`)
    expect(clients.some(({ told }) => told('Another agent is writing'))).toBe(false)
  },
)

async function ledger(dir: string): Promise<TraceRecord[]> {
  const text = await readFile(join(dir, '.orchestration/agent_trace.jsonl'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceRecord)
}

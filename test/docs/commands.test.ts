import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { thisProcess } from '../../src/cli/context.ts'
import { ALL, buildProgram } from '../../src/cli/program.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { MODEL } from '../support/feature/model.ts'
import { startPostgres } from '../support/postgres.ts'
import { createProject, tempDir } from '../support/project.ts'
import { shared } from '../support/run/shared.ts'

// Whatever a page tells people to type is typed here: in a home, a project and a PATH of its own.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const PAGES = ['README.md', ...pagesIn('docs')]

/** Lines that need a network, a machine or hours of their own, and who runs them instead. */
const NOT_HERE: [line: RegExp, why: string][] = [
  [/^npx grovekeeper demo$|^npm i -g grovekeeper$/, 'fetch the package from the registry; npm run test:nodes does'],
  [
    /^npm install && npm (?:start|test)$|^npm run demo$/,
    'are for a clone of this repository; .ci/run and test/cli/daemon.test.ts start it',
  ],
  [/^createdb\b/, 'is a program of PostgreSQL; the database of the test is made otherwise'],
]

describe('every command in the documentation', () => {
  const pages = PAGES.map((page) => ({ page, lines: commandsIn(page) })).filter(({ lines }) => lines.length > 0)

  it.each(pages)('runs as $page says', async ({ lines }) => {
    const place = await setPlace()
    try {
      for (const line of lines.filter((one) => !NOT_HERE.some(([pattern]) => pattern.test(one)))) {
        const { before, typed } = await place.prepare(line)
        await before?.()
        const ran = await run('/bin/sh', ['-c', typed], { cwd: place.project.dir, env: place.env }).then(
          () => 'ok',
          (error: { stdout: string; stderr: string }) => `${line}\n${error.stdout}${error.stderr}`,
        )
        expect(ran).toBe('ok')
      }
      expect(unlisted(place)).toEqual([])
    } finally {
      await place.remove()
    }
  })
})

it('leaves out no line that is not there', () => {
  const all = PAGES.flatMap(commandsIn)
  for (const [line] of NOT_HERE)
    expect(
      all.filter((one) => line.test(one)),
      String(line),
    ).not.toEqual([])
})

it.each(PAGES)('%s has no dead link', (page) => {
  for (const link of linksIn(page)) expect(existsSync(join(root, link)), link).toBe(true)
})

/** Every `grove …` between backticks, as far as it goes without a placeholder. */
it.each(PAGES)('%s names no command and no option that is not there', async (page) => {
  const program = await buildProgram(thisProcess(), ALL)
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const inline = [...text.matchAll(/`grove ([^`]+)`/g)].map(([, words]) => words!.split(/\s+/))
  expect(inline.flatMap((words) => unknownIn(program, words))).toEqual([])
})

function unknownIn(program: Command, [name = '', ...words]: string[]): string[] {
  if (name.startsWith('-') || !/^[\w-]+$/.test(name)) return []
  const command = program.commands.find((one) => one.name() === name)
  if (!command) return [`grove ${name}`]
  const inner = command.commands.find((one) => one.name() === words[0])
  const options = [command, ...(inner ? [inner] : command.commands)].flatMap((one) => one.options)
  const flags = words.filter((word) => /^--\w/.test(word)).map((word) => word.replace(/[=,.;:].*$/, ''))
  // Whatever follows belongs to Claude Code.
  const unknown = name === 'claude' ? [] : flags.filter((flag) => !options.some(({ long }) => long === flag))
  return unknown.map((flag) => `grove ${name} ${flag}`)
}

async function setPlace() {
  const dist = (await shared('binary'))!
  const closers: (() => unknown)[] = []
  const project = await createProject({
    'src/auth/token.ts': 'export const token = 1\n',
    'src/prices/cache.ts': 'export const cache = 1\n',
  })
  await writeFile(join(project.dir, 'src', 'auth', 'token.ts'), 'export const token = 2\n')
  const why = 'Refresh a token before it expires\n\nUploads of an hour failed with 401 at their end.'
  await project.git('commit', '--quiet', '--all', `--message=${why}`)
  const home = await tempDir('reader')
  await mkdir(join(home, 'bin'))
  await writeFile(
    join(home, 'bin', 'grove'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(dist, 'grove.js')}" "$@"\n`,
  )
  await chmod(join(home, 'bin', 'grove'), 0o755)
  const identity = { GIT_AUTHOR_NAME: 'Reader', GIT_AUTHOR_EMAIL: 'reader', GIT_COMMITTER_NAME: 'Reader' }
  const env: Record<string, string> = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    ...identity,
    GIT_COMMITTER_EMAIL: 'reader',
    NO_COLOR: '1',
    npm_config_prefix: join(home, 'npm'),
    npm_config_offline: 'true',
  }
  // A later part of a page is for those who are in the team.
  let hasLeft = false
  const stages = {
    team: once(async () => {
      const postgres = await startPostgres()
      closers.push(() => postgres.stop())
      const admin = new pg.Client({ connectionString: postgres.url })
      await admin.connect()
      // Roles belong to the server, which other tests share.
      for (const name of ['ada', 'bob']) await admin.query(`create role ${name}`).catch(() => undefined)
      await admin.end()
      await run('git', ['init', '-q', join(project.dir, '..', 'other')])
      await run('git', ['commit', '-qm', 'Begin', '--allow-empty'], { cwd: join(project.dir, '..', 'other'), env })
      closers.push(() => rm(join(project.dir, '..', 'other'), { recursive: true, force: true }))
      return postgres.createDatabase()
    }),
    memory: async () => {
      await run('grove', ['import', 'git', '--again'], { cwd: project.dir, env })
      const { stdout } = await run('grove', ['memories', 'list', '--json'], { cwd: project.dir, env })
      return (JSON.parse(stdout) as { memories: { id: string }[] }).memories[0]!.id
    },
    feature: once(async () => {
      const simulator = await startSimulator({ scenario: MODEL })
      closers.push(() => simulator.close())
      const agent = join(home, 'bin', 'agent')
      await writeFile(agent, `#!/bin/sh\nexec "${process.execPath}" "${join(dist, 'demo-agent.js')}" "$@"\n`)
      await chmod(agent, 0o755)
      const more = { PORT: '0', PROXY_PORT: '0', ANTHROPIC_TARGET: simulator.url, GROVE_CLAUDE_BIN: agent }
      Object.assign(env, more)
    }),
  }
  /** A session with this id, as a hook of Claude Code tells of it. */
  const live = async (id: string) => {
    // Of a session that is paused nothing is known.
    await run('grove', ['resume', '--all'], { cwd: project.dir, env })
    const event = { hook_event_name: 'UserPromptSubmit', session_id: id, cwd: project.dir, prompt: 'Fix the token' }
    const told = run('grove', ['hook', 'user-prompt-submit'], { cwd: project.dir, env })
    told.child.stdin!.end(JSON.stringify(event))
    await told
  }
  return {
    project,
    home,
    env,
    /** Sets up what a line needs: the reader's own database stands in it by the name of an example, and asks where it is read. */
    async prepare(line: string): Promise<{ typed: string; before?: () => Promise<void> }> {
      if (line.startsWith('grove team ')) {
        const url = await stages.team()
        if (hasLeft) await run('grove', ['team', 'join', url, '--yes'], { cwd: project.dir, env })
        hasLeft = line.startsWith('grove team leave')
        const typed = line.replace(/postgres(?:ql)?:\S+/, `'${url}'`)
        return { typed: /^grove team (?:join|share|forget)\b/.test(line) ? `${typed} --yes` : typed }
      }
      // From the registry it would be the same program.
      if (line.startsWith('npx grovekeeper ')) return { typed: line.replace('npx grovekeeper', 'grove') }
      if (/\bmem_\w+/.test(line)) {
        const id = await stages.memory()
        return { typed: `${line.replace(/\bmem_\w+/, id)}${line.startsWith('grove memories delete') ? ' --yes' : ''}` }
      }
      if (line === 'grove import memories.jsonl')
        await run('grove', ['export', 'memories.jsonl'], { cwd: project.dir, env })
      if (line.startsWith('grove pause --session ')) await live(line.split(' ').at(-1)!)
      if (!line.startsWith('grove feature ')) return { typed: line }
      await stages.feature()
      const isAnswer = line.startsWith('grove feature answer')
      return { typed: line, ...(isAnswer && { before: () => questionIn(env, project.dir) }) }
    },
    async remove() {
      await run('grove', ['stop', '--now'], { env }).catch(() => {}) // Where nothing runs there is nothing to stop.
      for (const close of closers.reverse()) await close()
      await project.remove()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Resolves when a feature session has a question for the reader. */
async function questionIn(env: Record<string, string>, cwd: string): Promise<void> {
  const waits = async () => {
    const { stdout } = await run('grove', ['feature', 'list', '--json'], { cwd, env })
    return (JSON.parse(stdout) as { sessions: { waiting: unknown[] }[] }).sessions.some((one) => one.waiting.length > 0)
  }
  await expect.poll(waits, { interval: 300 }).toBe(true)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What was written and is not on the page about files. */
function unlisted({ home, project }: Awaited<ReturnType<typeof setPlace>>): string[] {
  const known = readFileSync(join(root, 'docs', 'files.md'), 'utf8')
  const grove = existsSync(join(home, '.grove')) ? readdirSync(join(home, '.grove')) : []
  const own = ['.grove', '.orchestration'].flatMap((folder) => {
    const path = join(project.dir, folder)
    return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : []
  })
  return [...grove.map((name) => name.replace(/-(?:wal|shm)$/, '')), ...own].filter((name) => !known.includes(name))
}

/** The lines of all `sh` blocks, without what is said behind them. */
function commandsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => block!.split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function linksIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!)
  return targets
    .filter((target) => target !== '' && !/^\w+:/.test(target))
    .map((target) => normalize(join(dirname(page), target)))
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.md'))
    .map((item) => relative(root, join(item.parentPath, item.name)))
    .toSorted()
}

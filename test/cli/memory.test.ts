import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'
import { dist, grove, type Place, place, startGrove, withBinary } from './grove.ts'

withBinary()

let commits = 0

/** A project with a history worth remembering, and some that is not. */
function projectPlace(env: Record<string, string> = {}): Place {
  const here = place(env)
  git(here, 'init', '--quiet', '--initial-branch=main')
  git(here, 'config', 'user.name', 'Ada')
  git(here, 'config', 'user.email', 'ada')
  git(here, 'remote', 'add', 'origin', 'git@git.example:team/shop.git')
  commit(
    here,
    'Reject expired tokens at the gateway',
    'src/auth/token.ts',
    'The gateway compared seconds with milliseconds, so sessions never ended.',
  )
  commit(
    here,
    'Cache product prices for a minute',
    'src/prices/cache.ts',
    'We keep prices in memory instead of Redis, because the catalogue is small.',
  )
  commit(here, 'bump version to 1.2.0', 'package.json')
  commit(here, 'wip', 'src/x.ts')
  return here
}

function git({ cwd, env }: Place, ...args: string[]): string {
  // Git counts in seconds; each commit gets one of its own.
  const date = `${1_790_000_000 + commits} +0000`
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const clean = { ...env, ...dates, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', args, { cwd, env: clean, encoding: 'utf8' }).trim()
}

function commit(here: Place, title: string, file: string, body = '') {
  mkdirSync(dirname(join(here.cwd, file)), { recursive: true })
  writeFileSync(join(here.cwd, file), `${++commits}\n`)
  git(here, 'add', '--all')
  git(here, 'commit', '--quiet', '-m', title, ...(body ? ['-m', body] : []))
}

async function json<T>(here: Place, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await grove(here, ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as T
}

interface Entry {
  id: string
  goal: string
  user: string
  tags: string[]
  updatedBy?: string
}

describe('grove import git', () => {
  it('gives a new user memories on the first day, and goes on from there', async () => {
    const here = projectPlace()
    const { stdout } = await grove(here, 'import', 'git')
    expect(stdout).toContain('4 commits read, 2 memories kept.')
    expect(stdout).toContain('2 skipped: housekeeping')
    const { hits } = await json<{ hits: { entry: Entry; why: string }[] }>(here, 'search', 'expired', 'tokens')
    expect(hits[0]).toMatchObject({ entry: { goal: 'Reject expired tokens at the gateway', user: 'Ada' } })
    expect(hits[0]?.why).not.toBe('')

    commit(here, 'Log out everywhere when the password changes', 'src/auth/logout.ts')
    expect(await json(here, 'import', 'git')).toMatchObject({ read: 1, kept: 1 })
    expect(await json(here, 'import', 'git', '--again')).toMatchObject({ read: 5, kept: 0, known: 3 })
  })

  it('tells two clones without a remote apart, which are one project with one memory', async () => {
    const here = projectPlace()
    const copy = { ...here, cwd: join(here.cwd, '..', 'copy') }
    git(here, 'clone', '--quiet', '.', copy.cwd)
    for (const at of [here, copy]) git(at, 'remote', 'remove', 'origin')
    await grove(here, 'import', 'git')
    const works = (at: Place, id: string) => {
      const event = {
        hook_event_name: 'UserPromptSubmit',
        session_id: id,
        cwd: at.cwd,
        prompt: 'Reject expired tokens',
      }
      const options = { env: at.env, cwd: at.cwd, input: JSON.stringify(event), encoding: 'utf8' as const }
      return execFileSync(process.execPath, [join(dist, 'grove.js'), 'hook', 'user-prompt-submit'], options)
    }
    expect(works(here, 'session-of-the-first')).toContain('Grove recalled 1 memory')
    expect(works(copy, 'session-of-the-copy')).toContain('Grove recalled 1 memory')

    const { projects } = await json<{ projects: { folders: object[] }[] }>(here, 'status')
    const root = realpathSync(here.cwd)
    expect(projects.map(({ folders }) => folders)).toEqual([
      [
        { path: join(root, '..', 'copy'), sessions: 1 },
        { path: root, sessions: 1 },
      ],
    ])
    const { stdout } = await grove(here, 'status')
    expect(stdout).toMatch(/^copy +1 +2 +\S+copy\n +1 +\S+project$/m)
    const { agents } = await json<{ agents: { sessionId: string; project: string }[] }>(here, 'proxy-status')
    expect(Object.fromEntries(agents.map(({ sessionId, project }) => [sessionId, project]))).toEqual({
      'session-of-the-first': 'project',
      'session-of-the-copy': 'copy',
    })
  })

  it('says in one line of the terminal what was recalled, unless that is switched off', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const prompt = (id: string) => {
      const told = {
        hook_event_name: 'UserPromptSubmit',
        session_id: id,
        cwd: here.cwd,
        prompt: 'Reject expired tokens',
      }
      const options = { env: here.env, cwd: here.cwd, input: JSON.stringify(told), encoding: 'utf8' as const }
      return JSON.parse(execFileSync(process.execPath, [join(dist, 'grove.js'), 'hook', 'user-prompt-submit'], options))
    }
    const context = { additionalContext: expect.stringContaining('Reject expired tokens at the gateway') }
    expect(prompt('s1')).toMatchObject({
      systemMessage: expect.stringMatching(/^Grove recalled 1 memory \(\d+ tokens\): Reject expired tokens .*$/),
      hookSpecificOutput: context,
    })
    writeFileSync(join(here.home, 'config.toml'), '[terminal]\nlines = false\n')
    const silent = prompt('s2')
    expect(silent).toMatchObject({ hookSpecificOutput: context })
    expect(silent).not.toHaveProperty('systemMessage')
  })

  it('keeps to what was asked for', async () => {
    const here = projectPlace()
    expect(await json(here, 'import', 'git', '--max', '3')).toMatchObject({ read: 3, kept: 1 })
    const { code, stderr } = await grove(place(), 'import', 'git')
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no git history')])
  })
})

describe('an import that is killed', () => {
  it('goes on where it was, and keeps everything once', async () => {
    const here = place()
    git(here, 'init', '--quiet', '--initial-branch=main')
    longHistory(here, 3_000)
    const killed = spawn(process.execPath, [join(dist, 'grove.js'), 'import', 'git'], { ...here, stdio: 'ignore' })
    const gone = once(killed, 'exit')
    const written = () => statSync(join(here.home, 'grove.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    await expect.poll(written, { interval: 5 }).toBeGreaterThan(400_000)
    killed.kill('SIGKILL')
    await gone
    const before = (await grove(here, 'export')).stdout.split('\n').length - 1
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(3_000)
    const again = (await json(here, 'import', 'git')) as { read: number; kept: number }
    expect(again.kept).toBe(3_000 - before)
    // What was kept in the very moment, and not yet noted, is read once more and known.
    expect([0, 100]).toContain(again.read - again.kept)
    const lines = (await grove(here, 'export')).stdout.trimEnd().split('\n')
    expect(new Set(lines.map((line) => (JSON.parse(line) as { goal: string }).goal)).size).toBe(3_000)
    expect((await grove(here, 'import', 'git')).stdout).toBe('There are no new commits.\n')
  })
})

/** Thousands of commits in a moment, as git takes them from another version control. */
function longHistory({ cwd, env }: Place, length: number) {
  const commits = Array.from({ length }, (_, n) => {
    const message = `Teach the importer lesson number ${n}`
    const head = `commit refs/heads/main\nmark :${n + 1}\ncommitter Ada <ada> ${1_700_000_000 + n} +0000\n`
    const from = n === 0 ? '' : `from :${n}\n`
    return `${head}data ${message.length}\n${message}\n${from}M 644 inline src/lesson-${n}.ts\ndata 1\nx\n`
  })
  execFileSync('git', ['fast-import', '--quiet'], { cwd, env, input: commits.join('') })
}

describe('what cannot be imported', () => {
  it('is a time that git does not understand', async () => {
    const here = projectPlace()
    const { code, stdout, stderr } = await grove(here, 'import', 'git', '--since', 'notadate')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('--since takes a time; git does not understand "notadate".')
    for (const time of ['2025-01-01', '6 months ago', 'yesterday', 'today', 'last week']) {
      expect((await grove(here, 'import', 'git', '--since', time)).code).toBe(0)
    }
  })

  it('is named with its line and the reason, and the other lines are kept', async () => {
    const here = projectPlace()
    const good = {
      id: 'mem_1',
      createdAt: 1_790_000_000_000,
      goal: 'Keep uploads under ten megabytes',
      files: ['a.ts'],
    }
    const lines = [JSON.stringify(good), 'not json', '', '[]', '{"id": "mem_2", "goal": "x"}', '{"goal": "x"}']
    writeFileSync(join(here.cwd, 'bad.jsonl'), lines.join('\n'))
    const { code, stdout, stderr } = await grove(here, 'import', 'bad.jsonl')
    expect(code).toBe(1)
    expect(stdout).toContain('5 lines read, 1 memory kept.')
    expect(stderr).toMatch(/^ {2}line 2: not JSON \(.+\)$/m)
    expect(stderr).toContain('  line 4: not a JSON object')
    expect(stderr).toContain('  line 5: not a memory: "createdAt" should be milliseconds since 1970')
    expect(stderr).toContain('  line 6: not a memory: "id" should be a text')
  })
})

describe('grove import --here', () => {
  it("copies another project's memories into this one, and leaves them there too", async () => {
    const there = projectPlace()
    await grove(there, 'import', 'git')
    await grove(there, 'export', 'memories.jsonl')
    const here = { ...there, cwd: join(there.cwd, '..', 'other') }
    mkdirSync(here.cwd)
    const file = join(there.cwd, 'memories.jsonl')
    expect(await json(here, 'import', file)).toMatchObject({ kept: 0, known: 2, elsewhere: 2 })
    expect(await json(here, 'import', file, '--here')).toMatchObject({ kept: 2, known: 0 })
    expect(await json(here, 'import', file, '--here')).toMatchObject({ kept: 0, known: 2 })
    for (const place of [here, there]) {
      const { memories } = await json<{ memories: Entry[] }>(place, 'memories')
      expect(memories.map(({ goal }) => goal)).toContain('Reject expired tokens at the gateway')
    }
  })
})

describe('grove search', () => {
  it('leaves out what is hardly of use, and says how much that was', async () => {
    const here = projectPlace()
    commit(here, 'Show prices with their currency', 'src/prices/show.ts')
    commit(here, 'Load prices in one query', 'src/prices/load.ts')
    commit(here, 'Round prices to cents in the basket', 'src/basket/total.ts')
    await grove(here, 'import', 'git')
    const all = await json<{ hits: { confidence: number }[] }>(here, 'search', 'price', 'cache', '--unsure')
    const sure = await json<{ hits: { confidence: number }[] }>(here, 'search', 'price', 'cache')
    expect(all.hits.length).toBeGreaterThan(sure.hits.length)
    expect(sure.hits).toHaveLength(all.hits.filter(({ confidence }) => confidence >= 0.1).length)
    expect(sure.hits.length).toBeGreaterThan(0)
    const { stderr } = await grove(here, 'search', 'price', 'cache')
    expect(stderr).toContain(`${all.hits.length - sure.hits.length} weaker`)
  })

  it('finds what is named in its own words, however common they are, and nothing for a question from elsewhere', async () => {
    const here = projectPlace()
    const SUBJECTS = ['basket', 'search', 'login', 'mail', 'import', 'export', 'report', 'invoice', 'upload', 'profile']
    for (const name of SUBJECTS) {
      commit(here, `Add the ${name} page for the shop`, `src/${name}/page.ts`)
      commit(here, `Add tests for the ${name} page`, `test/${name}/page.ts`)
    }
    await grove(here, 'import', 'git')
    const named = await json<{ hits: { entry: Entry }[] }>(here, 'search', 'the login page for the shop')
    expect(named.hits[0]?.entry.goal).toBe('Add the login page for the shop')
    const { stdout, stderr } = await grove(here, 'search', 'polling interval of thermostats on a page')
    expect(stdout).toBe('Nothing matches well.\n')
    expect(stderr).toMatch(/ weaker match(?:es)? hidden/)
  })

  it('shows what it found and why, for people', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const { stdout } = await grove(here, 'search', 'price', 'cache')
    expect(stdout).toMatch(
      /^Cache product prices for a minute\n {2}git_\w+, Ada, \d{4}-\d\d-\d\d\n {2}src\/prices\/cache\.ts\n/,
    )
    expect(stdout).toMatch(/\d+ % match: /)
  })

  it('finds by the name of a file, as it is written in any folder of the project', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const below = { ...here, cwd: join(here.cwd, 'src', 'prices') }
    const asked = [
      [here, 'token.ts'],
      [here, 'src/auth/token.ts'],
      [below, 'anything', '--files', '../auth/token.ts'],
    ]
    for (const [where, ...args] of asked as [Place, ...string[]][]) {
      const { hits } = await json<{ hits: { entry: Entry; why: string }[] }>(where, 'search', ...args)
      expect(hits[0]).toMatchObject({ entry: { goal: 'Reject expired tokens at the gateway' } })
      expect(hits[0]!.why).toContain('token.ts')
    }
    const empty = await grove(here, 'search', ' ')
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('nothing to search for')])
  })

  it('finds what a clone brings along, in a home where nothing is stored yet', async () => {
    const here = projectPlace()
    mkdirSync(join(here.cwd, '.grove'))
    const text =
      '### Warm the price cache before a sale\nThe first requests would all miss it.\n- pitfall · files: src/prices/cache.ts\n'
    writeFileSync(join(here.cwd, '.grove', 'learnings.md'), text)
    const below = { ...here, cwd: join(here.cwd, 'src', 'prices') }
    for (const args of [
      ['price', 'cache'],
      ['anything', '--files', 'cache.ts'],
    ]) {
      const { stdout } = await grove(below, 'search', ...args)
      expect(stdout).toContain('Warm the price cache before a sale')
    }
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('says so when nothing bears on the question, and creates nothing', async () => {
    const here = place()
    const { code, stdout } = await grove(here, 'search', 'anything')
    expect([code, stdout]).toEqual([0, expect.stringContaining('There are no memories yet')])
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('grove memories', () => {
  it('lists, shows, edits and deletes', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const { memories } = await json<{ memories: Entry[] }>(here, 'memories')
    expect(memories.map(({ goal }) => goal)).toEqual([
      'Cache product prices for a minute',
      'Reject expired tokens at the gateway',
    ])
    const id = memories[0]!.id
    expect((await grove(here, 'memories', 'show', id.slice(0, 10))).stdout).toContain('because the catalogue is small')

    const edited = await json<Entry>(here, 'memories', 'edit', id, '--tags', 'prices, cache')
    expect(edited).toMatchObject({ tags: ['prices', 'cache'], updatedBy: 'Ada' })

    const nameless = await grove(here, 'memories', 'edit', id, '--goal', ' ')
    expect([nameless.code, nameless.stderr]).toEqual([1, expect.stringContaining('needs a goal')])

    const refused = await grove(here, 'memories', 'delete', id)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes')])
    expect(await json(here, 'memories', 'delete', id, '--yes')).toEqual({ deleted: [id] })
    // Nor can its words be read in the files of the home.
    await grove(here, 'search', 'gateway')
    for (const name of readdirSync(here.home).filter((name) => name.startsWith('grove.db'))) {
      expect(readFileSync(join(here.home, name), 'latin1')).not.toMatch(/catalogue is small|catalogu small/)
    }
    const again = await grove(here, 'memories', 'show', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is no memory')])
    // What was deleted does not come back with the next import.
    expect(await json(here, 'import', 'git', '--again')).toMatchObject({ read: 4 })
    expect((await json<{ memories: Entry[] }>(here, 'memories')).memories).toHaveLength(1)
  })
})

describe('grove export and import', () => {
  it('carry every memory to another home, once', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const file = join(here.cwd, 'memories.jsonl')
    expect((await grove(here, 'export', file)).stderr).toBe(`2 memories written to ${file}.\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await grove(here, 'export')).stdout).toBe(readFileSync(file, 'utf8'))

    const there = projectPlace()
    const brought = join(there.cwd, 'brought.jsonl')
    writeFileSync(brought, readFileSync(file, 'utf8'))
    expect(await json(there, 'import', brought)).toEqual({ read: 2, kept: 2, known: 0, left: {} })
    expect(await json(there, 'import', brought)).toMatchObject({ kept: 0, known: 2 })
    expect((await grove(there, 'export')).stdout).toBe(readFileSync(file, 'utf8'))
    const elsewhere = place()
    expect((await grove(elsewhere, 'import', file)).stdout).toContain('2 belong to other projects')
    expect(await json(elsewhere, 'memories')).toEqual({ memories: [] })
    const barred = await grove(here, 'export', join(here.cwd, 'none', 'x.jsonl'))
    expect([barred.code, barred.stderr]).toEqual([1, expect.stringContaining('x.jsonl cannot be written: the folder ')])
    const folder = await grove(here, 'export', here.cwd)
    expect([folder.code, folder.stderr]).toEqual([
      1,
      expect.stringContaining('there is a folder where a file should be'),
    ])
    const missing = await grove(there, 'import', 'nowhere.jsonl')
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nowhere.jsonl cannot be read')])
  })

  it.runIf(process.platform !== 'win32')('end at what has no lines, and write into a pipe as it is', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const endless = await grove(here, 'import', '/dev/zero')
    expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining('a line of it is longer than 16 MB')])
    const piped = spawnSync(
      'sh',
      ['-c', '"$0" "$1" export /dev/stdout | cat', process.execPath, join(dist, 'grove.js')],
      {
        ...here,
        encoding: 'utf8',
      },
    )
    expect(piped.stdout).toBe((await grove(here, 'export')).stdout)
  })
})

describe('grove import transcripts', () => {
  it('makes memories of earlier sessions in this project, without their secrets, and reads each once', async () => {
    const here = projectPlace()
    const folder = join(here.env.HOME!, '.claude', 'projects', 'slug')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, '11111111-2222-3333-4444-555555555555.jsonl')
    writeFileSync(
      file,
      transcript(here.cwd)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )

    expect(await json(here, 'import', 'transcripts')).toMatchObject({
      read: 2,
      kept: 1,
      left: { 'nothing was changed': 1 },
    })
    expect(await json(here, 'import', 'transcripts')).toMatchObject({ read: 0 })
    const { stdout } = await grove(here, 'memories', 'list', '--json')
    expect(stdout).toContain('Fix uploads that end with ECONNRESET')
    expect(stdout).toContain('src/upload.ts')
    expect(stdout).toContain('because the proxy closes idle sockets')
    expect(stdout).not.toContain('hunter2')
    expect((await grove(here, 'search', 'ECONNRESET', 'uploads')).stdout).toContain('Fix uploads')
  })
})

function transcript(cwd: string): object[] {
  const common = { sessionId: '11111111-2222-3333-4444-555555555555', cwd, gitBranch: 'main', isSidechain: false }
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString()
  const user = (minute: number, content: unknown, more = {}) => ({
    ...common,
    type: 'user',
    uuid: `u${minute}`,
    timestamp: at(minute),
    message: { role: 'user', content },
    ...more,
  })
  const assistant = (minute: number, block: object) => ({
    ...common,
    type: 'assistant',
    uuid: `a${minute}`,
    timestamp: at(minute),
    message: { id: `msg${minute}`, model: 'm', role: 'assistant', content: [block] },
  })
  const upload = join(cwd, 'src/upload.ts')
  return [
    { type: 'custom-title', title: 'x' },
    user(0, 'Fix uploads that end with ECONNRESET: retry them. The test password is password=hunter2-Zx81qqLm'),
    assistant(1, {
      type: 'tool_use',
      id: 't1',
      name: 'Edit',
      input: { file_path: upload, old_string: 'a', new_string: 'function retryUpload() {}' },
    }),
    user(2, [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]),
    assistant(3, {
      type: 'text',
      text: 'I added retryUpload because the proxy closes idle sockets. The fix is complete.',
    }),
    user(4, 'yes, go on'),
    user(5, '<system-reminder>nothing</system-reminder>', { isMeta: true }),
    user(6, 'New task: what does the pricing module do?'),
    assistant(7, { type: 'text', text: 'It caches prices.' }),
  ]
}

describe('grove team', () => {
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })

  afterAll(async () => {
    await postgres?.stop()
  })

  /** What a person at a terminal would answer with yes. */
  const joins = (here: Place, ...args: string[]) => grove(here, 'team', 'join', ...args, '--yes')
  const sent = (result: { stdout: string }) => result.stdout.trimEnd().split('\n').at(-1)

  it('shows what joining sends and asks; then shares this project, says how it stands, and leaves', async () => {
    const url = await postgres.createDatabase()
    const ada = projectPlace()
    await grove(ada, 'import', 'git')
    const asked = await grove(ada, 'team', 'join', url)
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('--yes')])
    expect(asked.stdout).toMatch(/Team +postgresql:\/\/grove:\*\*\*@127\.0\.0\.1:\d+\//)
    expect(asked.stdout).toMatch(/Connection +encrypted/)
    expect(asked.stdout).toMatch(/Project +shop \(git\.example\/team\/shop\)\n/)
    expect(asked.stdout).toMatch(/Memories +2, from 2026-09-\d\d to 2026-09-\d\d/)
    expect(asked.stdout).toContain('- Cache product prices for a minute (Ada, 2026-09-')
    expect(asked.stdout + asked.stderr).not.toContain(new URL(url).password)
    expect((await grove(ada, 'team', 'status')).stdout).toContain('not joined a team')

    const joined = await joins(ada, url)
    expect([joined.code, sent(joined)]).toEqual([0, 'git.example/team/shop: 0 fetched, 2 sent'])
    expect(statSync(join(ada.home, 'config.toml')).mode & 0o777).toBe(0o600)

    // The environment is the other way to name the team; alone it shares nothing.
    const bob = projectPlace({ GROVE_DATABASE_URL: url })
    expect((await grove(bob, 'team', 'sync')).stdout).toContain('No project is shared')
    expect(sent(await grove(bob, 'team', 'share', '--yes'))).toBe('git.example/team/shop: 2 fetched, 0 sent')
    expect((await grove(bob, 'search', 'expired', 'tokens')).stdout).toContain('Reject expired tokens')
    const { memories } = await json<{ memories: Entry[] }>(bob, 'memories')
    await grove(bob, 'memories', 'delete', memories[0]!.id, '--yes')
    expect((await grove(bob, 'team', 'sync')).stdout).toBe('git.example/team/shop: 0 fetched, 1 sent\n')
    await grove(ada, 'team', 'sync')
    expect((await json<{ memories: Entry[] }>(ada, 'memories')).memories).toHaveLength(1)

    const status = await grove(ada, 'team', 'status')
    expect(status.stdout).toMatch(/Reachable +yes/)
    expect(status.stdout).toMatch(/shop +read and write +1 +0 +git\.example\/team\/shop/)
    expect(status.stdout).not.toContain(new URL(url).password)
    const { stdout: health } = await grove(ada, 'doctor', '--json')
    expect(health).toMatch(/127\.0\.0\.1:\d+\/\w+ answers, 1 projects? known here/)
    expect(health).not.toContain(new URL(url).password)

    expect((await grove(ada, 'team', 'leave')).code).toBe(0)
    expect((await grove(ada, 'team', 'status')).stdout).toContain('not joined a team')
    expect((await json<{ memories: Entry[] }>(ada, 'memories')).memories).toHaveLength(1)
    const still = await grove(bob, 'team', 'leave')
    expect([still.code, still.stderr]).toEqual([
      0,
      expect.stringContaining('GROVE_DATABASE_URL still points to a team'),
    ])
    expect((await grove(bob, 'team', 'sync')).stdout).toContain('No project is shared')
  })

  it('makes what one member learned known to the others, with its author, and merges edits by entry', async () => {
    const url = await postgres.createDatabase()
    const [ada, bob] = [projectPlace(), projectPlace()]
    git(bob, 'config', 'user.name', 'Bob')
    const learns = async (here: Place, summary: string, detail: string) => {
      const said = ['--category', 'pitfall', '--tags', 'tests', '--criteria', 'behavior_changing']
      const { accepted } = await json<{ accepted: { id: string }[] }>(
        ...([here, 'reflect', '--summary', summary, '--detail', detail, ...said] as const),
      )
      return accepted[0]!.id
    }
    const mails = await learns(
      ...([ada, 'Run the mail tests with --runInBand'] as const),
      'They share one sandbox account and delete the customers of each other.',
    )
    await joins(ada, url)
    const carts = await learns(
      ...([bob, 'Clear the Redis keys before the cart tests'] as const),
      'A cart of an earlier run is taken over, and the totals are wrong by its lines.',
    )
    await joins(bob, url)
    await grove(ada, 'team', 'sync')
    for (const here of [ada, bob]) {
      const { learnings } = await json<{ learnings: { id: string; author: string }[] }>(here, 'learnings')
      const authors = Object.fromEntries(learnings.map(({ id, author }) => [id, author]))
      expect(authors).toEqual({ [mails]: 'Ada', [carts]: 'Bob' })
    }
    expect((await grove(bob, 'learnings', 'show', mails)).stdout).toMatch(/By +Ada/)

    // Each changes another entry, and neither loses the other's.
    await grove(ada, 'learnings', 'edit', carts, '--tags', 'redis,cart')
    await grove(bob, 'learnings', 'edit', mails, '--detail', 'One sandbox account is shared; in parallel they fail.')
    for (const here of [bob, ada, bob]) await grove(here, 'team', 'sync')
    for (const here of [ada, bob]) {
      expect(await json(here, 'learnings', 'show', mails)).toMatchObject({
        ...{ author: 'Ada', detail: 'One sandbox account is shared; in parallel they fail.' },
      })
      expect(await json(here, 'learnings', 'show', carts)).toMatchObject({ author: 'Bob', tags: ['redis', 'cart'] })
    }
  })

  it('shares other projects one by one, and takes back what was sent', async () => {
    const url = await postgres.createDatabase()
    const ada = projectPlace()
    await grove(ada, 'import', 'git')
    const other = { ...projectPlace(), home: ada.home, env: ada.env }
    git(other, 'remote', 'set-url', 'origin', 'git@git.example:team/other.git')
    await grove(other, 'import', 'git')
    await joins(ada, url)
    expect((await grove(ada, 'team', 'status')).stdout).toMatch(/other +not shared +2 /)
    const asked = await grove(ada, 'team', 'share', other.cwd)
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining('git.example/team/other')])
    expect((await grove(ada, 'team', 'share', other.cwd, '--yes')).stdout).toContain(
      'git.example/team/other: 0 fetched, 2 sent',
    )
    await grove(ada, 'team', 'unshare', other.cwd)
    commit(other, 'Explain the checkout flow in one place', 'docs/checkout.md')
    await grove(other, 'import', 'git')
    expect((await grove(ada, 'team', 'sync')).stdout).toBe('git.example/team/shop: 0 fetched, 0 sent\n')

    const forgetting = await grove(ada, 'team', 'forget')
    expect([forgetting.code, forgetting.stderr]).toEqual([1, expect.stringContaining('--yes')])
    expect(forgetting.stdout).toContain('2 of git.example/team/shop')
    expect(await json(ada, 'team', 'forget', '--all', '--yes')).toEqual({ deleted: 4 })
    expect(await json(ada, 'team', 'forget', '--all', '--yes')).toEqual({ deleted: 0 })
    expect((await grove(ada, 'team', 'sync')).stdout).toContain('No project is shared')
    expect((await json<{ memories: Entry[] }>(ada, 'memories')).memories).toHaveLength(2)
    const fresh = projectPlace()
    await joins(fresh, url)
    expect(await json(fresh, 'memories')).toMatchObject({ memories: [] })
  })

  it.each([['join', 'postgresql://a@127.0.0.1:1/x'], ['share'], ['unshare'], ['leave'], ['forget']])(
    'is not for agents: %s is refused in a shell of Claude Code',
    async (...args) => {
      const agent = projectPlace({ CLAUDE_CODE_SESSION_ID: 'a-session', CLAUDECODE: '1' })
      const refused = await grove(agent, 'team', ...args)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('An agent cannot')])
    },
  )

  it('works on when the team cannot be reached, and says what waits', async () => {
    const relay = await startRelay(await postgres.createDatabase())
    const at = new URL(relay.through(await postgres.createDatabase()))
    const away = projectPlace({ GROVE_DATABASE_URL: at.href })
    await joins(away)
    await relay.close()
    expect((await grove(away, 'import', 'git')).stdout).toContain('2 memories kept')
    const { stdout } = await grove(away, 'team', 'status')
    expect(stdout).toMatch(/Reachable +no, nothing is lost, changes wait here/)
    expect(stdout).toMatch(/shop +\? +2 +2 /)
    const sync = await grove(away, 'team', 'sync')
    expect([sync.code, sync.stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
    expect(stdout + sync.stderr).not.toContain(at.password)
  })

  it('keeps a project that is not to be shared on this machine', async () => {
    const url = await postgres.createDatabase()
    const ada = projectPlace({ GROVE_DATABASE_URL: url })
    mkdirSync(ada.home, { recursive: true })
    writeFileSync(join(ada.home, 'config.toml'), '[database]\nprojects = ["git.example/other/*"]\n')
    await grove(ada, 'import', 'git')
    const refused = await grove(ada, 'team', 'share', '--yes')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('database.projects')])
    expect((await joins(ada)).stdout).toContain('Nothing in this folder is sent')
    expect((await grove(ada, 'team', 'sync')).stdout).toContain('No project is shared')
    expect((await grove(ada, 'team', 'status')).stdout).toMatch(/shop +not shared +2 +- /)
  })

  it('is kept in step by the daemon, which also starts when the team cannot be reached, until it is left', async () => {
    const url = await postgres.createDatabase()
    const relay = await startRelay(url)
    const [ada, bob] = [relay.through(url), url].map((through) => projectPlace({ GROVE_DATABASE_URL: through }))
    for (const here of [ada!, bob!]) {
      mkdirSync(here.home, { recursive: true })
      writeFileSync(join(here.home, 'config.toml'), '[database]\nsync_seconds = 1\n')
      await joins(here)
    }
    await relay.cut()
    await grove(ada!, 'import', 'git')
    const running = await startGrove(ada!, 'up')
    const listening = await startGrove(bob!, 'up')
    await grove(bob!, 'import', 'git', '--max', '1')
    await relay.mend()
    const known = async () => (await json<{ memories: Entry[] }>(bob!, 'memories')).memories.length
    await expect.poll(known, { interval: 1_000 }).toBe(2)
    const found = await fetch(`${listening.url('Web')}/api/memories/search?q=expired+tokens`, {
      headers: listening.asTool(),
    })
    expect(await found.json()).toMatchObject({ hits: [{ entry: { goal: 'Reject expired tokens at the gateway' } }] })

    // Both daemons run on; nothing of what is made after leaving arrives, and what the other sends still does.
    await grove(ada!, 'team', 'leave')
    commit(ada!, 'Round prices half to even', 'src/prices/round.ts', 'Invoices are summed from rounded prices.')
    await grove(ada!, 'import', 'git')
    commit(bob!, 'Sort invoices by their date', 'src/invoices.ts', 'The bank wants them in that order.')
    await grove(bob!, 'import', 'git')
    const carol = projectPlace()
    await joins(carol, url)
    const goals = async () => {
      await grove(carol, 'team', 'sync')
      const { memories } = await json<{ memories: { goal: string }[] }>(carol, 'memories')
      return memories.map(({ goal }) => goal)
    }
    await expect.poll(goals, { interval: 1_000 }).toContain('Sort invoices by their date')
    expect(await goals()).not.toContain('Round prices half to even')
    for (const one of [running, listening]) one.kill('SIGTERM')
    expect([(await running.exit).code, (await listening.exit).code]).toEqual([0, 0])
    await relay.close()
  })

  it('lets the owner grant, list and revoke access', async () => {
    const url = await postgres.createDatabase()
    const owner = projectPlace({ GROVE_DATABASE_URL: url })
    const { default: pg } = await import('pg')
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const login = `reader_${process.pid}`
    await admin.query(`create role ${login} login password 'open'`)
    await admin.end()
    await grove(owner, 'import', 'git')
    await joins(owner)
    expect((await grove(owner, 'team', 'grant', login, '--read-only')).stdout).toBe(
      `${login} may read git.example/team/shop.\n`,
    )
    const theirs = Object.assign(new URL(url), { username: login, password: 'open' }).href
    const reader = projectPlace({ GROVE_DATABASE_URL: theirs })
    commit(reader, 'Explain the checkout flow in one place', 'docs/checkout.md')
    await grove(reader, 'import', 'git')
    expect((await grove(reader, 'team', 'share', '--yes')).stdout).toContain('read-only')
    expect((await grove(reader, 'team', 'status')).stdout).toMatch(/shop +read +/)
    expect((await grove(owner, 'team', 'members')).stdout).toContain(login)
    await grove(owner, 'team', 'revoke', login)
    const out = await grove(reader, 'team', 'sync')
    expect([out.code, out.stderr]).toEqual([1, expect.stringContaining('grove team grant')])
  })
})

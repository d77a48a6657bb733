import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'
import { grove, type Place, startGrove, withBinary } from './grove.ts'
import { commit, type Entry, git, json, projectPlace } from './history.ts'

withBinary()

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

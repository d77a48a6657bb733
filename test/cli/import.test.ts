import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, withBinary } from './grove.ts'
import { commit, type Entry, git, json, projectPlace } from './history.ts'

withBinary()

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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { dist, grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { readPairs } from '../corpus/learnings/measure.ts'

// The commands of the learning gate as people, agents and hook processes run them, many at once if need be.

withBinary()

const seed = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}
const notes = readPairs(join(import.meta.dirname, '../corpus/learnings'))
  .filter(({ same }) => same)
  .map(({ a }) => ({ ...seed, ...a }))

describe('grove reflect', () => {
  it('keeps what passes, and answers for people and programs', async () => {
    const at = project()
    const said = await run(at, { candidates: [seed, { summary: 'x' }] }, 'reflect')
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect(said.stdout).toMatch(
      /^kept {6}lrn_\w+ {2}Run the migrations before the seed script\n(.*\n)*rejected {2}x: category must be/,
    )
    const again = await run(at, { candidates: [seed] }, 'reflect', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, accepted: [], rejected: [{ stage: 'duplicate' }] })
  })

  it.each([
    ['nothing', '', 'No input was given'],
    ['no JSON', '{"candidates": [', 'The input is not valid JSON: Unexpected end'],
    ['no candidates', '{"candidates": []}', 'The list of candidates is empty'],
    ['something else', '"hello"', 'has no list of candidates'],
    ['null', 'null', 'has no list of candidates'],
    ['no sound candidate', '{"candidates": [{}, 5, null]}', 'nothing was kept. Fix the problems above'],
  ])('given %s says what is wrong and what to do', async (_, input, message) => {
    const { code, stderr } = await run(project(), input, 'reflect')
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })

  it('is about the session of the agent that runs it, however many wait', async () => {
    const at = project({ '.beads/issues.jsonl': '' })
    for (const session of ['mine', 'other']) await closed(at, session)
    const mine = { ...at, env: { ...at.env, CLAUDE_CODE_SESSION_ID: 'mine' } }
    const { stdout } = await run(mine, { candidates: [seed] }, 'reflect', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ session_id: 'mine', gate: 'reflected' })
  })

  it('whose input cannot be read is told again when it wants to stop', async () => {
    const at = project({ '.beads/issues.jsonl': '', '.grove/config.toml': '[gate]\nheadless = true\n' })
    await closed(at, 's1')
    const agent = { ...at, env: { ...at.env, CLAUDE_CODE_SESSION_ID: 's1' } }
    expect(await run(agent, '{"candidates": [', 'reflect')).toMatchObject({ code: 1 })
    const { hookSpecificOutput } = JSON.parse((await hook(at, 'stop', { session_id: 's1' })).stdout)
    expect(hookSpecificOutput.additionalContext).toContain(
      'The last attempt was turned down:\n- The input is not valid JSON: Unexpected end',
    )
  })

  it('takes five megabytes without harm', async () => {
    const { code, stdout } = await run(
      project(),
      { candidates: [{ ...seed, detail: 'x'.repeat(4_900_000) }] },
      'reflect',
    )
    expect(code).toBe(1)
    expect(stdout).toContain('detail must have 20 to 2000 characters, it has 4900000')
    expect((await run(project(), 'x'.repeat(5_100_000), 'reflect')).stderr).toContain('larger than 5 MB')
  })
})

describe('a gate that waits', () => {
  it('is seen in status, proxy-status and the API', async ({ onTestFinished }) => {
    const at = project({ '.beads/issues.jsonl': '', '.grove/config.toml': '[gate]\nheadless = true\n' })
    await hook(at, 'session-start', { session_id: 's1', source: 'startup' })
    await closed(at, 's1')
    await hook(at, 'stop', { session_id: 's1' })
    expect((await grove(at, 'status')).stdout).toContain('1 waiting for a reflection')
    expect((await grove(at, 'proxy-status', 's1')).stdout).toMatch(/Gate +blocked \(app-1\)/)
    const daemon = await startGrove(at, 'up')
    onTestFinished(() => daemon.kill('SIGKILL'))
    const answer = await fetch(new URL('/api/agents', daemon.url('Web')), { headers: daemon.asTool() })
    expect(await answer.json()).toMatchObject({ agents: [{ gate: { status: 'blocked', ticket: 'app-1' } }] })
  })
})

describe('what was turned down', () => {
  it('is shown, and taken back by a person alone', async () => {
    const at = project()
    const general = {
      ...seed,
      summary: 'Always write good tests',
      detail: 'Tests are important, so always write good ones.',
    }
    await run(at, { candidates: [general] }, 'reflect')
    const shown = await grove(at, 'learnings', 'rejected')
    expect(shown.stdout).toContain('Always write good tests')
    expect(shown.stdout).toContain('  - too general')
    const [{ id }] = JSON.parse((await grove(at, 'learnings', 'rejected', '--json')).stdout).rejected
    const agent = { ...at, env: { ...at.env, CLAUDECODE: '1' } }
    expect(await grove(agent, 'learnings', 'restore', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('An agent cannot'),
    })
    expect((await grove(at, 'learnings', 'restore', id)).stdout).toMatch(/^kept lrn_\w+: Always write good tests/)
    expect((await grove(at, 'learnings')).stdout).toContain('Always write good tests')
  })
})

describe('grove learnings', () => {
  it('lists, shows, edits, archives, restores and supersedes', async () => {
    const at = project()
    await run(at, { candidates: [seed, notes[4]] }, 'reflect')
    const { learnings } = JSON.parse((await grove(at, 'learnings', 'list', '--json')).stdout)
    expect(learnings).toHaveLength(2)
    const { id } = learnings.find(({ summary }: { summary: string }) => summary === seed.summary)

    expect(await grove(at, 'learnings')).toMatchObject({ stdout: expect.stringContaining(seed.summary), stderr: '' })
    const fewer = await grove(at, 'learnings', 'list', '--limit', '1')
    expect(fewer.stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(fewer.stderr).toContain('There are more')
    expect((await grove(at, 'learnings', 'list', 'seed', 'migrations')).stdout).toContain(id)
    expect((await grove(at, 'learnings', 'show', id)).stdout).toContain(seed.detail)
    expect((await grove(at, 'learnings', 'edit', id, '--tags', 'db, seed')).stdout).toMatch(/Tags +db, seed/)
    expect((await grove(at, 'learnings', 'archive', id, 'no', 'longer', 'true')).stdout).toContain(`${id} is archived`)
    expect((await grove(at, 'learnings')).stdout).not.toContain(id)
    expect((await grove(at, 'learnings', 'list', '--status', 'archived')).stdout).toContain(id)
    expect((await grove(at, 'learnings', 'restore', id)).stdout).toContain(`${id} is active`)
    const other = learnings.find(({ summary }: { summary: string }) => summary !== seed.summary)
    expect((await grove(at, 'learnings', 'supersede', id, other.id)).stdout).toContain(`${id} is superseded`)
    expect((await grove(at, 'learnings')).stdout).not.toContain(id)
    expect(await grove(at, 'learnings', 'supersede', other.id, id)).toMatchObject({ code: 1 })
    expect(await grove(at, 'learnings', 'show', 'lrn_none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no learning lrn_none'),
    })
  })
})

describe('a mistake on the command line', () => {
  it.each([
    ['learnings list --limit abc', 2, 'Use a whole number of at least 1'],
    ['learnings list --limit -1', 2, 'Use a whole number of at least 1'],
    ['learnings list --category rant', 2, 'Allowed choices are pattern, pitfall'],
    ['learnings edit lrn_1 --confidence very', 2, 'Allowed choices are high, medium, low'],
    ['learnings edit lrn_1', 1, 'There is nothing to change'],
    ['skip --json nothing', 1, 'There is no agent session in this project'],
    ['observe --json nothing', 1, 'There is no agent session in this project'],
  ])('grove %s is named', async (line, code, message) => {
    const said = await grove(project(), ...line.split(' '))
    expect(said).toMatchObject({ code, stderr: expect.stringContaining(message) })
    if (line.includes('--json')) expect(JSON.parse(said.stdout)).toBeTypeOf('object')
  })

  it('is not taken for a fault of Grove where a file is in the way', async () => {
    const at = place()
    writeFileSync(join(at.cwd, '.grove'), '')
    const { code, stderr } = await grove(at, 'maintain')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const other = project({ '.grove/learnings.md/x': '' })
    expect((await grove(other, 'learnings')).stderr).toContain('it is not a plain file')
  })
})

describe('a listing for programs', () => {
  it('spells fields as the API does', async () => {
    const at = project()
    await run(at, { candidates: [{ ...seed, context_files: ['db/seed.ts'], ticket_id: 'a-1' }] }, 'reflect')
    const { learnings } = JSON.parse((await grove(at, 'learnings', '--json')).stdout)
    expect(learnings).toMatchObject([
      { criteriaMet: ['behavior_changing'], contextFiles: ['db/seed.ts'], ticketId: 'a-1' },
    ])
  })

  it.each([
    ['intent list', { intents: [], problems: [] }],
    ['trace log', { records: [] }],
    ['learnings list', { learnings: [] }],
  ])('grove %s is empty where there is nothing', async (line, empty) => {
    const { code, stdout } = await grove(place(), ...line.split(' '), '--json')
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: empty })
  })
})

describe('grove maintain and grove insights', () => {
  it('mend the log and say how learning goes', async () => {
    const at = project()
    await run(at, { candidates: [seed] }, 'reflect')
    appendFileSync(statsFile(at), 'damaged\n')
    const young = 'Nothing to archive: every active learning is new or in use.\n'
    expect((await grove(at, 'maintain', '--dry-run')).stdout).toBe(
      `${young}1 damaged line of the usage log would be removed.\n`,
    )
    expect(readFileSync(statsFile(at), 'utf8')).toContain('damaged\n')
    expect((await grove(at, 'maintain')).stdout).toMatch(
      /^Nothing to archive.*\n1 damaged line of the usage log was removed, to stats\.log\.damaged\.\nThe totals were rebuilt from \d+ events?\.\n$/,
    )
    expect(readFileSync(`${statsFile(at)}.damaged`, 'utf8')).toBe('damaged\n')
    expect((await grove(at, 'maintain')).stdout).toMatch(
      /^Nothing to archive.*\nThe usage log is intact\.\nThe totals were rebuilt from \d+ events?\.\n$/,
    )
    expect(JSON.parse((await grove(at, 'maintain', '--json')).stdout)).toMatchObject({
      ...{ dryRun: false, archived: [], damaged: 0, unreachable: [] },
    })
    expect((await grove(at, 'insights')).stdout).toContain('1 active')
    expect(JSON.parse((await grove(at, 'insights', '--json')).stdout)).toMatchObject({ reflections: 1, findings: [] })
  })
})

describe('grove doctor', () => {
  it('tries the memory server that the configuration names', async () => {
    const at = project()
    const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')
    const named = async (command: string[]) => {
      const env = JSON.stringify([`MEMORY_FILE_PATH=${join(at.home, 'memory.jsonl')}`])
      mkdirSync(at.home, { recursive: true })
      writeFileSync(
        join(at.home, 'config.toml'),
        `[backends]\nuse = ["mcp"]\n[backends.mcp]\ncommand = ${JSON.stringify(command)}\nenv = ${env}\n`,
      )
      const { findings } = JSON.parse((await grove(at, 'doctor', '--json')).stdout)
      return findings.find(({ check }: { check: string }) => check === 'learnings')
    }
    expect(await named([process.execPath, server])).toMatchObject({ status: 'ok' })
    expect(await named(['no-such-server'])).toMatchObject({ status: 'warn', detail: expect.stringContaining('ENOENT') })
    expect(await named([])).toMatchObject({ status: 'warn', detail: expect.stringContaining('none is configured') })
  })
})

describe('skip and observe', () => {
  it('need a session', async () => {
    const at = project()
    expect((await grove(at, 'skip', 'nothing new')).stderr).toContain('There is no agent session in this project')
    expect((await grove(at, 'observe', 'a note')).stderr).toContain('There is no agent session in this project')
  })

  it('take text that begins with a dash, and no mistyped option', async () => {
    const at = project()
    const note = await grove(at, 'observe', '- the loader asks once per row', '--session', 's1')
    expect(note).toMatchObject({ code: 0, stderr: '' })
    expect((await grove(at, 'skip', '--no-verify was all', '--session', 's1')).stdout).toContain('You may finish now')
    expect(await grove(at, 'observe', '--sesion', 's1', 'a note')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no option --sesion'),
    })
  })
})

describe('twenty processes at once', () => {
  it('lose no event, no note and no learning', async () => {
    const at = project({ '.beads/issues.jsonl': '' })
    const many = Array.from({ length: 20 }, (_, index) => index)
    await hook(at, 'session-start', { session_id: 'main', source: 'startup' })

    const closed = many.map((index) =>
      hook(at, 'post-tool-use', {
        session_id: `s${index}`,
        tool_name: 'Bash',
        tool_use_id: `t${index}`,
        tool_input: { command: `bd close app-${index}` },
        tool_response: { stdout: `Closed app-${index}`, stderr: '' },
      }),
    )
    expect((await Promise.all(closed)).map(({ code }) => code)).toEqual(many.map(() => 0))
    await Promise.all(many.map((index) => grove(at, 'observe', '--session', 'main', `note ${index}`)))
    const kept = await Promise.all(
      many.map((index) => run(at, { session_id: `s${index}`, candidates: [notes[index]] }, 'reflect', '--json')),
    )
    expect(kept.map(({ stdout }) => JSON.parse(stdout).gate)).toEqual(many.map(() => 'reflected'))
    const starts = await Promise.all(
      many.map((index) => hook(at, 'session-start', { session_id: `next${index}`, source: 'startup' })),
    )
    // A hook that got no time of an overloaded machine says so, and shows nothing; the others are counted.
    const wasShown = many.filter((index) => starts[index]!.stdout.includes('<grove-learnings>'))
    const wasTold = many.filter((index) => starts[index]!.stdout.includes('hooks do not work'))
    expect([...wasShown, ...wasTold].toSorted((a, b) => a - b)).toEqual(many)

    const store = await openSqliteStore({ file: join(at.home, 'grove.db') })
    const main = await store.states.get(SLOTS.gate, 'main')
    await store.close()
    expect(main).toMatchObject({ observations: expect.any(Array) })
    const noted = main === undefined || main === 'unreadable' ? [] : main.observations.map(({ note }) => note)
    expect(new Set(noted)).toEqual(new Set(many.map((index) => `note ${index}`)))
    const { learnings } = JSON.parse((await grove(at, 'learnings', 'list', '--json')).stdout)
    expect(new Set(learnings.map(({ summary }: { summary: string }) => summary))).toEqual(
      new Set(many.map((index) => notes[index]!.summary)),
    )
    const log = readFileSync(statsFile(at), 'utf8').trimEnd().split('\n')
    const events = log.map((line) => JSON.parse(line) as { type: string; session: string })
    expect(events.filter(({ type }) => type === 'reflected')).toHaveLength(20)
    const surfaced = events.filter(({ type }) => type === 'surfaced').map(({ session }) => session)
    expect(surfaced).toEqual(expect.arrayContaining(wasShown.map((index) => `next${index}`)))
    expect((await grove(at, 'maintain', '--json')).stdout).toContain('"damaged": 0')
  })
})

describe('grove hook', () => {
  it.each([
    ['malformed JSON', '{"session_id": '],
    ['nothing', ''],
    ['a list', '[]'],
    [
      'five megabytes',
      JSON.stringify({
        session_id: 's',
        cwd: '/',
        tool_name: 'Bash',
        tool_input: { command: `bd close ${'x '.repeat(2_500_000)}` },
      }),
    ],
  ])('given %s lets the agent go on', async (_, input) => {
    const at = project()
    for (const event of ['stop', 'post-tool-use', 'never-heard-of']) {
      const { code, stdout } = await run(at, input, 'hook', event)
      // The user may be told, in one line, that the client is not understood; nothing is decided.
      const { systemMessage: _said, ...decided } = JSON.parse(stdout)
      expect({ code, decided }).toEqual({ code: 0, decided: {} })
    }
  })
})

/** The log of the one project that a home knows. */
function statsFile({ home }: Place): string {
  const [known] = readdirSync(join(home, 'projects'))
  return join(home, 'projects', known!, 'stats.log')
}

/** A project with its own home. */
function project(files: Record<string, string> = {}): Place {
  const at = place()
  mkdirSync(join(at.cwd, '.grove'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(at.cwd, path, '..'), { recursive: true })
    writeFileSync(join(at.cwd, path), content)
  }
  return at
}

/** Runs a command with something on its standard input. */
async function run({ cwd, env }: Place, input: object | string, ...args: string[]) {
  const child = spawn(process.execPath, [join(dist, 'grove.js'), ...args], { cwd, env })
  child.stdin.on('error', () => {})
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, stdout, stderr }
}

/** A ticket was closed in this session. */
function closed(at: Place, session: string) {
  return hook(at, 'post-tool-use', {
    session_id: session,
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: 'bd close app-1' },
    tool_response: { stdout: 'Closed app-1', stderr: '' },
  })
}

function hook(at: Place, event: string, payload: object) {
  return run(at, { cwd: at.cwd, ...payload }, 'hook', event)
}

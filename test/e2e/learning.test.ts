import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { dist, grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { type ClaudeRun, runClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'

// The real Claude Code closes a ticket, is asked to reflect before it leaves, reflects, and is let go. A second session on
// the same project then knows what the first one learned.

withBinary()

const lesson = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail:
    'The seed script in db/seed.ts inserts into tables that only `npm run migrate` creates, and fails without a word.',
  scope: 'project',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['database', 'seed'],
  context_files: ['db/seed.ts'],
}
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Run it' } })
const close = bash('cd . && bd close app-7 --reason "done; really"')
const reflection = bash(`"$GROVE_NODE" "$GROVE_JS" reflect <<'JSON'\n${JSON.stringify({ candidates: [lesson] })}\nJSON`)

const work = story(
  { tool_use: [close] },
  { text: 'The ticket is done.' },
  { tool_use: [reflection] },
  { text: 'All is written down.' },
)

describe('Claude Code at the learning gate', () => {
  it.for(['auto', 'http', 'command'])(
    'reflects on a closed ticket before it leaves, and the next session knows (%s)',
    async (transport, { onTestFinished }) => {
      const stage = await setStage(onTestFinished, work)
      await stage.daemon()
      await stage.attach(transport)
      const first = await stage.run('Close the ticket')

      expect(first).toMatchObject({ exitCode: 0, result: { result: 'All is written down.' } })
      const asked = stage.requests().at(2)!
      expect(asked).toContain('Ticket app-7 (Make the seed script idempotent) is closed.')
      expect(asked).toContain('reflect <<')
      expect(stage.requests().at(3)).toContain('You may finish now.')
      expect(await stage.learnings()).toContain('### Run the migrations before the seed script <!-- lrn_')
      expect(stage.requests()).toHaveLength(4)

      const next = await stage.next(story({ text: 'Hello.' }))
      await next.run('Hello')
      expect(next.requests().at(0)).toContain('Run the migrations before the seed script')
      expect(next.requests().at(0)).toContain('<grove-learnings>')
    },
  )

  it('is asked by a process of its own when no daemon runs', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, work)
    await stage.attach('auto')
    expect(await stage.run('Close the ticket')).toMatchObject({
      exitCode: 0,
      result: { result: 'All is written down.' },
    })
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
    expect(await stage.warnings()).not.toContain('learning gate')
  })

  it('is asked although the daemon was killed after the ticket was closed', async ({ onTestFinished }) => {
    const waits = bash('touch closed; until [ -e gone ]; do sleep 0.1; done')
    const stage = await setStage(
      onTestFinished,
      story(
        { tool_use: [close] },
        { tool_use: [waits] },
        { text: 'The ticket is done.' },
        { tool_use: [reflection] },
        { text: 'All is written down.' },
      ),
    )
    const daemon = await stage.daemon()
    await stage.attach('command')
    const running = stage.run('Close the ticket')
    while (!existsSync(join(stage.project.dir, 'closed'))) await sleep(50)
    daemon.kill('SIGKILL')
    await daemon.exit
    await writeFile(join(stage.project.dir, 'gone'), '')
    expect(await running).toMatchObject({ exitCode: 0, result: { result: 'All is written down.' } })
    expect(stage.requests().at(3)).toContain('Ticket app-7')
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
  })

  it('may reflect with the tool of the MCP server', async ({ onTestFinished }) => {
    const tool = { name: 'mcp__grove__reflect', input: { candidates: [lesson] } }
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [close] }, { text: 'Done.' }, { tool_use: [tool] }, { text: 'All is written down.' }),
    )
    await stage.attach('command')
    const outcome = await stage.run('Close the ticket', {}, ['--allowedTools=Bash,mcp__grove'])
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'All is written down.' } })
    expect(stage.requests().at(3)).toMatch(/Kept lrn_\w+: Run the migrations/)
    expect(await stage.stats()).toMatchObject([{ type: 'reflected', session: outcome.sessionId, ticket: 'app-7' }])
  })

  it('is asked about a task of its own list, by the title it gave it', async ({ onTestFinished }) => {
    const create = { name: 'TaskCreate', input: { subject: 'Fix the login', description: 'Cookies are lost' } }
    const complete = { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }
    const skipping = bash('"$GROVE_NODE" "$GROVE_JS" skip "only a version bump"')
    const stage = await setStage(
      onTestFinished,
      story(
        { tool_use: [create] },
        { tool_use: [complete] },
        { text: 'Done.' },
        { tool_use: [skipping] },
        { text: 'Nothing to keep.' },
      ),
      { '.grove/config.toml': '[ticketing.overrides]\nbeads = false\n' },
    )
    await stage.attach('command')
    // Newer clients offer their task list to older models only.
    const outcome = await stage.run('Fix the login', {}, ['--model=claude-sonnet-4-5'])
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Nothing to keep.' } })
    expect(stage.requests().at(3)).toContain('Task 1 (Fix the login) is completed.')
  })

  it('may say that there is nothing to keep', async ({ onTestFinished }) => {
    const skipping = bash('"$GROVE_NODE" "$GROVE_JS" skip "only a version bump"')
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [close] }, { text: 'Done.' }, { tool_use: [skipping] }, { text: 'Nothing to keep.' }),
    )
    await stage.attach('command')
    expect(await stage.run('Close the ticket')).toMatchObject({ exitCode: 0, result: { result: 'Nothing to keep.' } })
    expect(await stage.stats()).toMatchObject([{ type: 'skipped', reason: 'only a version bump', decider: 'agent' }])
  })

  it('is let go after three reminders when it never reflects', async ({ onTestFinished }) => {
    const stubborn = [1, 2, 3, 4].map((time) => ({ text: `I am done, I say (${time}).` }))
    const stage = await setStage(onTestFinished, story({ tool_use: [close] }, ...stubborn))
    await stage.attach('command')
    expect(await stage.run('Close the ticket')).toMatchObject({
      exitCode: 0,
      result: { result: 'I am done, I say (4).' },
    })
  })

  it('is asked about a session without tickets when it changed enough, and what it used is counted', async ({
    onTestFinished,
  }) => {
    const known = await setStage(onTestFinished, work)
    await known.attach('command')
    await known.run('Close the ticket')

    const write = { name: 'Write', input: { file_path: '{{cwd}}/db/seed.ts', content: 'export {}\n'.repeat(30) } }
    const read = { name: 'Read', input: { file_path: '{{cwd}}/db/seed.ts' } }
    const next = await known.next(
      story(
        { tool_use: [read] },
        { tool_use: [write] },
        { text: 'Done.' },
        { tool_use: [bash('"$GROVE_NODE" "$GROVE_JS" skip "known"')] },
        { text: 'Bye.' },
      ),
    )
    await rm(join(known.project.dir, '.beads'), { recursive: true })
    const outcome = await next.run('Change the seed script')
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Bye.' } })
    expect(next.requests().at(3)).toMatch(/You changed \d+ lines/)
    const events = (await known.stats()).filter(({ session }) => session === outcome.sessionId)
    expect(events).toMatchObject([
      { type: 'surfaced' },
      { type: 'referenced', how: 'changed db/seed.ts' },
      { type: 'skipped' },
    ])
  })
})

type WhenFinished = (work: () => Promise<void> | void) => void

const ticket = {
  id: 'app-7',
  title: 'Make the seed script idempotent',
  description: 'Running it twice must not fail.',
  status: 'in_progress',
  updated_at: '2026-01-01T00:00:00Z',
}
const bd = `#!/bin/sh
[ "$1" = close ] || exit 1
echo "Closed $2"
`

async function setStage(whenFinished: WhenFinished, scenario: Scenario, files: Record<string, string> = {}) {
  const project = await createProject({
    'db/seed.ts': 'export {}\n',
    '.beads/issues.jsonl': `${JSON.stringify(ticket)}\n`,
    ...files,
  })
  whenFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  const bin = join(at.env.HOME!, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'bd'), bd)
  await chmod(join(bin, 'bd'), 0o755)

  async function playing(played: Scenario) {
    const simulator = await simulatorOf(whenFinished, played, project.dir)
    return {
      simulator,
      requests: () => simulator.requests.filter(({ method }) => method === 'POST').map(({ body }) => unescaped(body)),
      run: (prompt: string, env: Record<string, string> = {}, args: string[] = []): Promise<ClaudeRun> =>
        runClaude({
          args,
          baseUrl: simulator.url,
          prompt,
          cwd: project.dir,
          home: at.env.HOME!,
          env: {
            GROVE_HOME: at.home,
            PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
            GROVE_NODE: process.execPath,
            GROVE_JS: join(dist, 'grove.js'),
            ...env,
          },
        }),
    }
  }

  return {
    ...(await playing(scenario)),
    next: playing,
    project,
    at,
    async daemon() {
      const running = await startGrove(at, 'up')
      whenFinished(() => running.kill('SIGKILL'))
      return running
    },
    async attach(transport: string) {
      const { code, stderr } = await grove(at, 'init', '--transport', transport)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
    /** What hook processes without a daemon have complained about. */
    warnings: () => readFile(join(at.home, 'logs', 'hooks.log'), 'utf8').catch(() => ''),
    learnings: () => readFile(join(project.dir, '.grove', 'learnings.md'), 'utf8'),
    stats: async () =>
      (await readFile(join(project.dir, '.grove', 'stats.log'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

/** A request as text, its JSON strings readable. */
function unescaped(body: Buffer): string {
  return body.toString('utf8').replaceAll('\\"', '"').replaceAll('\\n', '\n')
}

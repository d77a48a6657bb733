import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { parseScenario } from '../../src/simulator/script.ts'
import { grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { type ClaudeRun, runClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'
import { DOWN, ENTER, openTerminal, type Terminal } from '../support/terminal.ts'

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
const reflects = { name: 'mcp__grove__reflect', input: { candidates: [lesson] } }
const skips = { name: 'mcp__grove__skip', input: { reason: 'only a version bump' } }
/** Asked in headless runs, too, so that what an agent does then can be tried without a terminal. */
const headless = { '.grove/config.toml': '[gate]\nheadless = true\n' }
const work = story({ tool_use: [close] }, { tool_use: [reflects] }, { text: 'The seed script may run twice.' })

describe('a headless run', () => {
  it.for(['auto', 'http', 'command'])(
    'prints its answer and is asked nothing (%s)',
    async (transport, { onTestFinished }) => {
      const write = {
        name: 'Write',
        input: { file_path: '{{cwd}}/db/seed.test.ts', content: 'export {}\n'.repeat(90) },
      }
      const stage = await setStage(
        onTestFinished,
        story({ tool_use: [close] }, { tool_use: [write] }, { text: 'The seed script may run twice.' }),
        { '.grove/config.toml': '[gate]\nask = "session"\n' },
      )
      await stage.daemon()
      await stage.attach(transport)
      const run = await stage.run('Close the ticket')
      expect(run).toMatchObject({ exitCode: 0, result: { result: 'The seed script may run twice.', num_turns: 3 } })
      expect(stage.requests()).toHaveLength(3)
      expect(stage.requests().join()).not.toContain('mcp__grove__reflect with')
    },
  )

  it.for(['auto', 'http', 'command'])(
    'reflects before its answer where that is wanted, and the next session knows (%s)',
    async (transport, { onTestFinished }) => {
      const stage = await setStage(onTestFinished, work, headless)
      await stage.daemon()
      await stage.attach(transport)
      const first = await stage.run('Close the ticket')
      expect(first).toMatchObject({ exitCode: 0, result: { result: 'The seed script may run twice.' } })
      const asked = stage.requests().at(1)!
      expect(asked).toContain('Ticket app-7 (Make the seed script idempotent) is closed.')
      expect(asked).toContain('call mcp__grove__reflect')
      expect(stage.requests().at(2)).toMatch(/Kept lrn_\w+: Run the migrations/)
      expect(await stage.learnings()).toContain('### Run the migrations before the seed script <!-- lrn_')
      expect(stage.requests()).toHaveLength(3)

      const next = await stage.next(story({ text: 'Hello.' }))
      await next.run('Hello')
      expect(next.requests().at(0)).toContain('Run the migrations before the seed script')
      expect(next.requests().at(0)).toContain('<grove-learnings>')
    },
  )

  it('that forgets it is reminded at its end, and prints its answer all the same', async ({ onTestFinished }) => {
    const answer = { text: 'The seed script may run twice.' }
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [close] }, answer, { tool_use: [skips] }, answer),
      headless,
    )
    await stage.attach('auto')
    expect(await stage.run('Close the ticket')).toMatchObject({ exitCode: 0, result: { result: answer.text } })
    expect(stage.requests().at(2)).toMatch(/is closed\. Call mcp__grove__reflect .*Then give your final answer/)
    expect(await stage.stats()).toMatchObject([{ type: 'skipped', reason: 'only a version bump', decider: 'agent' }])
    expect(await stage.warnings()).not.toContain('learning gate')
  })

  it('is asked although the daemon was killed after the ticket was closed', async ({ onTestFinished }) => {
    const waits = bash('touch closed; until [ -e gone ]; do sleep 0.1; done')
    const stage = await setStage(
      onTestFinished,
      story(
        { tool_use: [waits] },
        { tool_use: [close] },
        { text: 'Done.' },
        { tool_use: [reflects] },
        { text: 'Done.' },
      ),
      headless,
    )
    const daemon = await stage.daemon()
    await stage.attach('command')
    const running = stage.run('Close the ticket', {}, ['--allowedTools=Bash'])
    while (!existsSync(join(stage.project.dir, 'closed'))) await sleep(50)
    daemon.kill('SIGKILL')
    await daemon.exit
    await writeFile(join(stage.project.dir, 'gone'), '')
    expect(await running).toMatchObject({ exitCode: 0, result: { result: 'Done.' } })
    expect(stage.requests().at(2)).toContain('Ticket app-7')
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
  })

  it('may follow the instructions to the letter, without its tools and without anybody to ask', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(onTestFinished, story({ text: 'Hello.' }), headless)
    await stage.attach('auto')
    const command = join(stage.at.home, 'bin', 'grove')
    const [summary, detail] = [
      'Run the migrations before the seed script',
      'It needs the tables of `npm run migrate`; else it fails.',
    ]
    const reflection = `${command} reflect --category pitfall --summary '${summary}' --detail '${detail}' --tags database,seed --criteria behavior_changing`
    const played = await stage.next(
      story(
        { tool_use: [close] },
        { tool_use: [bash(reflection)] },
        { tool_use: [bash('cd . && bd close app-8')] },
        { tool_use: [bash(`${command} skip 'nothing new'`)] },
        { text: 'Done.' },
      ),
    )
    const outcome = await played.run('Close the tickets', {}, ['--strict-mcp-config'])
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Done.', permission_denials: [] } })
    const asked = played.requests().at(1)!
    expect(asked).toContain(`${command} reflect --category pitfall --summary '`)
    expect(asked).toContain(`${command} skip '`)
    expect(played.requests().at(2)).toContain('You may finish now.')
    expect(played.requests().at(4)).toContain('Noted. You may finish now.')
    expect(await stage.learnings()).toContain(summary)
  })

  it('is asked about a task of its own list only when it did something for it', async ({ onTestFinished }) => {
    const create = { name: 'TaskCreate', input: { subject: 'Fix the login', description: 'Cookies are lost' } }
    const complete = { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }
    const write = { name: 'Write', input: { file_path: '{{cwd}}/login.ts', content: 'export {}\n' } }
    const files = { '.grove/config.toml': '[gate]\nheadless = true\n[ticketing.overrides]\nbeads = false\n' }
    // Newer clients offer their task list to older models only.
    const model = ['--model=claude-sonnet-4-5']
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [create] }, { tool_use: [complete] }, { text: 'Done.' }),
      files,
    )
    await stage.attach('command')
    expect(await stage.run('Look at the login', {}, model)).toMatchObject({ exitCode: 0, result: { result: 'Done.' } })
    const next = await stage.next(
      story(
        ...[{ tool_use: [create] }, { tool_use: [write] }, { tool_use: [complete] }, { text: 'Done.' }],
        ...[{ tool_use: [skips] }, { text: 'The login works.' }],
      ),
    )
    const outcome = await next.run('Fix the login', {}, [...model, '--allowedTools=Write'])
    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'The login works.' } })
    expect(next.requests().at(4)).toContain('Task 1 (Fix the login) is completed.')
  })

  it('is let go after three reminders when it never reflects', async ({ onTestFinished }) => {
    const stubborn = [1, 2, 3, 4].map((time) => ({ text: `I am done, I say (${time}).` }))
    const stage = await setStage(onTestFinished, story({ tool_use: [close] }, ...stubborn), headless)
    await stage.attach('command')
    expect(await stage.run('Close the ticket')).toMatchObject({
      exitCode: 0,
      result: { result: 'I am done, I say (4).' },
    })
    expect(await stage.stats()).toMatchObject([{ type: 'tripped' }])
  })
})

/** There the client also asks for titles and the like, in between. */
function inTerminal(...replies: object[]): Scenario {
  const main = replies.map((reply) => ({ when: { has_tool: 'Read', agent: false }, reply }))
  return parseScenario(JSON.stringify({ replies: main, default: { text: '{"title":"Seeds","ok":true}' } }), 'story')
}

describe('a session in a terminal', () => {
  it('is told when it closes a ticket, reflects before its answer, and the user sees nothing of it', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(
      onTestFinished,
      inTerminal({ tool_use: [close] }, { tool_use: [reflects] }, { text: 'The seed script may run twice.' }),
    )
    await stage.daemon()
    await stage.attach('auto')
    const terminal = await stage.terminal('Close the ticket')
    const screen = await terminal.shows('The seed script may run twice.')
    expect(screen).not.toMatch(/stophook(error|feedback)/i)
    expect(screen).not.toContain('Beforeyourfinalanswer')
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
  })

  it('that forgets it sees a reminder of one paragraph, and no error', async ({ onTestFinished }) => {
    const stage = await setStage(
      onTestFinished,
      inTerminal(
        { tool_use: [close] },
        { text: 'I am done.' },
        { tool_use: [skips] },
        { text: 'The script may run twice.' },
      ),
    )
    await stage.attach('auto')
    const terminal = await stage.terminal('Close the ticket')
    const screen = await terminal.shows('I am done.', 'Stop hook feedback', 'The script may run twice.')
    expect(screen).not.toMatch(/stophookerror/i)
    expect(await stage.stats()).toMatchObject([{ type: 'skipped' }])
  })

  it('without tickets is asked after substantial work where that is wanted', async ({ onTestFinished }) => {
    const write = (file: string) => {
      return { name: 'Write', input: { file_path: `{{cwd}}/${file}`, content: 'export {}\n'.repeat(30) } }
    }
    const stage = await setStage(
      onTestFinished,
      inTerminal(
        ...[{ text: 'It seeds the database.' }, { tool_use: [write('a.ts')] }, { tool_use: [write('a.test.ts')] }],
        ...[{ text: 'Both are there.' }, { tool_use: [reflects] }, { text: 'Two files were written.' }],
      ),
      { '.beads/issues.jsonl': '', '.grove/config.toml': '[ticketing.overrides]\nbeads = false\n' },
    )
    await stage.attach('auto', '--gate', 'session')
    const terminal = await stage.terminal('What does the seed script do?')
    expect(await terminal.shows('It seeds the database.')).not.toMatch(/stophook(error|feedback)/i)
    await terminal.rests()
    await terminal.say('Write both files')
    const screen = await terminal.shows('You changed 60 lines in 2 files', 'Two files were written.')
    expect(screen).not.toMatch(/stophookerror/i)
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
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

  const env = {
    GROVE_HOME: at.home,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
  }

  async function playing(played: Scenario) {
    const simulator = await simulatorOf(whenFinished, played, project.dir)
    return {
      simulator,
      requests: () => simulator.requests.filter(({ method }) => method === 'POST').map(({ body }) => unescaped(body)),
      run: (prompt: string, more: Record<string, string> = {}, args: string[] = []): Promise<ClaudeRun> =>
        runClaude({
          args: ['--allowedTools=Bash(cd:*),Bash(bd:*)', ...args],
          allowed: [],
          baseUrl: simulator.url,
          prompt,
          cwd: project.dir,
          home: at.env.HOME!,
          env: { ...env, ...more },
        }),
      /** The client before a person who has said that they trust the folder, and has typed the prompt. */
      async terminal(prompt: string): Promise<Terminal> {
        const terminal = await openTerminal(whenFinished, {
          ...{ baseUrl: simulator.url, home: at.env.HOME!, cwd: project.dir, env },
          args: ['--permission-mode=default', '--allowedTools=Bash(cd:*),Bash(bd:*),Write'],
        })
        const asked = await terminal.shows('trust this folder', 'Enter to confirm')
        await terminal.rests()
        if (/❯(?:\d\.)?No/.test(asked)) {
          terminal.press(DOWN)
          await terminal.shows('❯Yes')
        }
        terminal.press(ENTER)
        await terminal.shows('/effort')
        await terminal.rests()
        await terminal.say(prompt)
        return terminal
      },
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
    async attach(transport: string, ...options: string[]) {
      const { code, stderr } = await grove(at, 'init', '--transport', transport, ...options)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
    /** What hook processes without a daemon have complained about. */
    warnings: () => readFile(join(at.home, 'logs', 'hooks.log'), 'utf8').catch(() => ''),
    learnings: () => readFile(join(project.dir, '.grove', 'learnings.md'), 'utf8'),
    stats: async () =>
      (await readFile(await statsFile(at.home), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

/** The log of the one project that a home knows. */
async function statsFile(home: string): Promise<string> {
  const [project] = await readdir(join(home, 'projects'))
  return join(home, 'projects', project!, 'stats.log')
}

/** A request as text, its JSON strings readable. */
function unescaped(body: Buffer): string {
  return body.toString('utf8').replaceAll('\\"', '"').replaceAll('\\n', '\n')
}

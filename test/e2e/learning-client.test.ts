import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { grove, withBinary } from '../cli/grove.ts'
import { clientEnv, clientPath } from '../support/claude.ts'
import { bash, close, headless, inTerminal, lesson, reflects, setStage, skips } from '../support/learning-stage.ts'
import { story } from '../support/story.ts'

// Everything that the gate's instructions name is done by the real Claude Code, in its default permission mode: it is never
// asked about, whether the daemon runs, does not, or is killed in between.

withBinary()

const OLD = 'lrn_4be1c0ffee00'
const known = `# Learnings

### Run the seed script before the migrations <!-- ${OLD} -->
> The seed script in db/seed.ts creates what \`npm run migrate\` needs.
- pitfall · scope: project · confidence: high · because: behavior_changing · tags: database · at: 2026-01-15T10:00:00.000Z <!-- ${OLD} -->
`
const notes = [
  {
    ...lesson,
    summary: 'Start the ledger tests with TZ=UTC',
    detail:
      'ledger.test.ts books at midnight; in any other zone the last entry falls on the next day and the sum is off.',
    tags: ['tests'],
  },
  {
    ...lesson,
    summary: 'Never run `npm run reindex` while the importer works',
    detail: 'Both lock the table orders; the importer gives up after 30 s and drops the batch without an error.',
    tags: ['importer'],
  },
]

/** Until the test has done what it wants to do in between. */
const WAITS = bash('sh wait.sh')
const wait = 'touch closed\nuntil [ -e gone ]; do sleep 0.1; done\n'

/** All that an agent can be told to do, one ticket after the other. */
function everything(command: string) {
  const ticket = (id: string) => bash(`cd . && bd close ${id}`)
  const options = `--category pitfall --summary '${lesson.summary}' --detail 'It needs the tables of \`npm run migrate\`; else it fails.' --tags database,seed --criteria behavior_changing`
  return [
    ...[close, { name: 'mcp__grove__reflect', input: { candidates: [notes[0]] } }],
    WAITS,
    ...[ticket('app-8'), skips],
    ...[ticket('app-9'), bash(`${command} reflect --file notes.json`)],
    ...[ticket('app-10'), bash(`${command} reflect ${options} --scope team --supersedes ${OLD}`)],
    ...[ticket('app-11'), bash(`${command} skip 'nothing new'`)],
  ]
}

describe('what the gate tells an agent to do', () => {
  it.for(['up', 'down', 'killed in between'])(
    'is done without a question, the daemon being %s',
    async (state, { onTestFinished }) => {
      const stage = await setStage(onTestFinished, story({ text: 'Hello.' }), {
        ...headless,
        '.grove/learnings.md': known,
        'notes.json': JSON.stringify({ candidates: [notes[1]] }),
        'wait.sh': wait,
      })
      const daemon = state === 'down' ? undefined : await stage.daemon()
      await stage.attach('auto')
      const command = join(stage.at.home, 'bin', 'grove')
      const played = await stage.next(
        story(...everything(command).map((use) => ({ tool_use: [use] })), { text: 'Five tickets are closed.' }),
      )
      const running = played.run('Close the tickets', {}, ['--allowedTools=Bash(sh wait.sh)'])
      while (!existsSync(join(stage.project.dir, 'closed'))) await sleep(50)
      if (state === 'killed in between') {
        daemon!.kill('SIGKILL')
        await daemon!.exit
      }
      await writeFile(join(stage.project.dir, 'gone'), '')
      expect(await running).toMatchObject({
        exitCode: 0,
        result: { result: 'Five tickets are closed.', permission_denials: [] },
      })
      const told = played.requests().at(-1)!
      for (const id of ['app-7', 'app-8', 'app-9', 'app-10', 'app-11']) expect(told).toContain(`Ticket ${id}`)
      expect(told.match(/You may finish now\./g)).toHaveLength(5)
      const { learnings } = JSON.parse((await grove(stage.at, 'learnings', 'list', '--status', 'any', '--json')).stdout)
      const summaries = (status: string) =>
        learnings
          .filter((one: { status: string }) => one.status === status)
          .map((one: { summary: string }) => one.summary)
      expect(summaries('active').toSorted()).toEqual(
        [...notes.map(({ summary }) => summary), lesson.summary].toSorted(),
      )
      expect(summaries('superseded')).toEqual(['Run the seed script before the migrations'])
      expect(learnings.find((one: { summary: string }) => one.summary === lesson.summary)).toMatchObject({
        scope: 'team',
      })
      expect((await stage.stats()).filter(({ type }) => type === 'skipped')).toHaveLength(2)
    },
  )

  it('is done in a terminal without a dialog', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, story({ text: 'Hello.' }), {
      '.grove/learnings.md': known,
      'notes.json': JSON.stringify({ candidates: [notes[1]] }),
    })
    await stage.attach('auto')
    const command = join(stage.at.home, 'bin', 'grove')
    const uses = everything(command).filter((use) => use !== WAITS)
    const played = await stage.next(
      inTerminal(...uses.map((use) => ({ tool_use: [use] })), { text: 'Five tickets are closed.' }),
    )
    const terminal = await played.terminal('Close the tickets')
    const screen = await terminal.shows('Five tickets are closed.')
    expect(screen).not.toMatch(/doyouwanttoproceed/i)
    expect(await stage.learnings()).toContain(lesson.summary)
    expect(await stage.learnings()).toContain(notes[1]!.summary)
    expect((await stage.stats()).filter(({ type }) => type === 'skipped')).toHaveLength(2)
  })
})

describe('a session that was ended while its gate waited', () => {
  it('is asked again when it is resumed', async ({ onTestFinished }) => {
    const stage = await setStage(onTestFinished, story({ tool_use: [close] }, { tool_use: [WAITS] }), {
      ...headless,
      'wait.sh': wait,
    })
    await stage.attach('auto')
    const running = await stage.start('Close the ticket', {}, ['--allowedTools=Bash(sh wait.sh)'])
    while (!existsSync(join(stage.project.dir, 'closed'))) await sleep(50)
    running.kill()
    const { sessionId } = await running.done
    await writeFile(join(stage.project.dir, 'gone'), '')
    // What a person hands in meanwhile frees nobody.
    const own = join(stage.at.home, 'own.json')
    await writeFile(own, JSON.stringify(notes[0]))
    expect((await grove(stage.at, 'reflect', '--file', own)).stdout).toContain('No session was waiting')
    const answer = { text: 'The ticket is closed.' }
    const next = await stage.next(story(answer, { tool_use: [reflects] }, answer))
    const resumed = await next.run('Go on', {}, ['--resume', sessionId!])
    expect(resumed).toMatchObject({ exitCode: 0, result: { result: answer.text } })
    // Once in what it remembers, and once more when it wanted to stop.
    const asked = (request: string) => request.match(/Ticket app-7 .*?is closed\. /g)?.length
    expect(next.requests().slice(0, 2).map(asked)).toEqual([1, 2])
    expect(await stage.learnings()).toContain(lesson.summary)
  })
})

describe('a memory server that was registered with the client', () => {
  it('is found by grove init, and keeps learnings once its offer is taken', async ({ onTestFinished }) => {
    const stage = await setStage(
      onTestFinished,
      story({ tool_use: [close] }, { tool_use: [reflects] }, { text: 'Done.' }),
      headless,
    )
    const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')
    const memory = join(stage.at.home, '..', 'memory.jsonl')
    const home = stage.at.env.HOME!
    const registered = spawnSync(
      clientPath(),
      ['mcp', 'add', 'memory', '-e', `MEMORY_FILE_PATH=${memory}`, '--', process.execPath, server],
      { cwd: stage.project.dir, env: clientEnv(home, stage.simulator.url), encoding: 'utf8' },
    )
    expect(registered).toMatchObject({ status: 0 })
    const { stdout, stderr } = await grove(stage.at, 'init')
    const offered = /\[backends\][\s\S]*?\nenv = .*/.exec(`${stdout}${stderr}`)?.[0]
    expect(offered).toContain(memory)
    await writeFile(join(stage.at.home, 'config.toml'), `${offered!.replaceAll(/^ +/gm, '')}\n`)
    expect(await stage.run('Close the ticket')).toMatchObject({ exitCode: 0, result: { result: 'Done.' } })
    expect(await readFile(memory, 'utf8')).toContain(lesson.summary)
    expect(await stage.learnings()).toContain(lesson.summary)
  })
})

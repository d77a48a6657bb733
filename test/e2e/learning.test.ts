import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withBinary } from '../cli/grove.ts'
import { bash, close, headless, inTerminal, reflects, setStage, skips } from '../support/learning-stage.ts'
import { story } from '../support/story.ts'

// The real Claude Code closes a ticket, is asked to reflect before it leaves, reflects, and is let go. A second session on
// the same project then knows what the first one learned.

withBinary()

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
    expect(screen).not.toMatch(/stophook(error|feedback|says)/i)
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
    // How a client announces the words of a hook differs between versions; the words do not.
    const reminder = 'Ticket app-7 (Make the seed script idempotent) is closed. Call mcp__grove__reflect'
    const screen = await terminal.shows('I am done.', reminder, 'The script may run twice.')
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
    expect(await terminal.shows('It seeds the database.')).not.toMatch(/stophook(error|feedback|says)/i)
    await terminal.rests()
    await terminal.say('Write both files')
    const screen = await terminal.shows('You changed 60 lines in 2 files', 'Two files were written.')
    expect(screen).not.toMatch(/stophookerror/i)
    expect(await stage.learnings()).toContain('Run the migrations before the seed script')
  })
})

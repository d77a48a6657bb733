import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readHookEvent } from '#protocol/hook-event.ts'
import { guarded } from '../../../../test/support/guarded.ts'
import { guardPart } from '../part.ts'
import { inbox } from './approvals.ts'
import { answerRequest } from './scope-request.ts'

type WhenFinished = Parameters<typeof guarded>[0]

/** A daemon, and a client in an unguarded folder whose transcript tells how it was started. */
async function stage(whenFinished: WhenFinished, { entrypoint = 'cli', settings = '', isWritten = true } = {}) {
  const { world, events } = await guarded(whenFinished, { 'a.txt': 'a\n' }, { settings })
  const cwd = await mkdtemp(join(tmpdir(), 'grove-prompt-'))
  whenFinished(() => rm(cwd, { recursive: true, force: true }))
  const transcript = join(cwd, 'session.jsonl')
  const writeTranscript = () => writeFile(transcript, `${JSON.stringify({ type: 'user', entrypoint })}\n`)
  if (isWritten) await writeTranscript()
  const daemon = { ...world, isDaemon: true }
  const part = guardPart(daemon)
  const gone = new AbortController()
  const common = { session_id: 's1', cwd, transcript_path: transcript }
  const call = { tool_name: 'Bash', tool_input: { command: 'npm publish', description: 'Publish it' } }
  const hook = (event: object) => part.handle(readHookEvent({ ...common, ...event }), gone.signal)
  const open = async () => (await inbox(daemon)).filter(({ status }) => status === 'pending')
  const asked = () => expect.poll(open).toHaveLength(1)
  return {
    daemon,
    events,
    gone,
    open,
    asked,
    hook,
    writeTranscript,
    ran: () => hook({ hook_event_name: 'PostToolUse', ...call, tool_use_id: 't1', tool_response: {} }),
    ask: (more = {}) => hook({ hook_event_name: 'PermissionRequest', ...call, ...more }),
  }
}

it('puts what the client asks into the inbox, where a person says yes or no', async ({ onTestFinished }) => {
  const { daemon, ask, asked, open } = await stage(onTestFinished)
  const yes = ask()
  await asked()
  const [prompt] = await open()
  expect(prompt).toMatchObject({ kind: 'prompt', what: 'Bash: npm publish', reason: 'Publish it' })
  expect(prompt!.detail).toContain('$ npm publish')
  await answerRequest(daemon, prompt!.id, { approve: true, in: 'browser' })
  expect(await yes).toEqual({ permit: true })

  const no = ask()
  await asked()
  await answerRequest(daemon, (await open())[0]!.id, { approve: false, in: 'browser', note: 'Not on a Friday' })
  expect((await no)?.permit).toContain('Not on a Friday')
})

it('hears of the first prompt of a session, which comes before the transcript is written', async ({
  onTestFinished,
}) => {
  const { daemon, ask, asked, open, writeTranscript } = await stage(onTestFinished, { isWritten: false })
  const yes = ask()
  await writeTranscript()
  await asked()
  await answerRequest(daemon, (await open())[0]!.id, { approve: true, in: 'browser' })
  expect(await yes).toEqual({ permit: true })
})

it('lets it go when the terminal has said no, or the call has run, or the turn or the session is over', async ({
  onTestFinished,
}) => {
  const { ask, asked, open, ran, hook, gone, events } = await stage(onTestFinished)
  const endings = [
    ran,
    () => hook({ hook_event_name: 'Stop' }),
    () => hook({ hook_event_name: 'SessionEnd', reason: 'other' }),
    async () => gone.abort(),
  ]
  for (const end of endings) {
    const answer = ask()
    await asked()
    await end()
    expect(await answer).toBeUndefined()
    expect(await open()).toEqual([])
  }
  expect(events.filter(({ type }) => type === 'approval:answered')).toHaveLength(endings.length)
})

it('stays when another call of the session has run', async ({ onTestFinished }) => {
  const { ask, asked, open, hook, ran } = await stage(onTestFinished)
  const answer = ask()
  await asked()
  await hook({
    hook_event_name: 'PostToolUse',
    tool_name: 'Read',
    tool_input: {},
    tool_use_id: 't2',
    tool_response: {},
  })
  await hook({ hook_event_name: 'SubagentStop', agent_id: 'helper' })
  expect(await open()).toHaveLength(1)
  await ran()
  await answer
})

it('keeps nobody waiting who has no terminal, and asks nothing that a yes cannot answer', async ({
  onTestFinished,
}) => {
  for (const entrypoint of ['sdk-cli', 'sdk-ts']) {
    const { ask, open } = await stage(onTestFinished, { entrypoint })
    expect(await ask()).toBeUndefined()
    expect(await open()).toEqual([])
  }
  const { ask } = await stage(onTestFinished)
  expect(await ask({ transcript_path: '/nowhere.jsonl' })).toBeUndefined()
  expect(await ask({ tool_name: 'AskUserQuestion', tool_input: {} })).toBeUndefined()
  expect(await ask({ tool_name: 'ExitPlanMode', tool_input: { plan: 'x' } })).toBeUndefined()
  const alone = await stage(onTestFinished, { settings: '[guard]\nask_in = "terminal"\n' })
  expect(await alone.ask()).toBeUndefined()
})

it('withdraws what a daemon that was killed has left', async ({ onTestFinished }) => {
  const { daemon, ask, asked, open, ran } = await stage(onTestFinished)
  const answer = ask()
  await asked()
  guardPart(daemon)
  await expect.poll(open).toEqual([])
  expect(await answer).toBeUndefined()
  await ran()
})

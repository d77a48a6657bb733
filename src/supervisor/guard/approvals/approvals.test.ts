import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { intentTools } from '#mcp/intent-tools.ts'
import { approvalRoutes } from '#protocol/api/approvals.ts'
import { keysOf } from '#server/keys.ts'
import { OneTimeCodes } from '#server/one-time-codes.ts'
import { approvalHandlers } from '#server/routes/approvals.ts'
import { serveSome } from '../../../../test/support/checked-api.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { inbox } from './approvals.ts'
import { answerRequest } from './scope-request.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/**'], free: ['src/**'] }),
  '.intentignore': '# needs a person\nauth\n',
  'src/a.ts': 'export const a = 1\n',
}
const SOON = '[guard]\napproval_wait_seconds = 1\n'
const PATIENT = '[guard]\napproval_wait_seconds = 60\n'

async function waiting(whenFinished: Parameters<typeof guarded>[0], settings: string) {
  const stage = await guarded(whenFinished, files, { settings })
  await stage.select('auth')
  /** The request, as soon as it is in the inbox. */
  const asked = async () => {
    for (;;) {
      const open = (await inbox(stage.world)).find(({ status }) => status === 'pending')
      if (open) return open
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  const write = (content = 'x') => stage.gate('Write', { file_path: join(stage.dir, 'src/a.ts'), content })
  return { ...stage, asked, write }
}

describe('an intent in .intentignore', () => {
  it('waits for a person; without an answer it is denied, and the request stays', async ({ onTestFinished }) => {
    const { write, asked, select, world, gate, dir } = await waiting(onTestFinished, SOON)
    expect(await write()).toMatchObject({
      code: 'user_rejected',
      message: expect.stringContaining('nobody answered within 1 s'),
      suggestion: expect.stringContaining('grove intent approve apr-'),
    })
    expect(await asked()).toMatchObject({ kind: 'action', intentId: 'auth', tool: 'Write', what: 'Write src/a.ts' })
    // A late yes meets the next try, and is good for one.
    await answerRequest(world, (await asked()).id, { approve: true, in: 'terminal' })
    expect(await write()).toBeUndefined()
    expect(await write()).toMatchObject({ code: 'user_rejected' })
    // Reading, and intents that are not listed, need nobody.
    expect(await gate('Bash', { command: 'cat src/a.ts' })).toBeUndefined()
    await select('free')
    expect(await gate('Write', { file_path: join(dir, 'src/b.ts'), content: '' })).toBeUndefined()
  })

  it('goes on as soon as somebody says yes in the browser', async ({ onTestFinished }) => {
    const { write, asked, world } = await waiting(onTestFinished, PATIENT)
    const words = new OneTimeCodes(Date.now)
    const app = serveSome((serve) => serve(approvalRoutes, approvalHandlers({ guard: world })), words)
    const answer = (request: string, said: string) => {
      const url = `/api/approvals/${request}`
      const gesture = words.issue(`POST ${url}`, 1000)
      const headers = { 'x-grove-page': keysOf('the-token').page, 'x-grove-gesture': gesture }
      return app.inject({ method: 'POST', url, headers, payload: { answer: said } })
    }
    const held = write()
    const { id } = await asked()
    expect((await app.inject('/api/approvals')).json()).toMatchObject({ approvals: [{ id, status: 'pending' }] })
    const said = await answer(id, 'approve')
    expect(said.json()).toMatchObject({ approval: { status: 'approved', answeredIn: 'browser' } })
    expect(await held).toBeUndefined()
    expect((await app.inject('/api/approvals')).json()).toEqual({ approvals: [] })
    const bad = await answer(id, 'maybe')
    expect(bad.statusCode).toBe(400)
    const none = await answer('nope', 'reject')
    expect(none.json()).toMatchObject({ status: 'error', code: 'approval_not_found' })
  })

  it('hears nobody who only claims to be a browser', async ({ onTestFinished }) => {
    const { write, asked, world } = await waiting(onTestFinished, PATIENT)
    const app = serveSome((serve) => serve(approvalRoutes, approvalHandlers({ guard: world })))
    const held = write()
    const { id } = await asked()
    const answer = (headers: Record<string, string>, said = 'approve') =>
      app.inject({ method: 'POST', url: `/api/approvals/${id}`, headers, payload: { answer: said } })
    for (const headers of [
      {},
      { origin: 'http://localhost' },
      { 'x-grove-page': '' },
      { 'x-grove-page': 'made up', 'x-grove-gesture': 'made up' },
      { authorization: 'Bearer no' },
    ]) {
      expect((await answer(headers)).json()).toMatchObject({ status: 'error', code: 'only_people' })
    }
    // The page alone is not enough: a person's click is.
    expect((await answer({ 'x-grove-page': keysOf('the-token').page })).json()).toMatchObject({
      code: 'gesture_required',
    })
    expect((await asked()).id).toBe(id)
    // Whoever has the token may answer by a program of their own.
    expect((await answer({ authorization: 'Bearer the-token' }, 'reject')).statusCode).toBe(200)
    expect(await held).toMatchObject({ code: 'user_rejected' })
  })

  it('is told no, with the person’s words, and does not ask again at once', async ({ onTestFinished }) => {
    const { write, asked, world, events } = await waiting(onTestFinished, PATIENT)
    const held = write()
    await answerRequest(world, (await asked()).id, { approve: false, in: 'terminal', note: 'Not before the release.' })
    expect(await held).toMatchObject({
      code: 'user_rejected',
      message: expect.stringContaining('Not before the release.'),
    })
    expect(await write()).toMatchObject({ code: 'user_rejected' })
    expect(events.filter(({ type }) => type === 'approval:asked')).toHaveLength(1)
  })

  it('hears one answer only, whoever is faster', async ({ onTestFinished }) => {
    const { write, asked, world } = await waiting(onTestFinished, PATIENT)
    const held = write()
    const { id } = await asked()
    const answers = await Promise.all([
      answerRequest(world, id, { approve: true, in: 'terminal' }),
      answerRequest(world, id, { approve: false, in: 'browser' }),
    ])
    expect(new Set(answers.map((answer) => answer?.answeredIn)).size).toBe(1)
    expect((await held) === undefined).toBe(answers[0]!.answeredIn === 'terminal')
  })

  it('where a person sits at the terminal, the client asks them', async ({ onTestFinished }) => {
    const { hook, home, dir, world } = await waiting(onTestFinished, PATIENT)
    const transcript_path = join(home, 's.jsonl')
    await writeFile(transcript_path, '{"type":"user","entrypoint":"cli"}\n')
    const call = { tool_name: 'Write', tool_input: { file_path: join(dir, 'src/a.ts'), content: 'x' }, transcript_path }
    const said = await hook({ hook_event_name: 'PreToolUse', ...call, tool_use_id: 'toolu_t' })
    expect(said.ask).toContain('needs your approval')
    // That it ran is the person's yes.
    await hook({ hook_event_name: 'PostToolUse', ...call, tool_use_id: 'toolu_t', tool_response: {} })
    expect(await inbox(world)).toMatchObject([{ status: 'used', answeredIn: 'terminal' }])
  })

  describe('at a prompt of the client', () => {
    async function prompted(whenFinished: Parameters<typeof guarded>[0], settings = PATIENT) {
      const stage = await waiting(whenFinished, `${settings}ask_in = "terminal"\n`)
      const call = { tool_name: 'Write', tool_input: { file_path: join(stage.dir, 'src/a.ts'), content: 'x' } }
      const before = await stage.hook({ hook_event_name: 'PreToolUse', ...call, tool_use_id: 'toolu_t' })
      expect(before.ask).toContain('needs your approval')
      // The client does not say which call its prompt is about.
      const prompt = (over: object = {}) => stage.hook({ hook_event_name: 'PermissionRequest', ...call, ...over })
      return { ...stage, call, prompt }
    }

    it('an answer from elsewhere closes it', async ({ onTestFinished }) => {
      const { prompt, asked, world, hook, call } = await prompted(onTestFinished)
      const held = prompt()
      await answerRequest(world, (await asked()).id, { approve: true, in: 'browser' })
      expect(await held).toEqual({ permit: true })
      await hook({ hook_event_name: 'PostToolUse', ...call, tool_use_id: 'toolu_t', tool_response: {} })
      expect(await inbox(world)).toMatchObject([{ status: 'used', answeredIn: 'browser' }])
    })

    it('a no closes it with the person’s words, and no answer closes it in the end', async ({ onTestFinished }) => {
      const { prompt, asked, world, hook } = await prompted(onTestFinished, SOON)
      expect(JSON.parse(String((await prompt()).permit))).toMatchObject({ code: 'user_rejected' })
      // It still lies in the inbox when the person goes on.
      await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' })
      await answerRequest(world, (await asked()).id, { approve: false, in: 'browser', note: 'Not now.' })
      expect((await prompt()).permit).toContain('Not now.')
    })

    it('is left alone when it is about something else', async ({ onTestFinished }) => {
      const { prompt } = await prompted(onTestFinished)
      expect(await prompt({ tool_input: { file_path: '/elsewhere', content: 'x' } })).toEqual({})
      expect(await prompt({ tool_name: 'WebFetch', tool_input: { url: 'http://localhost' } })).toEqual({})
    })

    it('a no in the terminal takes the request out of the inbox', async ({ onTestFinished }) => {
      const { world, hook } = await prompted(onTestFinished)
      await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'No, do something else' })
      expect(await inbox(world)).toEqual([])
    })

    it('asks about more scope too', async ({ onTestFinished }) => {
      const { hook, asked, world, select, mayWrite } = await waiting(onTestFinished, `${PATIENT}ask_in = "terminal"\n`)
      await select('free')
      const call = { tool_name: 'mcp__grove__request_scope', tool_input: { paths: ['docs/**'], reason: 'API' } }
      const { ask } = await hook({ hook_event_name: 'PreToolUse', ...call, tool_use_id: 'toolu_s' })
      expect(ask).toBe('The agent wants to add docs/** to the scope of free (API)')
      const held = hook({ hook_event_name: 'PermissionRequest', ...call })
      await answerRequest(world, (await asked()).id, { approve: true, in: 'browser' })
      expect(await held).toEqual({ permit: true })
      expect(await mayWrite('docs/api.md')).toBe('allowed')
    })
  })

  it('asks nobody about what would be refused anyway', async ({ onTestFinished }) => {
    const { gate, read, put, write, world, dir } = await waiting(onTestFinished, PATIENT)
    expect(await gate('Write', { file_path: join(dir, 'lib/x.ts'), content: '' })).toMatchObject({
      code: 'scope_violation',
    })
    await read('src/a.ts')
    await put('src/a.ts', 'changed\n')
    expect(await write()).toMatchObject({ code: 'stale_file' })
    expect(await inbox(world)).toEqual([])
  })
})

describe('the tools of the agent', () => {
  async function agent(whenFinished: Parameters<typeof guarded>[0], settings = PATIENT) {
    const stage = await waiting(whenFinished, settings)
    const tools = intentTools(stage.world)
    const call = async (name: string, input: object, caller = {}) => {
      const tool = tools.find((one) => one.name === name)!
      return tool.handle(tool.input.parse(input), { cwd: stage.dir, sessionId: 's1', ...caller })
    }
    return { ...stage, call }
  }

  it('select an intent, and tell what binds', async ({ onTestFinished }) => {
    const { call, mayWrite } = await agent(onTestFinished)
    const context = await call('select_active_intent', { intent_id: 'free' }, { agentId: 'a1' })
    expect(context).toContain('<intent_context>')
    expect(context).toContain('<owned_scope>\n- src/**\n</owned_scope>')
    expect(await mayWrite('src/x.ts', { agent: 'a1' })).toBe('allowed')
    expect(await call('select_active_intent', { intent_id: 'auth' })).toContain('waits for a person')
    const wrong = await call('select_active_intent', { intent_id: 'nope' })
    expect(JSON.parse((wrong as { error: string }).error)).toMatchObject({
      code: 'intent_not_found',
      suggestion: expect.stringContaining('free'),
    })
    expect(JSON.parse((await call('list_intents', { query: 'work free' })) as string)).toMatchObject({
      intents: [{ id: 'free' }, { id: 'auth' }],
    })
    expect(await call('select_active_intent', { intent_id: 'x' }, { cwd: '/' })).toMatchObject({
      error: expect.stringContaining('.orchestration'),
    })
  })

  it('ask for more scope; a yes is written into the file, comments kept', async ({ onTestFinished }) => {
    const { call, asked, world, select, mayWrite, put, text } = await agent(onTestFinished)
    await put('.orchestration/active_intents.yaml', `# ours\n${files['.orchestration/active_intents.yaml']}`)
    await select('free')
    expect(await mayWrite('docs/api.md')).toBe('scope_violation')
    const held = call('request_scope', { paths: ['docs/api.md'], reason: 'The API changes' })
    const request = await asked()
    expect(request).toMatchObject({ kind: 'scope', scope: ['docs/api.md'], reason: 'The API changes' })
    await answerRequest(world, request.id, { approve: true, in: 'browser' })
    expect(await held).toContain('now also owns docs/api.md')
    expect(await mayWrite('docs/api.md')).toBe('allowed')
    expect(await text('.orchestration/active_intents.yaml')).toMatch(/^# ours\n/)
    for (const path of ['../x', '/etc', '!src', '~']) {
      expect(await call('request_scope', { paths: [path], reason: 'x' }), path).toHaveProperty('error')
    }
  })

  it('hear that nobody answered; a later yes still counts', async ({ onTestFinished }) => {
    const { call, asked, world, select, mayWrite } = await agent(onTestFinished, SOON)
    await select('free')
    const silent = (await call('request_scope', { paths: ['docs/**'], reason: 'x' })) as { error: string }
    expect(JSON.parse(silent.error)).toMatchObject({ code: 'user_rejected' })
    await answerRequest(world, (await asked()).id, { approve: true, in: 'terminal' })
    expect(await mayWrite('docs/api.md')).toBe('allowed')
  })

  it('hear no, in the person’s words', async ({ onTestFinished }) => {
    const { call, asked, world, select, mayWrite } = await agent(onTestFinished)
    await select('free')
    const held = call('request_scope', { paths: ['lib/**'], reason: 'x' })
    await answerRequest(world, (await asked()).id, { approve: false, in: 'terminal', note: 'No.' })
    expect(JSON.parse(((await held) as { error: string }).error).message).toContain('No.')
    expect(await mayWrite('lib/a.ts')).toBe('scope_violation')
  })

  it('keep lessons, once each, without secrets, however many agents at once', async ({ onTestFinished }) => {
    const { call, text, put } = await agent(onTestFinished)
    await put('CLAUDE.md', '# Ours\n')
    const key = `sk-ant-api03-${'Ab3dEf6hIj9'.repeat(9)}`
    await Promise.all(
      Array.from({ length: 24 }, (_, i) => call('record_lesson', { lesson: `Lesson ${i % 12}: use ${key}` })),
    )
    const after = await text('CLAUDE.md')
    expect(after.startsWith('# Ours\n')).toBe(true)
    expect(after.match(/^- Lesson/gm)).toHaveLength(12)
    expect(after).not.toContain(key)
    expect(await call('record_lesson', { lesson: 'Lesson 3: use something' })).toContain('Kept')
    await call('record_lesson', { lesson: 'Say <!-- /grove:lessons --> and <!-- hide' })
    expect((await text('CLAUDE.md')).match(/<!--.*?-->/g)).toEqual([
      '<!-- grove:lessons -->',
      '<!-- /grove:lessons -->',
    ])
    // What cannot be kept is said, not cut short and not taken for known.
    await expect(call('record_lesson', { lesson: '  \n ' })).rejects.toThrow('lesson')
    await expect(call('record_lesson', { lesson: 'too long '.repeat(100) })).rejects.toThrow('lesson')
  })
})

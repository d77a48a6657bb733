import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ToolUse } from '#core/turn.ts'
import { engine, engineForEach, GOAL, store } from '../../../../test/support/start-engine.ts'
import { SLOTS } from '../../state-slots.ts'
import { bash, edit, PROJECT, postTool, preTool, SESSION, Talk } from '../../testing/engine.ts'

engineForEach()

describe('drift', () => {
  let strays = 0
  const stray = () => edit('src/styles/theme.css', `color-${++strays}`)

  it('is corrected in the next request, and the correction stays where it was said', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    expect(await talk.turn({ tools: [stray()] })).not.toContain('goes against a limit that the user has set')
    expect(await store.states.get(SLOTS.session, SESSION)).toMatchObject({ drift: { lastScore: 3 } })
    const next = await talk.turn({ tools: [edit('src/auth/token.ts', 'z')] })
    expect(next).toContain('you changed src/styles/theme.css; the user said: “Do not touch src/styles”')
    const after = await talk.turn({ text: 'Going on.', tools: [edit('src/auth/token.ts', 'w')] })
    expect(after.match(/goes against a limit that the user has set/g)).toHaveLength(1)
    expect(engine.events.filter(({ type }) => type === 'recovered')).toHaveLength(1)
    expect(await store.injections.ofSession(SESSION, 9)).toMatchObject([{ kind: 'correction', place: 'message' }])
    // The rejected action is no step.
    expect((await store.steps.recent(SESSION, 9)).map(({ files }) => files[0])).not.toContain('src/styles/theme.css')
    expect(await store.driftEvents.ofSession(SESSION, 9)).toMatchObject([{ recovered: true, level: 'intervene' }])
  })

  it('is told once when hooks deliver it before the proxy can', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    const use = stray()
    await talk.turn({ tools: [use] })
    const answer = await engine.hook(postTool(use))
    expect(answer.hookSpecificOutput?.additionalContext).toContain('goes against a limit that the user has set')
    expect(await talk.turn({ tools: [edit('src/auth/token.ts')] })).not.toContain(
      'goes against a limit that the user has set',
    )
  })

  it('is stopped for real after three ignored corrections, and lets go on recovery', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (let i = 0; i < 4; i++) await talk.turn({ tools: [stray()] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    const denied = await engine.hook(preTool(stray()))
    expect(denied.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
    expect(JSON.parse(denied.hookSpecificOutput!.permissionDecisionReason!)).toMatchObject({
      status: 'error',
      code: 'recovery_required',
      suggestion: expect.stringContaining('src/auth/token.ts'),
    })
    const back = edit('src/auth/token.ts', 'back')
    expect(await engine.hook(preTool(back))).toEqual({})
    await talk.turn({ tools: [back] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'normal' })
    expect(await engine.hook(preTool(edit('docs/notes.md')))).toEqual({})
  })

  it('is not made good by reading in between', async () => {
    const talk = new Talk(engine.supervisor).prompt('The header should be grey. Do not touch src/mail.')
    await talk.turn({ tools: [edit('src/ui/header.css', 'grey')] })
    const look = { name: 'Read', input: { file_path: '/repo/app/src/mail/send.ts' } }
    for (const text of 'abcd') {
      await talk.turn({ tools: [{ id: `toolu_look_${text}`, ...look }] })
      await talk.turn({ tools: [edit('src/mail/send.ts', text)] })
    }
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    await talk.turn({ tools: [edit('src/ui/header.css', 'lighter')] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'normal' })
  })

  it('is stopped at the shell too, where what was done astray may be taken back', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (const name of 'abcd') await talk.turn({ tools: [edit(`src/styles/${name}.css`, name)] })
    const denied = async (command: string) =>
      (await engine.hook(preTool(bash(command)))).hookSpecificOutput?.permissionDecision === 'deny'
    expect(await denied('echo ".x {}" > src/styles/x.css')).toBe(true)
    expect(await denied("sed -i 's/a/b/' src/styles/a.css")).toBe(true)
    expect(await denied('cd src && rm -r billing')).toBe(true)
    expect(await denied('git checkout -- src/styles/a.css')).toBe(false)
    // It was there before: to remove it puts nothing back.
    expect(await denied('rm src/styles/b.css')).toBe(true)
    expect(await denied("sed -i 's/a/b/' src/auth/token.ts")).toBe(false)
    expect(await denied('npm test')).toBe(false)
    expect(await denied('git status > /tmp/status')).toBe(false)
  })

  it.each([
    'rm -rf src/styles',
    'git rm -r src/styles',
    'cd src && mv styles looks',
    'rm -rf src/auth/old src/styles/dark',
    'rm -rf src',
  ])('is seen where a command takes away what the user forbade to touch: %s', async (command) => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [bash(command)] })
    const [event] = await store.driftEvents.ofSession(SESSION, 9)
    expect(event).toMatchObject({ score: 3, level: 'intervene', kind: 'bash' })
    expect(event?.files[0]).toMatch(/^src(\/styles|$)/)
    expect(event?.correction).toContain('the user said: “Do not touch src/styles”')
    expect((await store.steps.recent(SESSION, 9)).map(({ kind }) => kind)).toEqual(['edit'])
  })

  it('says where a file was moved to', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [bash('mv src/styles/theme.css src/looks.css')] })
    const [event] = await store.driftEvents.ofSession(SESSION, 9)
    expect(event?.correction).toContain('you moved src/styles/theme.css to src/looks.css;')
    expect(event?.correction).toContain('Now: Move src/styles/theme.css back. Then go on')
  })

  it('is not where a command throws away what no one made, or brings back what was taken away', async () => {
    const talk = new Talk(engine.supervisor).prompt('Fix the token refresh. Only change src/auth.')
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [bash('rm -rf node_modules dist && npm ci')] })
    await talk.turn({ tools: [bash('git rm -r src/auth/legacy')] })
    expect(await store.states.get(SLOTS.session, SESSION)).toMatchObject({ drift: { standing: { mode: 'normal' } } })
    expect(engine.events.filter(({ type }) => type === 'drift')).toEqual([])

    await talk.turn({ tools: [bash('rm -rf src/styles')] })
    const noted = engine.events.filter(({ type }) => type === 'drift').length
    expect(noted).toBe(1)
    await talk.turn({ tools: [bash('git checkout -- src/styles')] })
    await talk.turn({ tools: [edit('src/auth/token.ts', 'on')] })
    expect(engine.events.filter(({ type }) => type === 'drift')).toHaveLength(noted)
  })

  it('may be taken back with the shell, and doing the same again takes nothing back', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    const made = {
      id: 'toolu_made',
      name: 'Write',
      input: { file_path: '/repo/app/src/styles/a.css', content: 'a {}' },
    }
    await talk.turn({ tools: [made] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'drifted' })
    await talk.turn({ tools: [bash('rm src/styles/a.css')] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'normal' })

    for (let i = 0; i < 4; i++) await talk.turn({ tools: [bash(`rm -rf src/styles # ${i}`)] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    const denied = async (command: string) =>
      (await engine.hook(preTool(bash(command)))).hookSpecificOutput?.permissionDecision === 'deny'
    expect(await denied('rm -rf src/styles')).toBe(true)
    expect(await denied('git checkout -- src/styles')).toBe(false)
  })

  it('is to generate a file that the user closed, and not to speak of the command that does', async () => {
    const told = async (command: string) => {
      const talk = new Talk(engine.supervisor).prompt('Fix the build in src/build.ts. Do not touch flake.lock.')
      await talk.turn({ tools: [edit('src/build.ts')] })
      const use = bash(command)
      await talk.turn({ tools: [use] })
      return (await store.driftEvents.ofSession(SESSION, 9)).some(({ stepId }) => stepId === use.id)
    }
    expect(await told('git commit -m "say when to run nix flake update"')).toBe(false)
    expect(await told("cat > src/notes.ts <<'END'\n// nix flake update\nEND")).toBe(false)
    expect(await told('cd . && nix flake update')).toBe(true)
  })

  it('is seen and stopped in the tools of other servers too', async () => {
    const written = (path: string) => ({
      id: `toolu_mcp_${path}`,
      name: 'mcp__fs__write_file',
      input: { path: `/repo/app/${path}`, content: '.x {}' },
    })
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (const name of 'abcd') await talk.turn({ tools: [written(`src/styles/${name}.css`)] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    const decision = async (use: ToolUse) => (await engine.hook(preTool(use))).hookSpecificOutput?.permissionDecision
    expect(await decision(written('src/styles/x.css'))).toBe('deny')
    expect(await decision({ ...written('src/styles/x.css'), name: 'mcp__fs__read_file' })).toBeUndefined()
    expect(await decision(written('src/auth/token.ts'))).toBeUndefined()
  })

  it.each([
    ['mcp__fs__delete_directory', { path: '/repo/app/src/styles' }],
    ['mcp__fs__move_file', { source: 'src/styles', destination: 'src/looks' }],
  ])('is seen where %s takes away what the user forbade to touch', async (name, input) => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [{ id: 'toolu_mcp', name, input }] })
    expect(await store.driftEvents.ofSession(SESSION, 9)).toMatchObject([{ score: 3, tool: name }])
  })

  it('is told to the main thread alone, and a halt holds for its subagents', async () => {
    const inSubagent = { agent_id: 'agent-1' }
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [stray()] })
    expect(await engine.hook({ ...postTool(edit('docs/a.md')), ...inSubagent })).toEqual({})
    const told = await engine.hook(postTool(bash('git status')))
    expect(told.hookSpecificOutput?.additionalContext).toContain('goes against a limit that the user has set')

    for (let i = 0; i < 3; i++) await talk.turn({ tools: [stray()] })
    const decision = async (use: ToolUse) =>
      (await engine.hook({ ...preTool(use), ...inSubagent })).hookSpecificOutput?.permissionDecision
    expect(await decision(stray())).toBe('deny')
    expect(await decision(edit('src/auth/token.ts', 'back'))).toBeUndefined()
  })

  it('is seen in a subagent where it breaks what the user forbade: it hears of it, and so does the main thread', async () => {
    const inSubagent = { agent_id: 'agent-1' }
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    // Elsewhere it is at home: it works for its own prompt.
    expect(await engine.hook({ ...postTool(edit('marketing/a.html')), ...inSubagent })).toEqual({})
    const told = await engine.hook({ ...postTool(edit('src/styles/a.css')), ...inSubagent })
    expect(told.hookSpecificOutput?.additionalContext).toContain('the user said: “Do not touch src/styles”')
    expect(await engine.hook({ ...postTool(edit('marketing/b.html')), ...inSubagent })).toEqual({})
    const main = await engine.hook(postTool(bash('git status')))
    expect(main.hookSpecificOutput?.additionalContext).toContain('the user said: “Do not touch src/styles”')

    expect(await store.driftEvents.ofSession(SESSION, 9)).toMatchObject([{ files: ['src/styles/a.css'] }])
    const files = (await store.steps.recent(SESSION, 9)).flatMap((step) => step.files)
    expect(files.toSorted()).toEqual(['marketing/a.html', 'marketing/b.html', 'src/auth/token.ts'])
  })

  it('is not where the user has meanwhile typed that they want it, although no hook tells of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-transcript-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const transcript_path = join(folder, 't.jsonl')
    const wrote = (line: object) => appendFileSync(transcript_path, `${JSON.stringify(line)}\n`)
    const typed = (prompt: string) => wrote({ type: 'attachment', attachment: { type: 'queued_command', prompt } })
    const prompted = async (prompt: string) => {
      await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt, transcript_path })
      wrote({ type: 'user', message: { content: prompt } })
    }
    const acts = async (use: ToolUse) => {
      await engine.hook({ ...preTool(use), transcript_path })
      await engine.hook({ ...postTool(use), transcript_path })
    }
    const goals = async () => (await store.tasks.ofSession(SESSION)).map(({ goal }) => goal)

    // What was typed before the newest prompt is past, and what a hook has told of is not heard again.
    typed('Write a poem')
    await prompted(GOAL)
    await acts(edit('src/auth/token.ts'))
    expect(await goals()).toHaveLength(1)
    typed('Forget that. Write a new stylesheet in src/styles')
    await acts(edit('src/styles/a.css'))
    expect(engine.events.filter(({ type }) => type === 'drift')).toEqual([])
    expect((await goals()).at(-1)).toContain('stylesheet')

    await prompted('Forget that too. Fix the login. Do not touch src/styles.')
    typed('Forget that too. Fix the login. Do not touch src/styles.')
    for (const name of 'bcde') await acts(edit(`src/styles/${name}.css`))
    expect(await goals()).toHaveLength(3)
    expect(await store.tasks.current(SESSION)).toMatchObject({ mode: 'forced' })
    typed('I want it: write another stylesheet in src/styles instead of that')
    const freed = await engine.hook({ ...preTool(edit('src/styles/f.css')), transcript_path })
    expect(freed).toEqual({})
  })

  it('is not where the user asked for it while the tool ran, and the client has not yet written that the agent has got it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-transcript-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const transcript_path = join(folder, 't.jsonl')
    const wrote = (line: object) => appendFileSync(transcript_path, `${JSON.stringify(line)}\n`)
    const queue = (operation: string, content: string) => wrote({ type: 'queue-operation', operation, content })
    const acts = async (use: ToolUse, meanwhile = () => {}) => {
      await engine.hook({ ...preTool(use), transcript_path })
      meanwhile()
      await engine.hook({ ...postTool(use), transcript_path })
    }
    const drifts = () => engine.events.filter(({ type }) => type === 'drift').length

    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
    wrote({ type: 'user', message: { content: GOAL } })
    await acts(edit('src/auth/token.ts'))
    await acts(edit('src/styles/a.css'), () => queue('enqueue', 'You may change src/styles as well'))
    expect(drifts()).toBe(0)
    await acts(edit('src/styles/b.css'))
    expect(drifts()).toBe(0)

    // What waits was read already when the agent did something else.
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: `${GOAL} Now.`, transcript_path })
    wrote({ type: 'user', message: { content: `${GOAL} Now.` } })
    await acts(edit('src/auth/token.ts'), () => queue('enqueue', 'You may well change src/styles'))
    await acts(edit('src/styles/d.css'))
    expect(drifts()).toBe(0)

    // What was taken out of the queue again was never said.
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL, transcript_path })
    wrote({ type: 'user', message: { content: GOAL } })
    queue('enqueue', 'Change src/styles all the same')
    queue('popAll', 'Change src/styles all the same')
    await acts(edit('src/styles/c.css'))
    expect(drifts()).toBe(1)
  })

  it('is answered more firmly when a reminder was heard and ignored', async () => {
    const levelsOf = (first: number) =>
      engine.events.slice(first).flatMap((event) => (event.type === 'drift' ? [event.level] : []))
    // The same edit again and again.
    const circles = () => Array.from({ length: 3 }, () => edit('src/auth/token.ts', 'refreshToken'))
    const begun = async (sessionId: string) => {
      const talk = new Talk(engine.supervisor, sessionId).prompt('Fix the token refresh in src/auth/token.ts')
      await talk.turn({ tools: [edit('src/auth/token.ts', 'refreshToken')] })
      return talk
    }
    const heard = await begun(SESSION)
    for (const one of circles()) await heard.turn({ tools: [one] })
    expect(levelsOf(0)).toEqual(['nudge', 'correct'])

    // What was done in one go was done before anybody could say a word.
    const before = engine.events.length
    const unheard = await begun('another')
    await unheard.turn({ tools: circles() })
    expect(levelsOf(before)).toEqual(['nudge', 'nudge'])
  })

  describe('for which only statistics speak', () => {
    const pages = Array.from({ length: 8 }, (_, i) => edit(`marketing/page${i}.html`, `<h1>Spring sale ${i}</h1>`))
    const wandered = async () => {
      const talk = new Talk(engine.supervisor).prompt('Fix the token refresh in src/auth/token.ts')
      await talk.turn({ tools: [edit('src/auth/token.ts')] })
      await talk.turn({ tools: [edit('src/auth/token.ts', 'expiry')] })
      for (const page of pages) await talk.turn({ tools: [page] })
      return talk
    }
    const decision = async (use: ToolUse) => (await engine.hook(preTool(use))).hookSpecificOutput?.permissionDecision

    it('is corrected again and again, rejected, stopped or denied never, and marked for review in the end', async () => {
      const talk = await wandered()
      const drifts = engine.events.flatMap((event) => (event.type === 'drift' ? [`${event.level} ${event.mode}`] : []))
      expect(drifts.filter((one) => one !== 'nudge normal' && one !== 'correct normal')).toEqual([])
      expect(drifts.filter((one) => one === 'correct normal').length).toBeGreaterThan(3)
      expect(await store.driftEvents.ofSession(SESSION, 9)).toEqual([])
      expect(await decision(edit('marketing/page9.html', 'more'))).toBeUndefined()
      const said = (await store.steps.recent(SESSION, 1))[0]
      expect(said).toMatchObject({ level: 'correct', driftScore: 5, changes: ['marketing/page7.html'] })
      expect(said?.correction).toContain('the work so far is in src/auth; this is in marketing')

      await talk.turn({ text: 'All done. The task is complete.' })
      const [memory] = await store.memories.list(PROJECT, { limit: 1 })
      expect(memory?.tags.toSorted()).toEqual(['had-drift', 'needs-review'])
    })

    it('is put to the person before the client after three corrections, and their yes settles it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'grove-transcript-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const transcript_path = join(folder, 't.jsonl')
      const seen = async (entrypoint: string) => {
        appendFileSync(transcript_path, `${JSON.stringify({ type: 'user', entrypoint, message: { content: 'x' } })}\n`)
        await engine.hook({ ...postTool(bash('git status')), transcript_path })
      }
      await wandered()
      await seen('sdk-cli')
      expect(await decision(edit('marketing/page9.html', 'more'))).toBeUndefined()
      await seen('cli')
      expect(await decision(edit('src/auth/token.ts', 'back'))).toBeUndefined()
      const more = edit('marketing/page9.html', 'more')
      const asked = await engine.hook(preTool(more))
      expect(asked.hookSpecificOutput).toMatchObject({
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringMatching(
          /corrections did not help\. The agent wants to change marketing\/page9\.html; .* Asked for: “Fix the token refresh/,
        ),
      })
      await engine.hook(postTool(more))
      expect(await decision(edit('marketing/page10.html', 'and more'))).toBeUndefined()
    })
  })

  it('is neither made better nor worse by what belongs to any task', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ tools: [edit('src/styles/a.css', 'a')] })
    const drifted = { mode: 'drifted', escalation: 1 }
    for (const command of ['git status', 'npm test', 'ls', 'git diff', 'npm run lint']) {
      const forwarded = await talk.turn({ tools: [bash(command)] })
      expect(forwarded.match(/goes against a limit|Grove: stop/g)).toHaveLength(1)
      expect(await store.tasks.current(SESSION)).toMatchObject(drifted)
    }
    expect(await store.driftEvents.ofSession(SESSION, 9)).toHaveLength(1)
    const commands = (await store.steps.recent(SESSION, 5)).map(({ driftScore }) => driftScore)
    expect(commands).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  it('is forgotten the moment the user asks for something else', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (let i = 0; i < 4; i++) await talk.turn({ tools: [stray()] })
    await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Now restyle the buttons in src/styles' })
    expect(await engine.hook(preTool(stray()))).toEqual({})
    const before = await store.injections.ofSession(SESSION, 99)
    talk.prompt('Now restyle the buttons in src/styles')
    await talk.turn({ tools: [stray()] })
    // What was said stays in the history; nothing new is said.
    expect(await store.injections.ofSession(SESSION, 99)).toHaveLength(before.length)
  })
})

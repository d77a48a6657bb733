import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setBench as set, spoken, told } from '../../../test/support/learning-bench.ts'
import { observe } from './notes.ts'
import { reflect } from './reflect.ts'

const lines = (count: number) => 'line\n'.repeat(count)
const ticket = {
  id: 'app-7',
  title: 'Make the seed script idempotent',
  description: 'Running it twice must not fail.',
  status: 'in_progress',
  labels: ['database'],
}
const beads = { '.beads/issues.jsonl': `${JSON.stringify(ticket)}\n` }
const bash = (command: string, id = 't1') => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id })
const closes = bash('bd close app-7')
const worked = { tool_response: { stdout: '✓ Closed app-7: done', stderr: '', interrupted: false } }
const candidate = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  scope: 'project',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
  context_files: ['db/seed.ts'],
}
const DAY = 24 * 60 * 60 * 1000

describe.each([
  { where: 'in a daemon', later: setImmediate },
  { where: 'alone', later: undefined },
])('$where', ({ later }) => {
  const setBench = (files?: Record<string, string>, entrypoint = 'cli') => set(files, { later, entrypoint })
  const inSession = '[gate]\nask = "session"\n'
  /** A session of a project without tickets that is asked about its own work. */
  const working = async (files: Record<string, string> = {}) => {
    const bench = await setBench({ '.grove/config.toml': inSession, ...files })
    await bench.hook('SessionStart', { source: 'startup' })
    return bench
  }

  describe('a session starts', () => {
    it('with the ticket that is being worked on', async () => {
      const bench = await setBench(beads)
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      expect(await bench.session()).toMatchObject({
        system: 'beads',
        gate: { status: 'active', ticket: 'app-7' },
        ticket: { title: ticket.title, description: ticket.description, source: 'beads' },
      })
      expect(bench.warnings).toEqual([])
    })

    it('in the ticket system that comes first, and that is not switched off', async () => {
      const bench = await setBench({ ...beads, '.tissue/issues.jsonl': '' })
      const systemAfter = async (toml: string) => {
        bench.write('.grove/config.toml', toml)
        await bench.hook('SessionStart', { source: 'startup' })
        return (await bench.session())?.system
      }
      expect(await systemAfter('')).toBe('tissue')
      expect(await systemAfter('[ticketing]\ndiscovery = ["beads", "tissue"]')).toBe('beads')
      expect(await systemAfter('[ticketing.overrides]\ntissue = false')).toBe('beads')
      expect(await systemAfter('[ticketing.overrides]\ntissue = false\nbeads = false')).toBe('session')
      expect(await systemAfter('[ticketing]\ndiscovery = []')).toBe('none')
    })

    it('knowing what earlier sessions learned, and that is counted', async () => {
      const bench = await setBench(beads)
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      const context = answer.hookSpecificOutput?.additionalContext ?? ''
      expect(context).toContain('[pitfall] Run the migrations before the seed script')
      expect(context).toMatch(/^<grove-learnings>\n[\s\S]*<\/grove-learnings>$/)
      expect(bench.stats().at(-1)).toMatchObject({
        type: 'surfaced',
        session: 's1',
        learning: expect.stringMatching(/^lrn_/),
      })
      expect((await bench.session())?.injected).toMatchObject([{ outcome: 'pending' }])
    })

    it('knowing what people wrote down by hand', async () => {
      const bench = await setBench({
        '.grove/learnings.md': '### Ask before tagging\n\nThe packages are signed by hand.\n',
      })
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      expect(answer.hookSpecificOutput?.additionalContext).toMatch(/Ask before tagging\n.*\n +\(by hand; lrn_/)
    })

    it('showing at most as many learnings as allowed, the fitting ones first', async () => {
      const bench = await setBench(beads)
      const file = join(import.meta.dirname, '../../../test/corpus/learnings/pairs.jsonl')
      const pairs = readFileSync(file, 'utf8').trimEnd().split('\n').slice(2, 16)
      const others = pairs.map((line, at) => ({
        ...candidate,
        ...JSON.parse(line).a,
        tags: [`t${at}`],
        context_files: [],
      }))
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [...others, candidate] })
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      const context = answer.hookSpecificOutput?.additionalContext ?? ''
      // Two places are left for what fits the prompts.
      expect(context.match(/^\d\. \[/gm)).toHaveLength(3)
      expect(context).toContain('1. [pitfall] Run the migrations')
      bench.write('.grove/config.toml', '[retrieval]\nmax_injections = 1\n')
      const fewer = await bench.hook('SessionStart', { source: 'startup' })
      expect(fewer.hookSpecificOutput?.additionalContext?.match(/^\d\. \[/gm)).toHaveLength(1)
      bench.write('.grove/config.toml', '[retrieval]\nmax_injections = 0\n')
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
    })

    it('and what it is shown is among all that was put before it', async () => {
      const bench = await setBench(beads)
      const { accepted } = await reflect(bench.world, { cwd: bench.root, candidates: [candidate] })
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('UserPromptSubmit', { prompt: 'Run the seed script after the migrations' })
      expect(await bench.store.injections.ofSession('s1', 9)).toMatchObject([
        { kind: 'learnings', place: 'hook', why: `learned earlier: ${accepted[0]!.id}` },
      ])
    })

    it('again after compaction as the same session, and is shown the same once more', async () => {
      const bench = await setBench(beads)
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PreToolUse', closes)
      await bench.hook('PostToolUse', { ...closes, ...worked })
      const shown = bench.stats().filter(({ type }) => type === 'surfaced')
      const answer = await bench.hook('SessionStart', { source: 'compact' })
      expect(answer.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
      expect((await bench.session())?.gate.status).toBe('pending')
      expect(bench.stats().filter(({ type }) => type === 'surfaced')).toEqual(shown)
    })

    it('anew when it is resumed, but for a gate that waits', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('SessionEnd', { reason: 'other' })
      await bench.hook('SessionStart', { source: 'resume' })
      expect((await bench.session())?.gate.status).toBe('active')
      await bench.hook('PostToolUse', { ...closes, ...worked })
      await bench.hook('SessionEnd', { reason: 'other' })
      await bench.hook('SessionStart', { source: 'resume' })
      expect(await bench.session()).toMatchObject({ gate: { status: 'pending' }, ticket: { title: ticket.title } })
      expect(told(await bench.hook('Stop'))).toContain('Ticket app-7')
    })

    it('and once a day lets go of what nobody uses', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      bench.pass(91 * DAY)
      expect((await bench.hook('SessionStart', { source: 'startup' })).hookSpecificOutput).toBeDefined()
      expect(bench.stats()).toContainEqual(
        expect.objectContaining({ type: 'archived', reason: 'not used for 90 days' }),
      )
      expect(await bench.hook('SessionStart', { source: 'startup', session_id: 's2' })).toEqual({})
      const before = bench.stats().length
      await bench.hook('SessionStart', { source: 'startup', session_id: 's3' })
      expect(bench.stats()).toHaveLength(before)
    })

    it('and spares what helped four times out of five, although it is shown once more just now', async () => {
      const bench = await setBench()
      const { accepted } = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      const about = { at: '2026-11-15T11:00:00.000Z', learning: accepted[0]!.id, session: 'before' }
      const events = [
        ...Array(5).fill({ ...about, type: 'surfaced' }),
        ...Array(4).fill({ ...about, type: 'referenced' }),
      ]
      appendFileSync(bench.statsFile()!, events.map((one) => `${JSON.stringify(one)}\n`).join(''))
      bench.pass(200 * DAY)
      await bench.hook('SessionStart', { source: 'startup' })
      expect(bench.stats().map(({ type }) => type)).not.toContain('archived')
    })

    it('without a word where the gate is switched off', async () => {
      const bench = await setBench(beads)
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      bench.write('.grove/config.toml', '[gate]\nenabled = false\n')
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      await bench.hook('PostToolUse', { ...closes, ...worked })
      expect(await bench.hook('Stop')).toEqual({})
    })
  })

  describe('a prompt', () => {
    it('brings to mind what fits it and was not shown yet', async () => {
      const bench = await setBench()
      bench.write('.grove/config.toml', '[retrieval]\nstrategy = "conservative"\n')
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      const prompt = 'Why does the database seed script fail?'
      const answer = await bench.hook('UserPromptSubmit', { prompt })
      expect(answer.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
      expect(await bench.hook('UserPromptSubmit', { prompt })).toEqual({})
      expect(await bench.hook('UserPromptSubmit', { prompt: 'Paint the button blue' })).toEqual({})
    })

    it.each([
      [
        '数据库迁移必须先于种子脚本运行',
        '种子脚本往表里写数据，而这些表只有迁移才会创建，否则会失败。',
        '为什么种子脚本会失败？',
      ],
      [
        'シードの前にマイグレーションを実行する',
        'テーブルは移行で作られるため、先に実行しないと例外になる。',
        'シードが失敗する理由を調べて',
      ],
      [
        '시드 스크립트 전에 마이그레이션을 실행해야 한다',
        '테이블은 마이그레이션에서만 만들어지므로 먼저 실행하지 않으면 실패한다.',
        '시드 스크립트가 왜 실패하지?',
      ],
    ])('finds what fits it also where words are not set apart: %s', async (summary, detail, prompt) => {
      const bench = await setBench({ '.grove/config.toml': '[retrieval]\nstrategy = "conservative"\n' })
      const others = ['Release notes are in German since 2024', 'The widget needs cookies with SameSite=None'].map(
        (other) => {
          return {
            ...candidate,
            summary: other,
            detail: `${other}, because the customer in Berlin wants it so.`,
            context_files: [],
          }
        },
      )
      await reflect(bench.world, {
        cwd: bench.root,
        candidates: [...others, { ...candidate, summary, detail, tags: ['x1'], context_files: [] }],
      })
      await bench.hook('SessionStart', { source: 'startup' })
      expect(told(await bench.hook('UserPromptSubmit', { prompt }))).toContain(summary)
    })

    it("is shown a person's own learnings where they fit, marked as such, and nowhere else", async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, candidates: [{ ...candidate, scope: 'personal' }] })
      expect(told(await bench.hook('SessionStart', { source: 'startup' }))).not.toContain('Run the migrations')
      const shown = told(await bench.hook('UserPromptSubmit', { prompt: 'Why does the database seed script fail?' }))
      expect(shown).toContain('Run the migrations')
      expect(shown).toContain('your own')
    })

    it('may ask to remember something, which the reflection may then claim', async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      const asked = {
        ...candidate,
        summary: 'Release notes are in German',
        detail: 'Every file in release-notes/ is German.',
        criteria_met: ['explicit_request'],
      }
      const before = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [asked] })
      expect(before.rejected).toMatchObject([
        { reasons: expect.arrayContaining([expect.stringContaining('explicit_request is not borne out')]) },
      ])
      await bench.hook('UserPromptSubmit', { prompt: 'The footer never appears, never mind. Has it always been so?' })
      expect((await bench.session())?.askedToRemember).toBeUndefined()
      await bench.hook('UserPromptSubmit', { prompt: 'Fix the notes. Always write them in German.' })
      expect(await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [asked] })).toMatchObject({
        accepted: [{}],
      })
    })
  })

  it('what nobody could name in a log is no session', async () => {
    const bench = await setBench()
    for (const session_id of ['', 'x'.repeat(201)]) {
      await bench.hook('SessionStart', { source: 'startup', session_id })
      await bench.hook('PostToolUse', { ...closes, ...worked, session_id })
      expect(await bench.hook('Stop', { session_id })).toEqual({})
      expect(await observe(bench.world, { cwd: bench.root, note: 'x', sessionId: session_id })).toBeUndefined()
    }
    expect(bench.warnings).toEqual([])
  })

  describe('closing a ticket', () => {
    it('is an intent before the tool has run, and counts afterwards', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      expect(await bench.hook('PreToolUse', closes)).toEqual({})
      expect((await bench.session())?.gate).toMatchObject({ status: 'active', closing: true })
      await bench.hook('PostToolUse', { ...closes, ...worked })
      expect(await bench.session()).toMatchObject({ gate: { status: 'pending', ticket: 'app-7' }, closing: {} })
    })

    it('that failed is forgotten', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PreToolUse', closes)
      await bench.hook('PostToolUseFailure', { ...closes, error: 'Exit code 1\nIssue app-7 not found' })
      expect((await bench.session())?.gate).toMatchObject({ status: 'active', closing: false })
      await bench.hook('PreToolUse', closes)
      await bench.hook('PostToolUse', {
        ...closes,
        tool_response: { stdout: '', stderr: 'Error closing app-7: locked' },
      })
      expect((await bench.session())?.gate).toMatchObject({ status: 'active', closing: false })
      await bench.hook('PreToolUse', closes)
      await bench.hook('PostToolUse', { ...closes, tool_response: { success: false } })
      expect((await bench.session())?.trace.at(-1)?.what).toBe('ticket close failed')
      expect(await bench.hook('Stop')).toEqual({})
    })

    it('of several at once counts each for itself, and is about the one that was worked on', async () => {
      const bench = await setBench(beads)
      const close = bash('bd close app-6 app-7 app-8')
      const closed = (stdout: string) => ({ ...close, tool_response: { stdout, stderr: '' } })
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PreToolUse', close)
      await bench.hook('PostToolUse', closed('Error closing app-6: no such issue\n✓ Closed app-7\n✓ Closed app-8'))
      await bench.hook('PostToolUse', { ...bash('bd close app-9', 't2'), tool_response: { stdout: 'Closed app-9' } })
      expect(told(await bench.hook('Stop'))).toContain('Ticket app-7 (Make the seed script idempotent) is closed.')

      await bench.hook('SessionStart', { source: 'startup', session_id: 's2' })
      await bench.hook('PreToolUse', { ...close, session_id: 's2' })
      await bench.hook('PostToolUse', { ...closed('Error closing app-7: locked\nClosed app-8'), session_id: 's2' })
      expect((await bench.session('s2'))?.gate).toMatchObject({ status: 'pending', ticket: 'app-6' })
    })

    it("of the client's own tasks is about what the task was created for", async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      const input = { subject: 'Fix the login', description: 'Cookies are lost, token=abcdefgh' }
      const response = { task: { id: '7', subject: input.subject } }
      await bench.hook('PostToolUse', { tool_name: 'TaskCreate', tool_input: input, tool_response: response })
      await bench.hook('PostToolUse', {
        tool_name: 'TaskUpdate',
        tool_input: { taskId: '7', status: 'completed' },
        tool_response: { success: true, taskId: '7' },
      })
      expect((await bench.session())?.ticket).toMatchObject({ id: '7', source: 'tasks', title: 'Fix the login' })
      bench.write('login.ts', lines(3))
      expect(told(await bench.hook('Stop'))).toMatch(/^Task 7 \(Fix the login\) is completed\. /)
      const odd = [{}, { task: 5 }, { task: { id: 5 } }, null, 'x']
      for (const tool_response of odd)
        await bench.hook('PostToolUse', { tool_name: 'TaskCreate', tool_input: input, tool_response })
      expect(Object.keys((await bench.session())?.tasks ?? {})).toEqual(['7'])
      expect(bench.warnings).toEqual([])
    })

    it("of the client's own tasks is no ticket when nothing was done under it", async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      const done = { tool_name: 'TaskUpdate', tool_input: { taskId: '7', status: 'completed' }, tool_response: {} }
      expect(await bench.hook('PostToolUse', done)).toEqual({})
      expect(await bench.hook('Stop')).toEqual({})
      expect((await bench.session())?.gate.status).toBe('idle')
    })

    it('is told in plain words when the command does not say which', async () => {
      const bench = await setBench()
      await bench.hook('PostToolUse', { ...bash('bd close "$id"'), tool_response: { stdout: '' } })
      expect(told(await bench.hook('Stop'))).toMatch(/^The last beads ticket is closed\. /)
    })

    it('counts although the rest of the command line failed', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      const chain = bash('bd close app-7 && npm test')
      await bench.hook('PreToolUse', chain)
      await bench.hook('PostToolUseFailure', { ...chain, error: 'Exit code 1\n✓ Closed app-7: done\n3 tests failed' })
      expect((await bench.session())?.gate.status).toBe('pending')
    })

    it('counts also when the hook after it was missed: the transcript tells', async () => {
      const bench = await setBench(beads)
      const transcript = join(bench.root, '..', 'transcript.jsonl')
      const result = (is_error: boolean, content: string) =>
        writeFileSync(
          transcript,
          `${JSON.stringify({ type: 'user', entrypoint: 'cli', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error, content }] } })}\n`,
        )
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PreToolUse', closes)
      result(true, 'Exit code 1: app-7 not found')
      expect(await bench.hook('Stop', { transcript_path: transcript })).toEqual({})

      await bench.hook('SessionStart', { source: 'startup', session_id: 's2' })
      await bench.hook('PreToolUse', { ...closes, session_id: 's2' })
      result(false, 'Closed app-7')
      const answer = await bench.hook('Stop', { transcript_path: transcript, session_id: 's2' })
      expect(told(answer)).toContain('Ticket app-7')
    })

    it('of a second kind, or by a subagent, counts too', async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PostToolUse', {
        ...bash('tissue status t-9 closed'),
        agent_id: 'a1',
        tool_response: { stdout: '' },
      })
      expect(await bench.session()).toMatchObject({ gate: { status: 'pending', ticket: 't-9' }, system: 'tissue' })
    })

    it('reads title and description where the system has them', async () => {
      const rows = [
        { id: 't-9', title: 'Old', status: 'open' },
        { id: 't-9', title: 'New title', body: 'The body', status: 'closed', tags: ['ui'] },
      ]
      const bench = await setBench({
        '.tissue/issues.jsonl': `${rows.map((row) => JSON.stringify(row)).join('\n')}\nbroken{\n`,
      })
      await bench.hook('PostToolUse', { ...bash('tissue status t-9 closed'), tool_response: { stdout: '' } })
      expect((await bench.session())?.ticket).toMatchObject({
        title: 'New title',
        description: 'The body',
        tags: ['ui'],
      })
    })

    it("with Claude Code's own tasks counts where there is no ticket system", async () => {
      const done = {
        tool_name: 'TaskUpdate',
        tool_input: { taskId: '1', status: 'completed' },
        tool_use_id: 't1',
        tool_response: {},
      }
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PostToolUse', done)
      expect((await bench.session())?.gate.status).toBe('pending')
      const other = await setBench(beads)
      await other.hook('SessionStart', { source: 'startup' })
      await other.hook('PostToolUse', done)
      expect((await other.session())?.gate.status).toBe('active')
      other.write('.grove/config.toml', '[ticketing.overrides]\ntasks = false\nbeads = false\n')
      await other.hook('SessionStart', { source: 'startup' })
      await other.hook('PostToolUse', done)
      expect((await other.session())?.gate.status).toBe('idle')
    })
  })

  describe('the agent stops', () => {
    it('as an agent of the project it began in, wherever it has gone since', async () => {
      const bench = await setBench(beads)
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      await bench.hook('SessionStart', { source: 'startup' })
      const elsewhere = { cwd: join(bench.root, '..') }
      await bench.hook('PostToolUse', { ...closes, ...worked })
      const stop = { ...elsewhere, last_assistant_message: 'I ran the migrations before the seed script.' }
      expect(told(await bench.hook('Stop', stop))).toContain('Ticket app-7')
      expect(bench.stats().at(-1)).toMatchObject({ type: 'referenced' })
      bench.write('.grove/config.toml', '[gate]\nenabled = false\n')
      expect(await bench.hook('Stop', stop)).toEqual({})
    })

    const closed = async (files = beads) => {
      const bench = await setBench(files)
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('PostToolUse', { ...closes, ...worked })
      return bench
    }

    it('and was told to reflect when it closed the ticket, with all it needs to know', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      const asked = told(await bench.hook('PostToolUse', { ...closes, ...worked }))
      expect(asked).toContain('Ticket app-7 (Make the seed script idempotent) is closed.')
      expect(asked).toContain('call mcp__grove__reflect')
      expect(asked).toContain('Call mcp__grove__skip')
      expect(asked).toMatch(/reflect --category pitfall --summary '[^']+' --detail '[^']+' --tags \S+ --criteria \S+\n/)
      for (const name of ['scope:', 'criteria', 'supersedes:']) expect(asked).toContain(`\n${name}`)
      expect(asked).toContain('give your final answer')
      expect(asked.length).toBeLessThan(2500)
      expect(told(await bench.hook('PostToolUse', { ...bash('bd close app-8', 't2'), ...worked }))).toBe('')
    })

    it('and is reminded in one paragraph, with nothing that the client calls an error', async () => {
      const bench = await closed()
      const answer = await bench.hook('Stop')
      expect(answer).toEqual({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext: expect.any(String) } })
      expect(told(answer)).toMatch(/^Ticket app-7 .* is closed\. Call mcp__grove__reflect .* mcp__grove__skip [^\n]*$/)
      expect(told(answer)).toContain('Then give your final answer')
    })

    it.each(['sdk-cli', 'sdk-ts', 'something-new'])(
      'in a run that nobody sits before, and is never asked (%s)',
      async (way) => {
        const bench = await setBench(beads, way)
        await bench.hook('SessionStart', { source: 'startup' })
        expect(await bench.hook('PostToolUse', { ...closes, ...worked })).toEqual({})
        expect(await bench.hook('Stop')).toEqual({})
        expect((await bench.session())?.gate.status).toBe('pending')
        bench.write('.grove/config.toml', '[gate]\nheadless = true\n')
        expect(told(await bench.hook('Stop'))).toContain('Ticket app-7')
      },
    )

    it('and is never asked where that is switched off, but still shown what was learned', async () => {
      const bench = await closed({ ...beads, '.grove/config.toml': '[gate]\nask = "off"\n' } as typeof beads)
      expect(await bench.hook('Stop')).toEqual({})
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(told(await bench.hook('SessionStart', { source: 'startup' }))).toContain('Run the migrations')
    })

    it('and may go once it has reflected, or said why not', async () => {
      const bench = await closed()
      await bench.hook('Stop')
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(await bench.hook('Stop', { stop_hook_active: true })).toEqual({})
      expect((await bench.session())?.gate.status).toBe('reflected')
    })

    it('and is let go after three reminders, whatever happens', async () => {
      const bench = await closed()
      for (let times = 0; times < 3; times++) expect(told(await bench.hook('Stop'))).toContain('mcp__grove__reflect')
      const answer = await bench.hook('Stop')
      expect(told(answer)).toBe('')
      expect(answer.systemMessage).toContain('did not reflect')
      expect(bench.warnings.join()).toContain('let go without reflecting')
      expect(bench.has('.grove')).toBe(false)
    })

    it('and its failed attempts are explained to it', async () => {
      const bench = await closed()
      await bench.hook('Stop')
      const failed = await reflect(bench.world, {
        cwd: bench.root,
        ownId: 's1',
        candidates: [{ ...candidate, category: 'opinion' }],
      })
      expect(failed).toMatchObject({ ok: false, accepted: [] })
      expect(told(await bench.hook('Stop'))).toContain('category must be one of')
    })

    it('but subagents are never asked', async () => {
      const bench = await closed()
      expect(await bench.hook('Stop', { agent_id: 'a1' })).toEqual({})
      expect(await bench.hook('SubagentStop', { agent_id: 'a1' })).toEqual({})
    })

    it('with a ticket still open, and may', async () => {
      const bench = await setBench(beads)
      await bench.hook('SessionStart', { source: 'startup' })
      bench.write('a.ts', lines(50))
      expect(await bench.hook('Stop')).toEqual({})
    })

    it('without tickets, and is not asked by default', async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      for (const file of ['a.ts', 'b.ts', 'c.ts']) bench.write(file, lines(50))
      expect(await bench.hook('Stop')).toEqual({})
    })

    it('without tickets: where that is wanted it is asked after substantial work of its own', async () => {
      const bench = await setBench({ '.grove/config.toml': inSession, 'a.ts': lines(3), 'dirty.ts': lines(3) })
      bench.write('dirty.ts', lines(40))
      bench.write('new-before.ts', lines(30))
      await bench.hook('SessionStart', { source: 'startup' })
      expect(await bench.hook('Stop')).toEqual({})
      bench.write('a.ts', lines(90))
      bench.write('package-lock.json', lines(900))
      expect(await bench.hook('Stop')).toEqual({})
      bench.write('a.test.ts', lines(4))
      const answer = await bench.hook('Stop')
      expect(told(answer)).toMatch(/^You changed 91 lines in 2 files\. /)
      expect(told(answer)).toContain('\nsupersedes:')
      // A person reads it: what the help explains is left to it.
      expect(told(answer)).toContain('reflect --help')
      expect(told(answer).length).toBeLessThan(1200)
    })

    it('without tickets: it is asked again only after substantial new work', async () => {
      const bench = await working()
      bench.write('a.test.ts', lines(50))
      expect(told(await bench.hook('Stop'))).toContain('You changed 50 lines in one file')
      await reflect(bench.world, { cwd: bench.root, sessionId: 's1', candidates: [candidate] })
      expect(await bench.hook('Stop', { stop_hook_active: true })).toEqual({})
      bench.write('b.test.ts', lines(30))
      bench.git('add', '--all')
      bench.git('commit', '--quiet', '--message=Work')
      expect(await bench.hook('Stop')).toEqual({})
      bench.write('a.test.ts', lines(62))
      expect(told(await bench.hook('Stop'))).toContain('You changed 42 lines in 2 files')
    })

    it('without tickets: what it committed counts as well, and what came from elsewhere does not', async () => {
      const bench = await working({ 'a.test.ts': '' })
      bench.git('checkout', '--quiet', '-b', 'other')
      bench.write('theirs.test.ts', lines(300))
      bench.git('add', '--all')
      const theirs = bench.git('commit-tree', '-p', 'HEAD', '-m', 'Theirs', bench.git('write-tree'))
      bench.git('reset', '--quiet', '--hard', theirs)
      expect(await bench.hook('Stop')).toEqual({})
      bench.write('a.test.ts', lines(40))
      bench.git('commit', '--quiet', '--all', '--message=Work')
      expect(told(await bench.hook('Stop'))).toContain('You changed 40 lines')
    })

    it('without tickets: the size is not counted again for a retry', async () => {
      const bench = await working()
      bench.write('a.test.ts', lines(50))
      expect(told(await bench.hook('Stop'))).toContain('50 lines')
      bench.write('a.test.ts', lines(90))
      expect(told(await bench.hook('Stop', { stop_hook_active: true }))).toContain('50 lines')
    })

    it('without git: its own tools tell how much it wrote', async () => {
      const bench = await setBench()
      const cwd = join(bench.home, 'plain')
      bench.write('../home/plain/.grove/config.toml', inSession)
      await bench.hook('SessionStart', { source: 'startup', cwd })
      expect(await bench.hook('Stop', { cwd })).toEqual({})
      const transcript_path = join(bench.home, 't.jsonl')
      const write = (id: string, file: string, content: string) => {
        return { type: 'tool_use', id, name: 'Write', input: { file_path: `${cwd}/${file}`, content } }
      }
      writeFileSync(transcript_path, spoken('cli', write('x', 'a.test.ts', lines(60))))
      const failed = { type: 'tool_result', tool_use_id: 'x', is_error: true, content: 'no' }
      appendFileSync(transcript_path, `${JSON.stringify({ type: 'user', message: { content: [failed] } })}\n`)
      await bench.hook('SessionStart', { source: 'startup', cwd })
      expect(await bench.hook('Stop', { cwd, transcript_path })).toEqual({})
      appendFileSync(transcript_path, spoken('cli', write('y', 'a.test.ts', lines(60))))
      expect(told(await bench.hook('Stop', { cwd, transcript_path }))).toContain('You changed 61 lines')
    })

    it('and small changes pass by themselves where that is wanted', async () => {
      const bench = await closed({
        ...beads,
        '.grove/config.toml': '[gate.auto_skip]\ndecider = "always"\n',
      } as typeof beads)
      bench.write('a.ts', lines(2))
      expect(await bench.hook('Stop')).toEqual({})
      expect(bench.stats()).toMatchObject([{ type: 'skipped', decider: 'rule', lines: 2 }])
    })

    it('while it plans, or after it only read and talked, and may', async () => {
      const bench = await working()
      bench.write('a.test.ts', lines(50))
      expect(await bench.hook('Stop', { permission_mode: 'plan' })).toEqual({})
      const transcript_path = join(bench.home, 't.jsonl')
      const read = { type: 'tool_use', id: 'x', name: 'Read', input: { file_path: `${bench.root}/a.ts` } }
      writeFileSync(transcript_path, spoken('cli', read))
      expect(await bench.hook('Stop', { transcript_path })).toEqual({})
      const ran = { type: 'tool_use', id: 'y', name: 'Bash', input: { command: 'sed -i s/a/b/ a.ts' } }
      appendFileSync(transcript_path, spoken('cli', ran))
      expect(told(await bench.hook('Stop', { transcript_path }))).toContain('You changed 50 lines')
    })

    it('in a session nobody saw begin, but of which a note or a task is known', async () => {
      const bench = await setBench({ '.grove/config.toml': inSession })
      await observe(bench.world, { cwd: bench.root, sessionId: 'fork', note: 'Slow on Windows' })
      bench.write('work.test.ts', lines(40))
      expect(told(await bench.hook('Stop', { session_id: 'fork' }))).toContain('You changed 40 lines')
    })

    it('in a session nobody saw begin', async () => {
      const bench = await setBench({ '.grove/config.toml': inSession })
      bench.write('a.test.ts', lines(50))
      expect(told(await bench.hook('Stop'))).toContain('mcp__grove__reflect')
    })
  })

  describe('a session ends', () => {
    it('and what was shown and not used was dismissed', async () => {
      const bench = await setBench()
      await reflect(bench.world, {
        cwd: bench.root,
        ownId: 's1',
        candidates: [candidate, { ...candidate, ...cookies }],
      })
      await bench.hook('SessionStart', { source: 'startup' })
      await bench.hook('UserPromptSubmit', {
        prompt: 'Why are the SameSite cookies of the widget and the database seed lost?',
      })
      const transcript = join(bench.home, 't.jsonl')
      const said = { type: 'text', text: 'Done.' }
      const ran = { type: 'tool_use', id: 'x', name: 'Bash', input: { command: 'npm run db:migrate && npm run seed' } }
      const shown = {
        type: 'attachment',
        attachment: { type: 'hook_additional_context', content: 'SameSite=None widget' },
      }
      const all = [shown, { type: 'assistant', message: { content: [said, ran] } }]
      writeFileSync(transcript, all.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await bench.hook('Stop', { transcript_path: transcript })
      await bench.hook('SessionEnd', { transcript_path: transcript, reason: 'other' })
      const outcomes = bench.stats().filter(({ type }) => type === 'referenced' || type === 'dismissed')
      expect(outcomes).toMatchObject([{ type: 'referenced', how: 'ran npm run db:migrate' }, { type: 'dismissed' }])
      expect((await bench.session())?.injected.map(({ outcome }) => outcome).sort()).toEqual([
        'dismissed',
        'referenced',
      ])
      await bench.hook('SessionEnd', { reason: 'other' })
      expect(bench.stats().filter(({ type }) => type === 'dismissed')).toHaveLength(1)
    })

    it('also when nobody heard of its end, and is taken for ended after a week', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, candidates: [candidate] })
      await bench.hook('SessionStart', { source: 'startup', session_id: 'killed' })
      bench.pass(8 * 24 * 3_600_000)
      await bench.hook('SessionStart', { source: 'startup', session_id: 'next' })
      const dismissed = bench.stats().filter(({ type }) => type === 'dismissed')
      expect(dismissed).toMatchObject([{ session: 'killed' }])
    })

    it('for every reason alike, and a ticket in work is let go', async () => {
      const bench = await setBench(beads)
      for (const reason of ['clear', 'logout', 'prompt_input_exit', 'other']) {
        await bench.hook('SessionStart', { source: 'startup' })
        expect(await bench.hook('SessionEnd', { reason })).toEqual({})
        expect((await bench.session())?.gate.status).toBe('idle')
      }
      expect(await bench.hook('SessionEnd', { session_id: 'never seen', reason: 'other' })).toEqual({})
      expect(bench.warnings).toEqual([])
    })
  })

  const cookies = {
    summary: 'The widget needs cookies with SameSite=None',
    detail: 'It is shown in an iframe of other sites, where Lax cookies are not sent.',
    tags: ['cookies'],
    context_files: [],
  }
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { told } from '../../../test/support/learning-bench.ts'
import { bash, beads, benchesIn, closes, lines, PLACES, worked } from '../../../test/support/learning-cases.ts'

describe.each(PLACES)('$where', ({ later }) => {
  const { setBench } = benchesIn(later)

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
})

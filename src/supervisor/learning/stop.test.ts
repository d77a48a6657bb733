import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spoken, told } from '../../../test/support/learning-bench.ts'
import {
  bash,
  beads,
  benchesIn,
  candidate,
  closes,
  inSession,
  lines,
  PLACES,
  worked,
} from '../../../test/support/learning-cases.ts'
import { observe } from './notes.ts'
import { reflect } from './reflect.ts'

describe.each(PLACES)('$where', ({ later }) => {
  const { setBench, working } = benchesIn(later)

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
})

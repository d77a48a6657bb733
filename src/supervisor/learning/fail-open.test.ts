import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anySlot } from '#storage/testing/slots.ts'
import { setBench as set, told } from '../../../test/support/learning-bench.ts'
import { reflect } from './reflect.ts'

// Trouble inside Grove never stops the agent: a lost learning is better than a stuck developer. Each story breaks the
// real thing and sees the agent go on.

const candidate = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}
const closes = { tool_name: 'Bash', tool_input: { command: 'bd close a-1' }, tool_use_id: 't1', tool_response: {} }
const saying = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})
/** Whether it keeps the agent from what it wants to do, or ends its turn. */
const stops = ({
  decision,
  hookSpecificOutput,
  ...more
}: Awaited<ReturnType<Awaited<ReturnType<typeof set>>['hook']>>) =>
  decision !== undefined || hookSpecificOutput?.permissionDecision !== undefined || 'continue' in more
const everyEvent = [
  ['SessionStart', { source: 'startup' }],
  ['UserPromptSubmit', { prompt: 'remember this' }],
  ['PreToolUse', closes],
  ['PostToolUse', closes],
  ['PostToolUseFailure', { ...closes, error: 'x' }],
  ['SubagentStop', { agent_id: 'a' }],
  ['Stop', {}],
  ['SessionEnd', { reason: 'other' }],
] as const

describe.each([
  { where: 'with a daemon', later: setImmediate },
  { where: 'without one', later: undefined },
])('$where', ({ later }) => {
  const setBench = (files?: Record<string, string>) => set(files, { later })

  describe('the agent goes on', () => {
    it('when the state of its session cannot be read', async () => {
      const bench = await setBench()
      await bench.store.states.put(anySlot('gate'), 's1', { version: 99, odd: true }, 1)
      expect(await bench.hook('Stop')).toEqual({})
      expect(bench.warnings.join()).toContain('the stored state of the gate cannot be read')
    })

    it('when the store is gone', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      await bench.store.close()
      for (const [name, more] of everyEvent) {
        const answer = await bench.hook(name, more)
        expect(stops(answer)).toBe(false)
        if (name === 'Stop') expect(answer).toEqual({})
      }
      const shown = await bench.hook('SessionStart', { source: 'startup' })
      expect(shown.hookSpecificOutput?.additionalContext).toContain(candidate.summary)
      expect(bench.warnings.length).toBeGreaterThan(0)
    })

    it('when the disk does not let us write', async () => {
      const bench = await setBench({ '.grove': 'a file where our folder should be' })
      await bench.hook('PostToolUse', closes)
      expect(told(await bench.hook('Stop'))).toContain('mcp__grove__reflect')
      const result = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(result).toMatchObject({ ok: true, accepted: [{ storedIn: ['store'] }], lost: [], gate: 'reflected' })
      expect(await bench.hook('Stop')).toEqual({})
      expect(bench.warnings.join()).toContain('write a learning to markdown')
    })

    it('when a folder is read-only', async () => {
      const bench = await setBench({ '.grove/config.toml': '' })
      chmodSync(join(bench.root, '.grove'), 0o500)
      onTestFinished(() => chmodSync(join(bench.root, '.grove'), 0o700))
      for (const [name, more] of everyEvent) {
        const answer = await bench.hook(name, more)
        expect(stops(answer)).toBe(false)
        // The gate is kept in the home, so that it still asks.
        if (name === 'Stop') expect(told(answer)).toContain('mcp__grove__reflect')
      }
      const result = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      // Root may write everywhere; everybody else is told that it was lost.
      expect(result.accepted.length + result.lost.length).toBe(1)
    })

    it('when the stats log is damaged, and its learnings are still shown', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      writeFileSync(bench.statsFile()!, Buffer.from([0, 159, 146, 150, 10, 123, 10]))
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      expect(answer.hookSpecificOutput?.additionalContext).toContain(candidate.summary)
      expect(bench.warnings.join()).toContain('`grove maintain` takes them out')
    })

    it('when the stats log cannot be written', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      const log = bench.statsFile()!
      rmSync(log)
      mkdirSync(log)
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      expect(answer.hookSpecificOutput?.additionalContext).toContain(candidate.summary)
      await bench.hook('PostToolUse', closes)
      await bench.hook('Stop')
      expect(
        await reflect(bench.world, {
          cwd: bench.root,
          ownId: 's1',
          candidates: [
            {
              ...candidate,
              summary: 'Cookies of the widget need SameSite=None',
              detail: 'It lives in an iframe, where Lax cookies are not sent.',
            },
          ],
        }),
      ).toMatchObject({ gate: 'reflected' })
      expect(await bench.hook('SessionEnd', {})).toEqual({})
    })

    it('when a backend is dead: the next one takes the learning, and the session is let go', async () => {
      const bench = await setBench()
      writeFileSync(join(bench.home, 'config.toml'), '[backends]\nuse = ["mcp"]\n[backends.mcp]\ncommand = ["false"]\n')
      await bench.hook('PostToolUse', closes)
      await bench.hook('Stop')
      const result = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(result).toMatchObject({ accepted: [{ storedIn: ['markdown'] }], gate: 'reflected' })
      const answer = await bench.hook('SessionStart', { source: 'startup', session_id: 's2' })
      expect(answer.hookSpecificOutput?.additionalContext).toContain(candidate.summary)
      expect(bench.warnings.join()).toContain('write a learning to mcp')
    })

    it('when a backend hangs: the session starts all the same', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      writeFileSync(
        join(bench.home, 'config.toml'),
        '[backends]\nuse = ["mcp"]\n[backends.mcp]\ncommand = ["sleep", "60"]\ntimeout_seconds = 1\n',
      )
      const answer = await bench.hook('SessionStart', { source: 'startup' })
      expect(answer.hookSpecificOutput?.additionalContext).toContain(candidate.summary)
      expect(bench.warnings.join()).toContain('no answer within')
    })

    it('when a backend hangs: what a file holds is looked up there, so the session ends in time', async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      await bench.hook('SessionStart', { source: 'startup' })
      writeFileSync(
        join(bench.home, 'config.toml'),
        '[backends]\nuse = ["markdown", "mcp"]\n[backends.mcp]\ncommand = ["sleep", "60"]\n',
      )
      bench.write('transcript.jsonl', `${JSON.stringify(saying('All done.'))}\n`)
      await bench.hook('SessionEnd', { reason: 'other', transcript_path: join(bench.root, 'transcript.jsonl') })
      expect(bench.stats().at(-1)).toMatchObject({ type: 'dismissed' })
      expect(bench.warnings).toEqual([])
    })

    it('when git is missing', async () => {
      const path = process.env.PATH
      const bench = await setBench()
      process.env.PATH = '/nowhere'
      onTestFinished(() => {
        process.env.PATH = path
      })
      bench.write('a.ts', 'x\n'.repeat(50))
      for (const [name, more] of everyEvent) {
        const answer = await bench.hook(name, more)
        expect(stops(answer)).toBe(false)
        // The gate is kept in the home, so that it still asks.
        if (name === 'Stop') expect(told(answer)).toContain('mcp__grove__reflect')
      }
      expect(bench.warnings).toEqual([])
    })

    it('when tickets cannot be read', async () => {
      const bench = await setBench({ '.beads/issues.jsonl': 'no json\n{"id":5}\n[]\n"x"\n{"id":"a-1"' })
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      rmSync(join(bench.root, '.beads'), { recursive: true })
      writeFileSync(join(bench.root, '.beads'), 'a file')
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      expect((await bench.session())?.system).toBe('session')
    })

    it('when learnings.md is a folder, or no text at all', async () => {
      const bench = await setBench()
      bench.write('.grove/learnings.md', '\u0000\uffff### <!-- -->\n'.repeat(1000))
      expect(await bench.hook('SessionStart', { source: 'startup' })).toBeDefined()
      rmSync(join(bench.root, '.grove/learnings.md'))
      mkdirSync(join(bench.root, '.grove/learnings.md'))
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      expect(bench.warnings.join()).toContain('search markdown')
    })

    it('when the configuration of the project makes no sense', async () => {
      const bench = await setBench({
        '.grove/config.toml': '[gate\nenabled = "maybe"\n[circuit_breaker]\nmax_blocks = -1\n',
      })
      await bench.hook('SessionStart', { source: 'startup' })
      expect(bench.warnings.join()).toMatch(/the settings of a file are not used: .*config\.toml:1: not valid TOML/)
      await bench.hook('PostToolUse', closes)
      for (let times = 0; times < 3; times++) expect(told(await bench.hook('Stop'))).toContain('mcp__grove__reflect')
      expect(told(await bench.hook('Stop'))).toBe('')
    })

    it.each([
      ['nothing', {}],
      ['odd fields', { cwd: 5, tool_input: 'x', tool_name: 7, prompt: null }],
      ['five megabytes', { tool_name: 'Bash', tool_input: { command: `bd close ${'x'.repeat(5_000_000)}` } }],
      ['a folder that is not there', { cwd: '/nowhere/at/all' }],
      ['a transcript that is a folder', { transcript_path: '/tmp' }],
    ])('when an event has %s', async (_, more) => {
      const bench = await setBench()
      for (const [name, usual] of everyEvent) {
        const answer = await bench.hook(name, { ...usual, ...more })
        expect(stops(answer)).toBe(false)
      }
      expect(await bench.hook('NeverHeardOf', more)).toEqual({})
    })
  })
})

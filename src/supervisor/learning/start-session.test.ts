import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { told } from '../../../test/support/learning-bench.ts'
import {
  beads,
  benchesIn,
  candidate,
  closes,
  DAY,
  PLACES,
  ticket,
  worked,
} from '../../../test/support/learning-cases.ts'
import { observe } from './notes.ts'
import { reflect } from './reflect.ts'

describe.each(PLACES)('$where', ({ later }) => {
  const { setBench } = benchesIn(later)

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
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beads, benchesIn, candidate, PLACES } from '../../../test/support/learning-cases.ts'
import { reflect } from './reflect.ts'

describe.each(PLACES)('$where', ({ later }) => {
  const { setBench } = benchesIn(later)

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

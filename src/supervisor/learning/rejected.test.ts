import { describe, expect, it } from 'vitest'
import { rejectionWords } from '#protocol/rejection-words.ts'
import { setBench, told } from '../../../test/support/learning-bench.ts'
import { keep, library, seed } from '../../../test/support/learning-seeds.ts'
import { listLearnings } from './catalogue.ts'
import { listRejected, restoreRejected } from './rejected.ts'

describe('what is turned down', () => {
  const platitude = {
    ...seed,
    summary: 'Always write good tests',
    detail: 'Testing is important, so one should always write good tests for the code.',
  }
  const close = { tool_name: 'Bash', tool_input: { command: 'bd close a-1' }, tool_response: {} }

  it('gets one more chance before the agent may go', async () => {
    const bench = await setBench()
    await bench.hook('PostToolUse', close)
    expect(await keep(bench, platitude)).toMatchObject({ ok: false, rejected: [{ stage: 'write-gate' }] })
    expect((await bench.session())?.gate.status).toBe('pending')
    expect(told(await bench.hook('Stop'))).toContain('too general')
    expect(await keep(bench, platitude)).toMatchObject({ ok: true, accepted: [], gate: 'reflected' })
    expect(await bench.hook('Stop')).toEqual({})
  })

  it('is kept without the secrets that stand in a line of their own', async () => {
    const bench = await setBench()
    await keep(bench, { summary: 'No shape at all', detail: 'In the configuration:\n\nrequirepass search-cluster-11!' })
    const [rejected] = await listRejected(bench.world, library(bench))
    expect(rejected!.raw).toContain('requirepass')
    expect(rejected!.raw).not.toContain('search-cluster-11')
  })

  it('is kept whole, and a person can take it back', async () => {
    const bench = await setBench()
    await keep(bench, platitude, { summary: 'No shape at all', tags: 'x' })
    const rejected = await listRejected(bench.world, library(bench))
    expect(rejected).toMatchObject([
      { stage: 'write-gate', candidate: { detail: platitude.detail } },
      { stage: 'schema', raw: expect.stringContaining('No shape at all') },
    ])
    expect(rejected[0]!.reasons.join()).toContain('too general')
    expect(await restoreRejected(bench.world, library(bench), 'rej_none', bench.root)).toMatchObject({
      code: 'learning_not_found',
    })
    const [general, misshapen] = rejected
    expect(await restoreRejected(bench.world, library(bench), misshapen!.id, bench.root)).toMatchObject({
      code: 'learning_invalid',
    })
    expect(await restoreRejected(bench.world, library(bench), general!.id, bench.root)).toMatchObject({
      status: 'active',
    })
    expect(bench.read('.grove/learnings.md')).toContain(platitude.summary)
    expect(await listRejected(bench.world, library(bench))).toHaveLength(1)
    expect(JSON.stringify(bench.stats())).not.toContain(platitude.detail)
  })

  it('is told to people without what an agent may do about it', async () => {
    const bench = await setBench()
    const summary = 'Run the migrations (all of them) before the seed script'
    const { accepted } = await keep(bench, { ...seed, summary })
    const opposite = { ...seed, summary: summary.replace('Run', 'Do not run'), detail: 'Since version 4 it fails.' }
    const { rejected } = await keep(bench, { ...seed, summary }, opposite)
    const { id } = accepted[0]!
    expect(rejected.flatMap(({ reasons }) => reasons.map(rejectionWords))).toEqual([
      `${id} says the same: ${summary}`,
      `${id} says the opposite: ${summary}`,
    ])
  })

  it.each([
    ['Run the migrations before the seed script', 'Do not run the migrations before the seed script'],
    ['The gateway closes idle connections after 60 seconds', 'The gateway closes idle connections after 30 seconds'],
    ['Die Migrationen vor dem Seed-Skript ausführen', 'Die Migrationen nicht vor dem Seed-Skript ausführen'],
  ])('is what contradicts something known, until it says which is right: %s', async (before, after) => {
    const bench = await setBench()
    const { accepted } = await keep(bench, { ...seed, summary: before })
    const opposite = {
      ...seed,
      summary: after,
      detail: 'Since version 4 of `db/seed.ts` the order is another one, else it fails.',
    }
    const { rejected } = await keep(bench, opposite)
    expect(rejected).toMatchObject([
      { stage: 'contradiction', reasons: [expect.stringContaining(`"supersedes": "${accepted[0]!.id}"`)] },
    ])
    expect(await keep(bench, { ...opposite, supersedes: accepted[0]!.id })).toMatchObject({
      accepted: [{ summary: after }],
    })
    const left = await listLearnings(bench.world, library(bench), {})
    expect(left.map(({ summary }) => summary)).toEqual([after])
  })
})

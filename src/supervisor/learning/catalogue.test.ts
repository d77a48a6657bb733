import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setBench } from '../../../test/support/learning-bench.ts'
import { cookies, keep, library, seed } from '../../../test/support/learning-seeds.ts'
import { editLearning, findEntry, listLearnings, setAside } from './catalogue.ts'

describe('the catalogue', () => {
  it('finds by the beginning of an id, and says when that is not enough', async () => {
    const bench = await setBench()
    const { accepted } = await keep(bench, seed, cookies)
    const id = accepted[0]!.id
    expect(await findEntry(bench.world, library(bench), id.slice(0, 9))).toMatchObject({ id })
    expect(await findEntry(bench.world, library(bench), id.slice(4, 12))).toMatchObject({ id })
    expect(await findEntry(bench.world, library(bench), 'lrn_')).toMatchObject({ code: 'learning_ambiguous' })
    expect(await findEntry(bench.world, library(bench), 'lrn_nope')).toMatchObject({ code: 'learning_not_found' })
  })

  it('searches, archives and restores', async () => {
    const bench = await setBench()
    const { accepted } = await keep(bench, seed, cookies)
    const id = accepted[0]!.id
    expect(await listLearnings(bench.world, library(bench), { text: 'seed migrations' })).toMatchObject([{ id }])
    expect(await setAside(bench.world, library(bench), id, 'archived', 'outdated')).toMatchObject({
      status: 'archived',
    })
    expect(await listLearnings(bench.world, library(bench), {})).toHaveLength(1)
    const shown = await bench.hook('SessionStart', { source: 'startup' })
    expect(shown.hookSpecificOutput?.additionalContext).not.toContain(seed.summary)
    bench.pass(1)
    expect(await setAside(bench.world, library(bench), id, 'restored')).toMatchObject({ status: 'active' })
    writeFileSync(
      join(bench.root, '.grove/learnings.md'),
      bench.read('.grove/learnings.md').replace('confidence: high', 'confidence: high · status: archived'),
    )
    expect(await listLearnings(bench.world, library(bench), {})).toHaveLength(1)
    bench.pass(1)
    expect(await setAside(bench.world, library(bench), id, 'restored')).toMatchObject({ status: 'active' })
  })

  it('leaves superseded what was superseded', async () => {
    const bench = await setBench()
    const id = (await keep(bench, seed)).accepted[0]!.id
    const better = { ...seed, detail: 'Use `npm run db:setup`, which does both in order.', supersedes: id }
    const by = (await keep(bench, better)).accepted[0]!.id
    const refused = { code: 'learning_superseded', message: `${id} was superseded by ${by} and stays superseded.` }
    expect(await setAside(bench.world, library(bench), id, 'restored')).toMatchObject(refused)
    expect(await setAside(bench.world, library(bench), id, 'archived')).toMatchObject(refused)
  })

  it('changes a learning in every file that holds it', async () => {
    const bench = await setBench({
      'rules/total-recall.md': '#\n',
      'memory/x': '',
      '.grove/config.toml': '[backends]\nuse = ["total-recall", "markdown"]\n',
    })
    const id = (await keep(bench, seed)).accepted[0]!.id
    expect(await editLearning(bench.world, library(bench), id, { tags: ['db'] })).toMatchObject({ tags: ['db'] })
    for (const file of ['.grove/learnings.md', 'memory/registers/learnings.md']) {
      expect(bench.read(file)).toContain('tags: db ')
    }
  })

  it('changes also what a person wrote their own way, and only what is named', async () => {
    const bench = await setBench({ '.grove/learnings.md': '### Ask first\n\nThey sign.\n' })
    const [own] = await listLearnings(bench.world, library(bench), {})
    const edit = (change: Parameters<typeof editLearning>[3]) =>
      editLearning(bench.world, library(bench), own!.id, change)
    expect(await edit({ category: 'process' })).toMatchObject({ category: 'process', detail: 'They sign.', tags: [] })
    expect(await edit({ confidence: 'very' })).toMatchObject({ message: expect.stringContaining('found "very"') })
    expect(await edit({})).toMatchObject({ message: expect.stringContaining('there is nothing to change') })
  })

  it('changes a learning where it stands, by the same rules as a new one', async () => {
    const bench = await setBench()
    const id = (await keep(bench, seed)).accepted[0]!.id
    const edited = await editLearning(bench.world, library(bench), id, {
      tags: ['db'],
      detail: 'Use `npm run db:setup`, which does both in order.',
    })
    expect(edited).toMatchObject({ id, tags: ['db'], summary: seed.summary, usage: { corrected: 1 } })
    expect(await editLearning(bench.world, library(bench), id, { summary: 'short' })).toMatchObject({
      code: 'learning_invalid',
    })
  })
})

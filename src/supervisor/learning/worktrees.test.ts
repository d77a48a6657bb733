import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Bench, setBench, told } from '../../../test/support/learning-bench.ts'
import { listLearnings } from './catalogue.ts'
import { reflect } from './reflect.ts'

// One project, one set of learnings: whichever worktree or clone they were learned in, and whatever git does meanwhile.

const seed = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}
const cookies = {
  ...seed,
  summary: 'The widget needs cookies with SameSite=None',
  detail: 'It is shown in an iframe of other sites, where Lax cookies are not sent.',
  tags: ['cookies'],
}
const summaries = async ({ world }: Bench, root: string) => {
  const found = await listLearnings(world, world.libraryAt(root, world.settingsAt(root)), {})
  return found.map(({ summary }) => summary).sort()
}
const worktree = (bench: Bench, name: string) => {
  const path = join(bench.root, '..', name)
  bench.git('worktree', 'add', '--quiet', '-b', name, path)
  return path
}
const commit = (bench: Bench, ...args: string[]) => {
  bench.git(...args, 'add', '--all')
  bench.git(...args, 'commit', '--quiet', '--message=Work')
}

describe('the worktrees of a project', () => {
  it('know what was learned in the others, also when those are gone', async () => {
    const bench = await setBench()
    const other = worktree(bench, 'other')
    await reflect(bench.world, { cwd: other, candidates: [seed] })
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    bench.git('worktree', 'remove', '--force', other)
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    expect(bench.has('.grove')).toBe(false)
    expect(told(await bench.hook('SessionStart', { source: 'startup' }))).toContain(seed.summary)
  })

  it('refuse what another one knows already', async () => {
    const bench = await setBench()
    const other = worktree(bench, 'other')
    await reflect(bench.world, { cwd: other, candidates: [seed] })
    const again = await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    expect(again.rejected).toMatchObject([{ stage: 'duplicate' }])
  })

  it('know also what people wrote into the file of another one by hand', async () => {
    const bench = await setBench()
    const other = worktree(bench, 'other')
    bench.write('.grove/learnings.md', '### Ask before tagging\n\nThe packages are signed by hand.\n')
    await bench.hook('SessionStart', { source: 'startup' })
    expect(await summaries(bench, other)).toEqual(['Ask before tagging'])
  })

  it('keep what both have learned when their branches are merged, once', async () => {
    const bench = await setBench()
    const other = worktree(bench, 'other')
    await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    await reflect(bench.world, { cwd: other, candidates: [cookies] })
    commit(bench)
    commit(bench, '-C', other)
    bench.git('merge', '--quiet', '--no-edit', 'other')
    expect(await summaries(bench, bench.root)).toEqual([seed.summary, cookies.summary].sort())
    expect(bench.read('.grove/learnings.md')).toContain(cookies.summary)
  })

  it('go on without what a person took out, committed or not', async () => {
    const bench = await setBench()
    await reflect(bench.world, { cwd: bench.root, candidates: [seed, cookies] })
    const both = bench.read('.grove/learnings.md')
    const without = both.slice(0, both.indexOf('### The widget'))
    bench.write('.grove/learnings.md', without)
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    bench.write('.grove/learnings.md', both)
    expect(await summaries(bench, bench.root)).toHaveLength(2)
    commit(bench)
    const other = worktree(bench, 'other')
    bench.write('.grove/learnings.md', without)
    commit(bench)
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    expect(await summaries(bench, other)).toHaveLength(2)
    bench.git('-C', other, 'merge', '--quiet', 'main')
    expect(await summaries(bench, other)).toEqual([seed.summary])
  })

  it('lose nothing by a reset, a stash, or a checkout of a branch that does not have it', async () => {
    const bench = await setBench({ '.grove/learnings.md': '# Learnings\n' })
    bench.git('branch', 'old')
    await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    bench.git('reset', '--quiet', '--hard')
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
    await reflect(bench.world, { cwd: bench.root, candidates: [cookies] })
    commit(bench)
    bench.git('checkout', '--quiet', 'old')
    expect(await summaries(bench, bench.root)).toHaveLength(2)
  })
})

describe('a session', () => {
  it('changes nothing in the tree, so that git can pull, check out and merge', async () => {
    const bench = await setBench()
    await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    commit(bench)
    await bench.hook('SessionStart', { source: 'startup' })
    await bench.hook('UserPromptSubmit', { prompt: 'Why does the seed script fail?' })
    await bench.hook('Stop', { last_assistant_message: 'I ran the migrations before the seed script.' })
    await bench.hook('SessionEnd', { reason: 'other' })
    expect(bench.stats().length).toBeGreaterThan(1)
    expect(bench.git('status', '--porcelain')).toBe('')
  })

  it('goes on with the log that an older Grove kept in the tree', async () => {
    const event = { at: '2026-11-01T10:00:00.000Z', type: 'surfaced', learning: 'lrn_old', session: 's0' }
    const bench = await setBench({ '.grove/stats.log': `${JSON.stringify(event)}\n` })
    await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    expect(bench.stats()).toMatchObject([{ learning: 'lrn_old' }, { type: 'reflected' }])
    expect(bench.git('status', '--porcelain', '--', '.grove/stats.log')).toBe('')
  })
})

describe('a clone that brings links', () => {
  it.each(['learnings.md', '.gitattributes', 'stats.log'])('gets nothing written through %s', async (name) => {
    const bench = await setBench()
    const outside = join(bench.home, 'precious.txt')
    writeFileSync(outside, 'precious\n')
    mkdirSync(join(bench.root, '.grove'))
    symlinkSync(outside, join(bench.root, '.grove', name))
    const { accepted } = await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
    await bench.hook('SessionStart', { source: 'startup' })
    await bench.hook('SessionEnd', { reason: 'other' })
    expect(readFileSync(outside, 'utf8')).toBe('precious\n')
    expect(accepted).toHaveLength(1)
    expect(await summaries(bench, bench.root)).toEqual([seed.summary])
  })

  it('gets nothing written into a folder that is a link, and no pipe is waited for', async () => {
    const bench = await setBench()
    const outside = join(bench.home, 'elsewhere')
    mkdirSync(outside)
    symlinkSync(outside, join(bench.root, '.grove'))
    expect((await reflect(bench.world, { cwd: bench.root, candidates: [seed] })).accepted).toHaveLength(1)
    expect(existsSync(join(outside, 'learnings.md'))).toBe(false)
    rmSync(join(bench.root, '.grove'))
    mkdirSync(join(bench.root, '.grove'))
    execFileSync('mkfifo', [join(bench.root, '.grove', 'learnings.md')])
    expect(told(await bench.hook('SessionStart', { source: 'startup' }))).toContain(seed.summary)
    expect(bench.warnings.join()).toContain('is not a plain file')
  })
})

it('a file with the line ends of Windows keeps them', async () => {
  const bench = await setBench({ '.grove/learnings.md': '# Learnings\r\n\r\n' })
  await reflect(bench.world, { cwd: bench.root, candidates: [seed] })
  expect(bench.read('.grove/learnings.md').replaceAll('\r\n', '')).not.toContain('\n')
  expect(await summaries(bench, bench.root)).toEqual([seed.summary])
})

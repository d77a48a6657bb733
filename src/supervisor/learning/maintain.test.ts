import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setBench } from '../../../test/support/learning-bench.ts'
import { keep, library, seed } from '../../../test/support/learning-seeds.ts'
import { maintain } from './maintain.ts'

describe('maintenance', () => {
  it('archives what nobody uses, mends the log, and can be tried first', async () => {
    const bench = await setBench()
    await keep(bench, seed)
    appendFileSync(bench.statsFile()!, 'broken\n')
    bench.pass(100 * 24 * 60 * 60 * 1000)
    const settings = bench.world.settingsAt(bench.root)
    const tried = await maintain(bench.world, library(bench), settings, { dryRun: true })
    expect(tried).toMatchObject({ archived: [{ summary: seed.summary }], damaged: 1, unreachable: [] })
    expect(readFileSync(bench.statsFile()!, 'utf8')).toContain('broken')
    expect(await maintain(bench.world, library(bench), settings, { dryRun: false })).toMatchObject({
      archived: [{}],
      damaged: 1,
      events: 1,
    })
    expect(bench.stats().map(({ type }) => type)).toEqual(['reflected', 'archived'])
  })

  it('names a backend that cannot be reached', async () => {
    const bench = await setBench()
    mkdirSync(join(bench.root, '.grove'))
    writeFileSync(
      join(bench.home, 'config.toml'),
      '[backends]\nuse = ["markdown", "mcp"]\n[backends.mcp]\ncommand = ["false"]\n',
    )
    const settings = bench.world.settingsAt(bench.root)
    const done = await maintain(bench.world, bench.world.libraryAt(bench.root, settings), settings, { dryRun: true })
    expect(done.unreachable).toEqual(['mcp'])
  })
})

import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grove, type Place, place, withBinary } from './grove.ts'
import { commit, type Entry, json, projectPlace } from './history.ts'

withBinary()

describe('grove search', () => {
  it('leaves out what is hardly of use, and says how much that was', async () => {
    const here = projectPlace()
    commit(here, 'Show prices with their currency', 'src/prices/show.ts')
    commit(here, 'Load prices in one query', 'src/prices/load.ts')
    commit(here, 'Round prices to cents in the basket', 'src/basket/total.ts')
    await grove(here, 'import', 'git')
    const all = await json<{ hits: { confidence: number }[] }>(here, 'search', 'price', 'cache', '--unsure')
    const sure = await json<{ hits: { confidence: number }[] }>(here, 'search', 'price', 'cache')
    expect(all.hits.length).toBeGreaterThan(sure.hits.length)
    expect(sure.hits).toHaveLength(all.hits.filter(({ confidence }) => confidence >= 0.1).length)
    expect(sure.hits.length).toBeGreaterThan(0)
    const { stderr } = await grove(here, 'search', 'price', 'cache')
    expect(stderr).toContain(`${all.hits.length - sure.hits.length} weaker`)
  })

  it('finds what is named in its own words, however common they are, and nothing for a question from elsewhere', async () => {
    const here = projectPlace()
    const SUBJECTS = ['basket', 'search', 'login', 'mail', 'import', 'export', 'report', 'invoice', 'upload', 'profile']
    for (const name of SUBJECTS) {
      commit(here, `Add the ${name} page for the shop`, `src/${name}/page.ts`)
      commit(here, `Add tests for the ${name} page`, `test/${name}/page.ts`)
    }
    await grove(here, 'import', 'git')
    const named = await json<{ hits: { entry: Entry }[] }>(here, 'search', 'the login page for the shop')
    expect(named.hits[0]?.entry.goal).toBe('Add the login page for the shop')
    const { stdout, stderr } = await grove(here, 'search', 'polling interval of thermostats on a page')
    expect(stdout).toBe('Nothing matches well.\n')
    expect(stderr).toMatch(/ weaker match(?:es)? hidden/)
  })

  it('shows what it found and why, for people', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const { stdout } = await grove(here, 'search', 'price', 'cache')
    expect(stdout).toMatch(
      /^Cache product prices for a minute\n {2}git_\w+, Ada, \d{4}-\d\d-\d\d\n {2}src\/prices\/cache\.ts\n/,
    )
    expect(stdout).toMatch(/\d+ % match: /)
  })

  it('finds by the name of a file, as it is written in any folder of the project', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const below = { ...here, cwd: join(here.cwd, 'src', 'prices') }
    const asked = [
      [here, 'token.ts'],
      [here, 'src/auth/token.ts'],
      [below, 'anything', '--files', '../auth/token.ts'],
    ]
    for (const [where, ...args] of asked as [Place, ...string[]][]) {
      const { hits } = await json<{ hits: { entry: Entry; why: string }[] }>(where, 'search', ...args)
      expect(hits[0]).toMatchObject({ entry: { goal: 'Reject expired tokens at the gateway' } })
      expect(hits[0]!.why).toContain('token.ts')
    }
    const empty = await grove(here, 'search', ' ')
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('nothing to search for')])
  })

  it('finds what a clone brings along, in a home where nothing is stored yet', async () => {
    const here = projectPlace()
    mkdirSync(join(here.cwd, '.grove'))
    const text =
      '### Warm the price cache before a sale\nThe first requests would all miss it.\n- pitfall · files: src/prices/cache.ts\n'
    writeFileSync(join(here.cwd, '.grove', 'learnings.md'), text)
    const below = { ...here, cwd: join(here.cwd, 'src', 'prices') }
    for (const args of [
      ['price', 'cache'],
      ['anything', '--files', 'cache.ts'],
    ]) {
      const { stdout } = await grove(below, 'search', ...args)
      expect(stdout).toContain('Warm the price cache before a sale')
    }
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('says so when nothing bears on the question, and creates nothing', async () => {
    const here = place()
    const { code, stdout } = await grove(here, 'search', 'anything')
    expect([code, stdout]).toEqual([0, expect.stringContaining('There are no memories yet')])
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined()
  })
})

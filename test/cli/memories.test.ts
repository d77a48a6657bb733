import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dist, grove, place, withBinary } from './grove.ts'
import { type Entry, json, projectPlace } from './history.ts'

withBinary()

describe('grove memories', () => {
  it('lists, shows, edits and deletes', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const { memories } = await json<{ memories: Entry[] }>(here, 'memories')
    expect(memories.map(({ goal }) => goal)).toEqual([
      'Cache product prices for a minute',
      'Reject expired tokens at the gateway',
    ])
    const id = memories[0]!.id
    expect((await grove(here, 'memories', 'show', id.slice(0, 10))).stdout).toContain('because the catalogue is small')

    const edited = await json<Entry>(here, 'memories', 'edit', id, '--tags', 'prices, cache')
    expect(edited).toMatchObject({ tags: ['prices', 'cache'], updatedBy: 'Ada' })

    const nameless = await grove(here, 'memories', 'edit', id, '--goal', ' ')
    expect([nameless.code, nameless.stderr]).toEqual([1, expect.stringContaining('needs a goal')])

    const refused = await grove(here, 'memories', 'delete', id)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes')])
    expect(await json(here, 'memories', 'delete', id, '--yes')).toEqual({ deleted: [id] })
    // Nor can its words be read in the files of the home.
    await grove(here, 'search', 'gateway')
    for (const name of readdirSync(here.home).filter((name) => name.startsWith('grove.db'))) {
      expect(readFileSync(join(here.home, name), 'latin1')).not.toMatch(/catalogue is small|catalogu small/)
    }
    const again = await grove(here, 'memories', 'show', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is no memory')])
    // What was deleted does not come back with the next import.
    expect(await json(here, 'import', 'git', '--again')).toMatchObject({ read: 4 })
    expect((await json<{ memories: Entry[] }>(here, 'memories')).memories).toHaveLength(1)
  })
})

describe('grove export and import', () => {
  it('carry every memory to another home, once', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const file = join(here.cwd, 'memories.jsonl')
    expect((await grove(here, 'export', file)).stderr).toBe(`2 memories written to ${file}.\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await grove(here, 'export')).stdout).toBe(readFileSync(file, 'utf8'))

    const there = projectPlace()
    const brought = join(there.cwd, 'brought.jsonl')
    writeFileSync(brought, readFileSync(file, 'utf8'))
    expect(await json(there, 'import', brought)).toEqual({ read: 2, kept: 2, known: 0, left: {} })
    expect(await json(there, 'import', brought)).toMatchObject({ kept: 0, known: 2 })
    expect((await grove(there, 'export')).stdout).toBe(readFileSync(file, 'utf8'))
    const elsewhere = place()
    expect((await grove(elsewhere, 'import', file)).stdout).toContain('2 belong to other projects')
    expect(await json(elsewhere, 'memories')).toEqual({ memories: [] })
    const barred = await grove(here, 'export', join(here.cwd, 'none', 'x.jsonl'))
    expect([barred.code, barred.stderr]).toEqual([1, expect.stringContaining('x.jsonl cannot be written: the folder ')])
    const folder = await grove(here, 'export', here.cwd)
    expect([folder.code, folder.stderr]).toEqual([
      1,
      expect.stringContaining('there is a folder where a file should be'),
    ])
    const missing = await grove(there, 'import', 'nowhere.jsonl')
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nowhere.jsonl cannot be read')])
  })

  it.runIf(process.platform !== 'win32')('end at what has no lines, and write into a pipe as it is', async () => {
    const here = projectPlace()
    await grove(here, 'import', 'git')
    const endless = await grove(here, 'import', '/dev/zero')
    expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining('a line of it is longer than 16 MB')])
    const piped = spawnSync(
      'sh',
      ['-c', '"$0" "$1" export /dev/stdout | cat', process.execPath, join(dist, 'grove.js')],
      {
        ...here,
        encoding: 'utf8',
      },
    )
    expect(piped.stdout).toBe((await grove(here, 'export')).stdout)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openSqliteStore } from '../sqlite/open.ts'

/** The local store in a file and in memory, for `describe.each`; the files are removed after the tests of a file. */
export function everyStore() {
  let folder: string
  let files = 0
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'grove-contract-'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return [
    { name: 'SQLite', open: () => openSqliteStore({ file: join(folder, `home-${++files}`, 'grove.db') }) },
    { name: 'SQLite in memory', open: () => openSqliteStore({ file: ':memory:' }) },
  ]
}

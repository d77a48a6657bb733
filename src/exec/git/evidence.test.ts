import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RepoKnowledge } from './evidence.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-evidence-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function git(...args: string[]) {
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=none', ...args], { cwd: root, stdio: 'pipe' })
}

describe('what a repository says about a file', () => {
  it('knows from history which files belong together', async () => {
    git('init')
    for (let i = 0; i < 5; i++) {
      write('src/api.ts', `${i}`)
      write('docs/api.md', `${i}`)
      git('add', '.')
      git('commit', '-m', `${i}`)
    }
    const knowledge = new RepoKnowledge(() => 0)
    const { coChanged } = await knowledge.about(root, 'docs/api.md', ['src/api.ts'])
    // Where everything began, everything lay together: the first commit does not count.
    expect(coChanged).toBeCloseTo(4 / 6)
  })

  it.each([
    ['src/a.ts', "import { book } from './books.ts'\n", true],
    ['src/a.ts', 'export const a = 1\n', false],
    ['a.py', 'from src.books import thing\n', true],
    ['a.go', 'package a\n\nimport "x/src/books"\n', true],
    ['a.c', '#include "books.h"\n', true],
    ['a.ts', '// see src/books.ts\n', false],
  ])('reads imports of %s: %j', async (file, text, tied) => {
    write(file, text)
    write('src/books.ts', 'export const book = 1\n')
    expect((await new RepoKnowledge(() => 0).about(root, file, ['src/books.ts'])).imports).toBe(tied)
  })

  it('sees an import the other way round', async () => {
    write('lib/used.ts', 'export const used = 1\n')
    write('src/user.ts', "import { used } from '../lib/used'\n")
    expect((await new RepoKnowledge(() => 0).about(root, 'lib/used.ts', ['src/user.ts'])).imports).toBe(true)
  })

  it('says nothing without git and without files', async () => {
    expect(await new RepoKnowledge(() => 0).about(root, 'a.ts', ['b.ts'])).toEqual({ coChanged: 0, imports: false })
  })
})

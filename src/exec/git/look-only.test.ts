import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { setTraps, type Traps } from '../../../test/support/traps.ts'
import { commitsOf } from '../import/git-history.ts'
import { workPlace } from './branches.ts'
import { git, projectAt } from './git.ts'
import { look } from './look-only.ts'
import { lookAtTree } from './work-tree.ts'

// A repository whose own settings name programs for everything that git can be told to start.

let project: ProjectWithRemote
let traps: Traps
beforeEach(async () => {
  project = await createProjectWithRemote({
    'a.txt': 'one\n',
    '.gitattributes': '*.txt filter=evil diff=evil\n',
  })
  traps = await setTraps()
})
afterEach(async () => {
  await project.remove()
  traps.remove()
})

const set = (key: string, value: string) => execFileSync('git', ['-C', project.dir, 'config', key, value])

describe('a look at a repository', () => {
  it('starts none of its programs', async () => {
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.command',
      'diff.evil.textconv',
      'diff.external',
      'gpg.program',
      'core.sshCommand',
      'credential.helper',
    ]) {
      set(key, traps.set(key.replaceAll('.', '-')))
    }
    set('log.showSignature', 'true')
    set('filter.evil.required', 'true')
    writeFileSync(join(project.dir, 'a.txt'), 'two\n')

    const tree = await lookAtTree(project.dir)
    expect(Object.keys(tree?.files ?? {})).toContain('a.txt')
    expect(await projectAt(project.dir)).toMatchObject({ root: project.dir })
    expect(await workPlace(project.dir)).toBeDefined()
    expect(await git(project.dir, 'diff', '--name-only', 'HEAD')).toBe('a.txt')
    for await (const commit of commitsOf(project.dir, { head: 'HEAD', skip: 0 })) expect(commit).toBeDefined()
    expect(traps.sprung()).toEqual([])
  })

  it('fetches nothing that is missing by a program that the repository names', async () => {
    const missing = execFileSync('git', ['-C', project.dir, 'rev-parse', 'HEAD:a.txt'], { encoding: 'utf8' }).trim()
    rmSync(join(project.dir, '.git', 'objects', missing.slice(0, 2), missing.slice(2)))
    for (const [name, url] of [
      ['near', project.dir],
      ['far', `ext::${traps.set('ext')}`],
    ] as const) {
      set(`remote.${name}.url`, url)
      set(`remote.${name}.promisor`, 'true')
      set(`remote.${name}.uploadpack`, traps.set('uploadpack'))
    }
    set('protocol.allow', 'always')
    expect(await git(project.dir, 'cat-file', 'blob', 'HEAD:a.txt')).toBeUndefined()
    await lookAtTree(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it.each([
    '.gitignore',
    '.mailmap',
    '.git/HEAD',
    '.git/refs/heads/main',
    '.git/config',
    '.git/packed-refs',
    '.git/objects/info/alternates',
  ])('ends at once where %s is a pipe, and works again without it', async (name) => {
    const file = join(project.dir, name)
    const before = existsSync(file) ? readFileSync(file) : undefined
    rmSync(file, { force: true })
    execFileSync('mkfifo', [file])
    expect(await lookAtTree(project.dir)).toBeUndefined()
    expect(await git(project.dir, 'status')).toBeUndefined()
    rmSync(file)
    if (before) writeFileSync(file, before)
    expect(await lookAtTree(project.dir)).toBeDefined()
  })

  it.each(['.git/config', '.git/commondir', '.git/info/exclude', '.gitignore'])(
    'is not taken where %s is far larger than people write',
    async (name) => {
      const file = join(project.dir, name)
      const before = existsSync(file) ? readFileSync(file) : undefined
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, '\n'.repeat(3 * 1024 * 1024))
      // Git itself would answer: such a file is legal.
      expect(await look(project.dir, ['version'], { timeoutMs: 60_000 })).toMatchObject({ code: null, signal: null })
      if (before) writeFileSync(file, before)
      else rmSync(file)
      expect(await look(project.dir, ['version'], { timeoutMs: 60_000 })).toMatchObject({ code: 0 })
    },
  )

  it.runIf(process.platform === 'linux')('is ended where git waits for a pipe that it opens on its way', async () => {
    mkdirSync(join(project.dir, 'src'))
    writeFileSync(join(project.dir, 'src', 'b.txt'), '')
    execFileSync('mkfifo', [join(project.dir, 'src', '.gitignore')])
    const args = ['status', '--porcelain', '--untracked-files=all']
    expect((await look(project.dir, args, { timeoutMs: 600_000 })).signal).toBe('SIGKILL')
  })

  it('starts nothing where the settings lie elsewhere, as git is told by a file', async () => {
    const common = join(traps.folder, 'common')
    cpSync(join(project.dir, '.git'), common, { recursive: true })
    execFileSync('git', ['config', '-f', join(common, 'config'), 'filter.evil.clean', traps.set('common')])
    writeFileSync(join(project.dir, '.git', 'commondir'), `${common}\n`)
    writeFileSync(join(project.dir, 'a.txt'), 'two\n')
    expect(Object.keys((await lookAtTree(project.dir))?.files ?? {})).toContain('a.txt')
    expect(traps.sprung()).toEqual([])
  })

  it('starts nothing in a folder that is a repository itself and gives itself a work tree', async () => {
    const bare = join(project.dir, 'vendor')
    execFileSync('git', ['clone', '-q', '--bare', project.dir, bare])
    for (const [key, value] of [
      ['core.bare', 'false'],
      ['core.worktree', '.'],
      ['filter.evil.clean', traps.set('bare')],
    ])
      execFileSync('git', ['config', '-f', join(bare, 'config'), key!, value!])
    writeFileSync(join(bare, 'info', 'attributes'), '* filter=evil\n')
    writeFileSync(join(bare, 'a.txt'), 'one\n')
    const quiet = ['-c', 'filter.evil.clean=', '--git-dir=.', '--work-tree=.']
    execFileSync('git', [...quiet, 'add', '-f', 'a.txt'], { cwd: bare })
    writeFileSync(join(bare, 'a.txt'), 'two\n')
    expect(await git(bare, 'status', '--porcelain', '-uno')).toContain('a.txt')
    expect(traps.sprung()).toEqual([])
  })

  it('notices when a program is named later', async () => {
    await lookAtTree(project.dir)
    set('filter.evil.clean', traps.set('later'))
    writeFileSync(join(project.dir, 'a.txt'), 'two\n')
    await lookAtTree(project.dir)
    expect(traps.sprung()).toEqual([])
  })
})

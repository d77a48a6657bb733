import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '#core/ports/repository.ts'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { setTraps, type Traps } from '../../../test/support/traps.ts'
import { contentNames } from '../content-names.ts'
import { commitsOf } from '../import/git-history.ts'
import { featureRepository } from '../repository/repository.ts'
import { changedFiles, committedFiles, committedTexts } from './commit-lookups.ts'
import { isEdited, linesEverAdded } from './file-history.ts'
import { git, projectAt } from './git.ts'
import { withoutPrograms } from './repository-programs.ts'
import { safeGit } from './safe-git.ts'
import { lookAtTree } from './work-tree.ts'

// Settings that name programs, where git finds them and others do not look: behind paths that can be read in two ways, in
// submodules, in files that are taken in, around a `.git` that is none.

let project: ProjectWithRemote
let traps: Traps
beforeEach(async () => {
  project = await createProjectWithRemote({
    'a.txt': 'one\n',
    'sub/b.txt': 'b\n',
    '.gitattributes': '* filter=evil diff=evil\n',
  })
  traps = await setTraps()
})
afterEach(async () => {
  await project.remove()
  traps.remove()
})

/** As a person would, who has been warned. */
const plain = (dir: string, ...args: string[]) => {
  const quiet = [
    'filter.evil.clean=',
    'core.fsmonitor=false',
    'protocol.file.allow=always',
    'user.name=a',
    'user.email=a',
  ]
  return execFileSync('git', [...quiet.flatMap((one) => ['-c', one]), ...args], { cwd: dir, stdio: 'pipe' })
}
const setIn = (file: string, key: string, value: string) => execFileSync('git', ['config', '-f', file, key, value])
function poison(gitDir: string, name: string) {
  for (const key of ['filter.evil.clean', 'core.fsmonitor', 'diff.evil.textconv', 'diff.evil.command', 'diff.external'])
    setIn(join(gitDir, 'config'), key, traps.set(`${name}-${key}`))
}
const change = (...parts: string[]) => writeFileSync(join(...parts), 'changed\n')

/** Everything that looks at a repository. */
async function visit(folder: string) {
  await projectAt(folder)
  await lookAtTree(folder)
  await git(folder, 'status', '--porcelain')
  await git(folder, 'diff', '--name-only', 'HEAD')
  await isEdited(folder, 'a.txt')
  await linesEverAdded(folder, 'a.txt', 0)
  await changedFiles(folder, 'HEAD', 'HEAD')
  for await (const file of committedTexts(folder, await committedFiles(folder, 'HEAD'))) expect(file).toBeDefined()
  for await (const commit of commitsOf(folder, { head: 'HEAD', skip: 0 })) expect(commit).toBeDefined()
  for (const kind of ['diff', 'branch', 'commits'] as const) await contentNames({ kind, from: ['HEAD'], cwd: folder })
}

describe('a look starts no program', () => {
  it('that turns files into text', async () => {
    poison(join(project.dir, '.git'), 'plain')
    change(project.dir, 'a.txt')
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it.each<[what: string, make: (gitDir: string) => void]>([
    ['empty', (gitDir) => mkdirSync(gitDir)],
    [
      'on nothing',
      (gitDir) => {
        for (const name of ['objects', 'refs']) mkdirSync(join(gitDir, name), { recursive: true })
        writeFileSync(join(gitDir, 'HEAD'), 'nothing\n')
      },
    ],
    [
      'without objects',
      (gitDir) => {
        mkdirSync(join(gitDir, 'refs'), { recursive: true })
        writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
      },
    ],
  ])('of the repository around a .git that is %s', async (_, make) => {
    poison(join(project.dir, '.git'), 'outer')
    make(join(project.dir, 'sub', '.git'))
    change(project.dir, 'sub', 'b.txt')
    await visit(join(project.dir, 'sub'))
    expect(traps.sprung()).toEqual([])
  })

  it('of a folder that is a repository itself, with an empty .git in it', async () => {
    const bare = join(project.dir, 'vendor')
    plain(project.dir, 'clone', '--quiet', '--bare', project.dir, bare)
    setIn(join(bare, 'config'), 'core.bare', 'false')
    setIn(join(bare, 'config'), 'core.worktree', '.')
    writeFileSync(join(bare, 'a.txt'), 'one\n')
    plain(bare, '--git-dir=.', '--work-tree=.', 'add', '--force', 'a.txt')
    writeFileSync(join(bare, 'info', 'attributes'), '* filter=evil diff=evil\n')
    poison(bare, 'bare')
    mkdirSync(join(bare, '.git'))
    change(bare, 'a.txt')
    await visit(bare)
    expect(traps.sprung()).toEqual([])
  })

  it('of settings behind a path of two lines', async () => {
    const [one, both] = [join(traps.folder, 'common'), join(traps.folder, 'common\nx')]
    for (const copy of [one, both]) cpSync(join(project.dir, '.git'), copy, { recursive: true })
    poison(both, 'two-lines')
    writeFileSync(join(project.dir, '.git', 'commondir'), `${both}\n`)
    change(project.dir, 'a.txt')
    await visit(project.dir)

    rmSync(join(project.dir, '.git'), { recursive: true })
    writeFileSync(join(project.dir, '.git'), `gitdir: ${both}\n`)
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it.runIf(process.platform === 'linux')('of settings behind a path that is no text', async () => {
    const odd = Buffer.concat([Buffer.from(join(traps.folder, 'x')), Buffer.from([0xff])])
    poison(join(project.dir, '.git'), 'bytes')
    renameSync(join(project.dir, '.git'), odd)
    writeFileSync(join(project.dir, '.git'), Buffer.concat([Buffer.from('gitdir: '), odd]))
    change(project.dir, 'a.txt')
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it('of a repository that a link in this one leads into', async () => {
    const other = join(traps.folder, 'other')
    plain(project.dir, 'clone', '--quiet', project.remote, other)
    poison(join(other, '.git'), 'other')
    change(other, 'sub', 'b.txt')
    symlinkSync(join(other, 'sub'), join(project.dir, 'link'))
    await visit(join(project.dir, 'link'))
    expect(traps.sprung()).toEqual([])
  })

  it('of a file of settings that is taken in, and written later', async () => {
    const more = join(traps.folder, 'more')
    writeFileSync(more, '')
    plain(project.dir, 'config', 'include.path', more)
    await visit(project.dir)
    setIn(more, 'filter.evil.clean', traps.set('late'))
    change(project.dir, 'a.txt')
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it('of settings that could not be listed', async ({ onTestFinished }) => {
    poison(join(project.dir, '.git'), 'unknown')
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    writeFileSync(
      join(traps.folder, 'git'),
      `#!/bin/sh\ncase "$*" in *--list*) kill -9 $$;; esac\nexec ${real} "$@"\n`,
      {
        mode: 0o755,
      },
    )
    const { PATH } = process.env
    process.env.PATH = `${traps.folder}:${PATH}`
    onTestFinished(() => {
      process.env.PATH = PATH
    })
    change(project.dir, 'a.txt')
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])
  })

  it('of a submodule, nor does a feature', async () => {
    plain(project.dir, 'submodule', '--quiet', 'add', project.remote, 'lib')
    writeFileSync(join(project.dir, '.gitmodules'), '[submodule "lib"]\n\tpath = lib\n\turl = x\n\tignore = none\n')
    plain(project.dir, 'commit', '--quiet', '--all', '--message=Submodule')
    poison(join(project.dir, '.git', 'modules', 'lib'), 'module')
    change(project.dir, 'lib', 'a.txt')
    change(project.dir, 'a.txt')
    await visit(project.dir)
    expect(traps.sprung()).toEqual([])

    const env = { PATH: process.env.PATH, HOME: traps.folder, GIT_CONFIG_NOSYSTEM: '1' }
    const repository = featureRepository({ env, helpers: [] })
    const at = { repository: project.dir, folder: project.dir, inPlace: true, branch: 'feature/x' }
    const good = async (outcome: Promise<Outcome<unknown>>) => expect(await outcome).toMatchObject({ ok: true })
    await good(repository.stash(project.dir, 'x'))
    await good(repository.open({ ...at, baseBranch: 'main', copy: [] }))
    change(project.dir, 'a.txt')
    await good(repository.checkpoint(at, 'one', 'x'))
    await good(repository.diff(at, 'main'))
    await good(repository.commit(at, 'Work', []))
    await good(repository.rollback(at, 'main', 'back'))
    expect(traps.sprung()).toEqual([])
  })
})

describe('a work tree that the settings put elsewhere', () => {
  it('is not looked at, and no feature begins there', async () => {
    const elsewhere = join(traps.folder, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'diary.txt'), 'x')
    plain(project.dir, 'config', 'core.worktree', elsewhere)
    expect(await projectAt(project.dir)).toMatchObject({ root: project.dir })
    expect(Object.keys((await lookAtTree(project.dir))?.files ?? {})).not.toContain('diary.txt')
    const repository = featureRepository({ env: { PATH: process.env.PATH, HOME: traps.folder }, helpers: [] })
    expect(await repository.inspect(project.dir)).toMatchObject({ ok: false, code: 'not_a_repository' })
  })
})

describe('what is said instead', () => {
  it('of a key for ssh that is a command for the shell', async () => {
    plain(project.dir, 'config', 'core.sshCommand', `ssh -i $(${traps.set('ssh')})`)
    plain(project.dir, 'config', 'remote.origin.url', 'ssh://127.0.0.1:1/x')
    await safeGit({ PATH: process.env.PATH, HOME: traps.folder })(project.dir, ['fetch', 'origin'])
    expect(traps.sprung()).toEqual([])
  })

  it('of hooks in settings, and of a file of attributes, which may be a device', () => {
    const own = (key: string, value: string) => ({ scope: 'local', key, value })
    const users = { scope: 'global', key: 'core.attributesfile', value: '~/attributes' }
    const hook = [own('hook.a.b.event', 'pre-commit'), own('hook.a.b.command', 'x')]
    expect(withoutPrograms(hook)).toEqual([['hook.a.b.enabled', 'false']])
    const file = own('core.attributesfile', '/dev/zero')
    expect(withoutPrograms([file])).toEqual([['core.attributesfile', '']])
    expect(withoutPrograms([users, file])).toEqual([['core.attributesfile', '~/attributes']])
    expect(withoutPrograms([users])).toEqual([])
  })
})

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { projectAt } from './git.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'grove-git-')))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function git(cwd: string, ...args: string[]) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=none', '-c', 'init.defaultBranch=main']
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' })
}

function repository(name: string) {
  const root = join(home, name)
  mkdirSync(root)
  git(root, 'init')
  writeFileSync(join(root, 'a.txt'), 'a')
  git(root, 'add', '.')
  git(root, 'commit', '-m', 'first')
  return root
}

describe('the project of a folder', () => {
  it('is named by its remote, from any folder inside', async () => {
    const root = repository('app')
    git(root, 'remote', 'add', 'origin', 'git@example.com:team/app.git')
    mkdirSync(join(root, 'src'))
    expect(await projectAt(join(root, 'src'))).toEqual({
      id: 'example.com/team/app',
      name: 'app',
      root,
      remote: 'example.com/team/app',
    })
  })

  it('is shared by a worktree and a clone', async () => {
    const root = repository('app')
    git(root, 'worktree', 'add', join(home, 'tree'), '-b', 'side')
    git(home, 'clone', root, 'clone')
    const { id } = await projectAt(root)
    expect((await projectAt(join(home, 'tree'))).id).toBe(id)
    expect((await projectAt(join(home, 'clone'))).id).toBe(id)
    expect((await projectAt(join(home, 'tree'))).root).toBe(join(home, 'tree'))
  })

  it('is shared by forks, when they name what they were forked from', async () => {
    const root = repository('app')
    git(root, 'remote', 'add', 'origin', 'git@example.com:ada/app.git')
    expect((await projectAt(root)).id).toBe('example.com/ada/app')
    git(root, 'remote', 'add', 'upstream', 'https://example.com/team/app')
    expect((await projectAt(root)).id).toBe('example.com/team/app')
  })

  it('is told without git where there is no repository', async () => {
    const mark = join(home, 'git-ran')
    writeFileSync(join(home, 'git'), `#!/bin/sh\necho "$@" >> '${mark}'\nexit 128\n`)
    chmodSync(join(home, 'git'), 0o755)
    mkdirSync(join(home, 'plain'))
    vi.stubEnv('PATH', `${home}:${process.env.PATH}`)
    for (const folder of [
      join(home, 'plain'),
      join(home, 'gone'),
      join(home, 'git'),
      '/dev/null',
      `/${'a'.repeat(4000)}`,
    ])
      expect(await projectAt(folder)).toMatchObject({ id: `path:${folder}`, root: folder })
    expect(existsSync(mark)).toBe(false)
    mkdirSync(join(home, 'plain', '.git'))
    await projectAt(join(home, 'plain'))
    vi.unstubAllEnvs()
    expect(existsSync(mark)).toBe(true)
  })

  it('is called in a submodule by the folder it lies in', async () => {
    const root = repository('app')
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository('library'), 'vendor/lib')
    expect((await projectAt(join(root, 'vendor', 'lib'))).name).toBe('lib')
  })

  it('is found in a bare repository', async () => {
    const root = repository('app')
    git(home, 'clone', '--bare', root, 'bare.git')
    const bare = join(home, 'bare.git')
    expect((await projectAt(bare)).id).toBe((await projectAt(root)).id)
  })

  it('is the folder itself without git', async () => {
    expect(await projectAt(home)).toMatchObject({ id: `path:${home}`, root: home })
  })

  it('survives a folder that is gone', async () => {
    expect(await projectAt(join(home, 'nowhere'))).toMatchObject({ name: 'nowhere' })
  })
})

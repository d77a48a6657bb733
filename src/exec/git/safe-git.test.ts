import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { tempDir } from '../../../test/support/project.ts'
import { featureRepository } from '../repository/repository.ts'
import { safeGit } from './safe-git.ts'

let project: ProjectWithRemote
let home: string
beforeEach(async () => {
  project = await createProjectWithRemote({
    'a.txt': 'one\n',
    '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n',
  })
  home = await tempDir('home')
})
afterEach(async () => {
  await project.remove()
  rmSync(home, { recursive: true, force: true })
})

const env = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  ...more,
})

/** A program that notes by whom it was started. */
function trap(name: string): string {
  const path = join(home, `${name}.sh`)
  writeFileSync(path, `#!/bin/sh\ntouch "${home}/ran-${name}"\ncat 2>/dev/null\nexit 0\n`)
  chmodSync(path, 0o755)
  return path
}

const ran = () => readdirSync(home).filter((name) => name.startsWith('ran-'))

describe('git on a repository whose settings name programs', () => {
  it('starts none of them, whatever a feature does', async () => {
    const hooks = join(project.dir, '.git/hooks')
    mkdirSync(hooks, { recursive: true })
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'post-checkout',
      'pre-push',
      'pre-rebase',
      'post-merge',
      'post-rewrite',
      'reference-transaction',
      'post-index-change',
    ]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch "${home}/ran-${hook}"\n`)
      chmodSync(join(hooks, hook), 0o755)
    }
    const settings: Record<string, string> = {
      'core.fsmonitor': trap('fsmonitor'),
      'core.pager': trap('pager'),
      'core.editor': trap('editor'),
      'core.sshCommand': trap('ssh'),
      'core.askPass': trap('askpass'),
      'filter.evil.clean': trap('clean'),
      'filter.evil.smudge': trap('smudge'),
      'filter.evil.process': trap('process'),
      'filter.evil.required': 'true',
      'diff.external': trap('external'),
      'diff.evil.textconv': trap('textconv'),
      'diff.evil.command': trap('command'),
      'merge.evil.driver': `${trap('driver')} %A %O %B`,
      'credential.helper': trap('credential'),
      'gpg.program': trap('gpg'),
      'commit.gpgSign': 'true',
      'sequence.editor': trap('sequence'),
      'remote.origin.receivepack': trap('receivepack'),
      'remote.origin.uploadpack': trap('uploadpack'),
    }
    for (const [key, value] of Object.entries(settings))
      execFileSync('git', ['config', key, value], { cwd: project.dir })
    const repository = featureRepository({ env: env(), helpers: [] })
    const at = { repository: project.dir, folder: join(home, 'tree'), inPlace: false, branch: 'feature/x' }
    const good = async (outcome: Promise<{ ok: boolean; detail?: string }>) => {
      const { ok, detail } = await outcome
      expect([ok, detail]).toEqual([true, undefined])
    }
    await good(repository.inspect(project.dir))
    await good(repository.open({ ...at, baseBranch: 'main', copy: [] }))
    writeFileSync(join(at.folder, 'a.txt'), 'two\n')
    writeFileSync(join(at.folder, 'b.txt'), 'new\n')
    await good(repository.checkpoint(at, 'one', 'x'))
    await good(repository.diff(at, 'main'))
    await good(repository.commit(at, 'Work', []))
    const plain = {
      ...process.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '/dev/null',
    }
    const base = execFileSync('git', ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'x'], {
      cwd: project.dir,
      env: plain,
      encoding: 'utf8',
    })
    execFileSync('git', ['update-ref', 'refs/heads/main', base.trim()], { cwd: project.dir, env: plain })
    await good(repository.rebase(at, 'main'))
    await good(repository.push(at, {}))
    await good(repository.rollback(at, 'main', 'back'))
    await good(repository.close(at, { deleteBranch: true }))
    writeFileSync(join(project.dir, 'a.txt'), 'dirty\n')
    await good(repository.stash(project.dir, 'x'))
    expect(ran()).toEqual([])
  })

  it('merges with git’s own driver, conflicts and all', async () => {
    const git = safeGit(env())
    await project.git('config', 'merge.evil.driver', trap('driver'))
    await project.git('checkout', '--quiet', '-b', 'side')
    writeFileSync(join(project.dir, 'a.txt'), 'side\n')
    await project.git('commit', '--quiet', '--all', '--message=Side')
    await project.git('checkout', '--quiet', 'main')
    writeFileSync(join(project.dir, 'a.txt'), 'main\n')
    await project.git('commit', '--quiet', '--all', '--message=Main')
    expect((await git(project.dir, ['merge', '--no-edit', 'side'])).code).toBe(1)
    expect((await git(project.dir, ['diff', '--name-only', '--diff-filter=U'])).stdout.trim()).toBe('a.txt')
    expect(ran()).toEqual([])
  })

  it('keeps the user’s own filters and helpers', async () => {
    writeFileSync(
      join(home, '.gitconfig'),
      `[filter "evil"]\nclean = "${trap('clean')}"\n[credential]\nhelper = "${trap('mine')}"\n`,
    )
    await project.git('config', 'credential.helper', trap('credential'))
    const git = safeGit(env())
    writeFileSync(join(project.dir, 'a.txt'), 'changed\n')
    expect((await git(project.dir, ['add', 'a.txt'])).code).toBe(0)
    await git(project.dir, ['credential', 'fill'], { input: 'protocol=https\nhost=example.com\n\n' })
    expect(ran().sort()).toEqual(['ran-clean', 'ran-mine'])
  })

  it('is not led elsewhere by its environment, and repeats what git said', async () => {
    const git = safeGit(
      env({
        GIT_DIR: '/nowhere',
        GIT_INDEX_FILE: '/nowhere/index',
        GIT_EXTERNAL_DIFF: trap('external'),
        GIT_TRACE: join(home, 'trace'),
      }),
    )
    expect((await git(project.dir, ['diff', 'HEAD'])).code).toBe(0)
    expect(existsSync(join(home, 'trace'))).toBe(false)
    const failed = await git(project.dir, ['checkout', 'no-such-branch'])
    expect([failed.code, failed.stderr.includes('no-such-branch')]).toEqual([1, true])
    expect(await git(join(home, 'gone'), ['status'])).toMatchObject({ code: null, missing: true })
  })

  it('does not speak through remote helpers that run a command', async () => {
    await project.git('config', 'protocol.ext.allow', 'always')
    const fetched = await safeGit(env())(project.dir, ['fetch', `ext::sh -c ${trap('ext')}`])
    expect(fetched.stderr).toContain("transport 'ext' not allowed")
    expect(ran()).toEqual([])
  })

  it('leaves no lock behind when it is stopped', async () => {
    for (let file = 0; file < 300; file++) writeFileSync(join(project.dir, `${file}.bin`), Buffer.alloc(100_000, file))
    const stop = new AbortController()
    const adding = safeGit(env())(project.dir, ['add', '--all'], { signal: stop.signal })
    while (!existsSync(join(project.dir, '.git/index.lock'))) await new Promise((resolve) => setTimeout(resolve, 2))
    stop.abort()
    expect((await adding).code).toBeNull()
    expect(existsSync(join(project.dir, '.git/index.lock'))).toBe(false)
  })
})

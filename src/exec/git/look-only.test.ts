import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectWithRemote, type ProjectWithRemote } from '../../../test/support/bare-remote.ts'
import { tempDir } from '../../../test/support/project.ts'
import { commitsOf } from '../import/git-history.ts'
import { workPlace } from './branches.ts'
import { git, projectAt } from './git.ts'
import { lookAtTree } from './work-tree.ts'

// A repository whose own settings name programs for everything that git can be told to start.

let project: ProjectWithRemote
let traps: string
beforeEach(async () => {
  project = await createProjectWithRemote({
    'a.txt': 'one\n',
    '.gitattributes': '*.txt filter=evil diff=evil\n',
  })
  traps = await tempDir('traps')
})
afterEach(async () => {
  await project.remove()
  rmSync(traps, { recursive: true, force: true })
})

function trap(name: string): string {
  const path = join(traps, `${name}.sh`)
  writeFileSync(path, `#!/bin/sh\ntouch "${traps}/ran-${name}"\ncat 2>/dev/null\nexit 0\n`)
  chmodSync(path, 0o755)
  return path
}

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
      set(key, trap(key.replaceAll('.', '-')))
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
    expect(readdirSync(traps).filter((name) => name.startsWith('ran-'))).toEqual([])
  })

  it('fetches nothing that is missing by a program that the repository names', async () => {
    const missing = execFileSync('git', ['-C', project.dir, 'rev-parse', 'HEAD:a.txt'], { encoding: 'utf8' }).trim()
    rmSync(join(project.dir, '.git', 'objects', missing.slice(0, 2), missing.slice(2)))
    for (const [name, url] of [
      ['near', project.dir],
      ['far', `ext::${trap('ext')}`],
    ] as const) {
      set(`remote.${name}.url`, url)
      set(`remote.${name}.promisor`, 'true')
      set(`remote.${name}.uploadpack`, trap('uploadpack'))
    }
    set('protocol.allow', 'always')
    expect(await git(project.dir, 'cat-file', 'blob', 'HEAD:a.txt')).toBeUndefined()
    await lookAtTree(project.dir)
    expect(readdirSync(traps).filter((name) => name.startsWith('ran-'))).toEqual([])
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

  it('notices when a program is named later', async () => {
    await lookAtTree(project.dir)
    set('filter.evil.clean', trap('later'))
    writeFileSync(join(project.dir, 'a.txt'), 'two\n')
    await lookAtTree(project.dir)
    expect(readdirSync(traps).filter((name) => name.startsWith('ran-'))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { normaliseRemote, projectIdentity } from './project.ts'

describe('a project is the same project on every machine', () => {
  it.each([
    'git@example.com:team/app.git',
    'ssh://git@example.com:22/team/app.git',
    'https://example.com/team/app',
    'https://user:key@EXAMPLE.com/team/app.git/',
    'git://example.com/team/app.git',
    'example.com:team/app',
  ])('%s', (remote) => {
    expect(normaliseRemote(remote)).toBe('example.com/team/app')
  })

  it.each(['git@github.com:Team/App.git', 'ssh://git@ssh.github.com:443/team/app', 'https://github.com/TEAM/app'])(
    '%s, on a host to which case does not matter',
    (remote) => {
      expect(normaliseRemote(remote)).toBe('github.com/team/app')
      expect(normaliseRemote('git@example.com:Team/App.git')).toBe('example.com/Team/App')
    },
  )

  it('never carries a key from the remote into the id', () => {
    expect(projectIdentity({ remote: 'https://user:s3cret@example.com/a/b', root: '/x' }).id).not.toContain('s3cret')
  })

  it.each(['/srv/git/app.git', 'file:///srv/git/app.git', '../app', 'C:\\repos\\app', ''])(
    '%s names a place on one machine only',
    (remote) => {
      expect(normaliseRemote(remote)).toBeUndefined()
    },
  )

  it('falls back to the root commit, then to the folder', () => {
    expect(projectIdentity({ rootCommit: 'abc', root: '/home/me/app' })).toEqual({ id: 'commit:abc', name: 'app' })
    expect(projectIdentity({ root: '/home/me/app' })).toEqual({ id: 'path:/home/me/app', name: 'app' })
  })
})

import { describe, expect, it } from 'vitest'
import { normaliseRemote, placeName, projectIdentity } from './project.ts'

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

describe('a place is called', () => {
  const named = { name: 'shop', remote: 'git.example/shop' }
  const folders = ['/code/shop', '/code/trees/login']

  it('by the project, where that lies in one folder', () => {
    expect(placeName({ name: 'shop' }, ['/code/shop'], '/code/shop/src')).toBe('shop')
    expect(placeName(named, [], undefined)).toBe('shop')
  })

  it('by project and worktree or clone, where there are several', () => {
    expect(placeName(named, folders, '/code/shop')).toBe('shop')
    expect(placeName(named, folders, '/code/trees/login/src')).toBe('shop (login)')
    expect(placeName(named, folders, '/elsewhere')).toBe('shop')
  })

  it('by its own folder, where the project is called by another one', () => {
    expect(placeName({ name: 'copy' }, ['/a/shop', '/a/copy'], '/a/shop')).toBe('shop')
    expect(placeName({ name: 'shop' }, ['/a/shop', '/b/shop'], '/b/shop/src')).toBe('/b/shop')
    expect(placeName({ name: 'shop' }, ['/a/shop', '/a/shop-2'], '/a/shop-2')).toBe('shop-2')
  })

  it('on Windows too', () => {
    expect(placeName({ name: 'copy' }, ['C:\\a\\shop', 'C:\\a\\copy'], 'C:\\a\\shop\\src')).toBe('shop')
  })
})

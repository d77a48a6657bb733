import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { absolute, isOwnPlace, pathsOf, projectRoot, socketPath, tilde } from './paths.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'grove-paths-'))

describe('the socket of a home', () => {
  const on = (platform: NodeJS.Platform) => {
    const here = process.platform
    Object.defineProperty(process, 'platform', { value: platform })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: here }))
  }

  it('is a pipe on Windows, another one for each home', () => {
    on('win32')
    expect(socketPath('C:\\Users\\ada\\.grove')).toMatch(/^\\\\\.\\pipe\\grove-[0-9a-f]{16}$/)
    expect(socketPath('C:\\Users\\bob\\.grove')).not.toBe(socketPath('C:\\Users\\ada\\.grove'))
  })

  it('fits into what macOS allows, however deep the home lies', () => {
    on('darwin')
    expect(socketPath('/Users/ada/.grove')).toBe('/Users/ada/.grove/grove.sock')
    expect(Buffer.byteLength(socketPath(`/Users/ada/${'deep/'.repeat(30)}.grove`))).toBeLessThan(104)
  })
})

describe('the project root', () => {
  it('is the nearest folder upwards with .grove or .git', () => {
    const outer = folder()
    const inner = join(outer, 'packages', 'a')
    mkdirSync(join(inner, 'src'), { recursive: true })
    mkdirSync(join(outer, '.git'))
    expect(projectRoot(join(inner, 'src'), '/nowhere')).toBe(outer)
    mkdirSync(join(inner, '.grove'))
    expect(projectRoot(join(inner, 'src'), '/nowhere')).toBe(inner)
  })

  it('is also found in a worktree, where .git is a file', () => {
    const worktree = folder()
    writeFileSync(join(worktree, '.git'), 'gitdir: /elsewhere')
    expect(projectRoot(worktree, '/nowhere')).toBe(worktree)
  })

  it('is not made by the home folder itself, which is called .grove too', () => {
    const user = folder()
    const home = join(user, '.grove')
    mkdirSync(home)
    expect(projectRoot(user, home)).toBe(projectRoot(tmpdir(), '/nowhere'))
  })
})

describe('paths in the home', () => {
  it('lie in the home', () => {
    const paths = pathsOf({ home: '/h', log: {} as never })
    expect(paths).toMatchObject({ database: '/h/grove.db', log: '/h/logs/grove.log', socket: '/h/grove.sock' })
  })

  it('have a short socket even when the home is deep', () => {
    const deep = pathsOf({ home: `/${'deep/'.repeat(40)}`, log: {} as never }).socket
    const other = pathsOf({ home: `/${'deep/'.repeat(41)}`, log: {} as never }).socket
    expect(Buffer.byteLength(deep)).toBeLessThan(104)
    expect(deep).not.toBe(other)
  })

  it('let logs go elsewhere', () => {
    expect(pathsOf({ home: '/h', log: { dir: '/l' } as never }).log).toBe('/l/grove.log')
    expect(pathsOf({ home: '/h', log: { file: '/l/x.log' } as never }).log).toBe('/l/x.log')
  })
})

it('a path is written with ~ and read with ~', () => {
  expect(absolute('~/.grove', '/x')).toBe(join(homedir(), '.grove'))
  expect(absolute('here', '/x')).toBe('/x/here')
  expect(tilde(join(homedir(), 'a'))).toBe('~/a')
  expect(tilde('/etc')).toBe('/etc')
})

describe("rules that are not the user's own", () => {
  it("make no project: in the temporary folder, above the home, or in another user's folder", () => {
    expect(isOwnPlace(join(tmpdir(), '.grove'))).toBe(false)
    expect(isOwnPlace('/.grove')).toBe(false)
    expect(isOwnPlace(join(dirname(homedir()), '.orchestration'))).toBe(false)
    const folder = mkdtempSync(join(tmpdir(), 'grove-own-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '.grove'))
    expect(isOwnPlace(join(folder, '.grove'))).toBe(true)
    // Only root can give a folder away.
    if (process.getuid?.() === 0) {
      chownSync(join(folder, '.grove'), 12_345, 12_345)
      expect(isOwnPlace(join(folder, '.grove'))).toBe(false)
      expect(projectRoot(folder, '/nowhere/.grove')).not.toBe(folder)
    }
  })
})

import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grove-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('a folder of Grove', () => {
  it('is made with those above it, for its owner only, and may be there already', () => {
    const folder = join(scratch(), 'a', 'b', 'c')
    makeFolder(folder)
    makeFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('may be a link to one', () => {
    const here = scratch()
    mkdirSync(join(here, 'real'))
    symlinkSync('real', join(here, 'link'))
    makeFolder(join(here, 'link'))
    makeFolder(join(here, 'link', 'inside'))
    expect(statSync(join(here, 'real', 'inside')).isDirectory()).toBe(true)
  })

  it('cannot be where a file is', () => {
    const file = join(scratch(), 'file')
    writeFileSync(file, '')
    expect(() => makeFolder(file)).toThrow(/EEXIST/)
    expect(() => makeFolder(join(file, 'inside'))).toThrow(/ENOTDIR/)
  })

  it('fails at once where nothing can be created', () => {
    expect(() => makeFolder('/proc/grove/home')).toThrow(/^E[A-Z]+:/)
  })
})

import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToAppend, plainText, readPlain, realPlace } from './plain-file.ts'
import { Trouble } from './trouble.ts'

let outside: string
let folder: string
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'grove-plain-'))
  folder = join(outside, 'project')
  mkdirSync(folder)
  writeFileSync(join(outside, 'secret'), 'of somebody else')
})
afterEach(() => rmSync(outside, { recursive: true, force: true }))

/** Everything that can lie where Grove expects a file. */
const inPlace: [name: string, put: (path: string) => void][] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['a link that leads out', (path) => symlinkSync('../secret', path)],
  [
    '60 MB',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 60 * 1024 * 1024)
    },
  ],
]

describe.each(inPlace)('%s in place of a file', (name, put) => {
  it('is not read, and what is wrong is said', () => {
    const path = join(folder, 'file')
    put(path)
    expect(() => readPlain(path, { inside: folder })).toThrow(Trouble)
    expect(() => readPlain(path, { inside: folder })).toThrow(/^Grove does not use .*file: /)
    expect(plainText(path, { inside: folder })).toBeUndefined()
  })

  it('is not written', () => {
    const path = join(folder, 'file')
    put(path)
    if (name !== '60 MB') expect(() => openToAppend(path)).toThrow(Trouble)
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('of somebody else')
  })
})

describe('a plain file', () => {
  it('is read, also through a link that stays inside', () => {
    writeFileSync(join(folder, 'file'), 'words')
    symlinkSync('file', join(folder, 'link'))
    expect(plainText(join(folder, 'link'), { inside: folder })).toBe('words')
    expect(realPlace(join(folder, 'link'))).toMatch(/project\/file$/)
    expect(plainText(join(folder, 'none'))).toBeUndefined()
    expect(realPlace(join(folder, 'none'))).toBe(join(folder, 'none'))
  })

  it('is added to, and made when it is not there', () => {
    for (const line of ['one\n', 'two\n']) {
      const file = openToAppend(join(folder, 'file'))
      writeSync(file, line)
      closeSync(file)
    }
    expect(plainText(join(folder, 'file'))).toBe('one\ntwo\n')
  })

  it('has one place: a second name for it is the same file', () => {
    writeFileSync(join(folder, 'file'), 'words')
    linkSync(join(folder, 'file'), join(folder, 'other'))
    expect(plainText(join(folder, 'other'), { inside: folder })).toBe('words')
  })

  it.runIf(process.platform === 'linux')(
    'is not made where its folder leads out, or comes to while it is opened',
    () => {
      const [place, file] = [join(folder, 'place'), join(folder, 'place', 'file')]
      const append = () => closeSync(openToAppend(file, { inside: folder }))
      symlinkSync(outside, place)
      expect(append).toThrow(/leads out/)
      rmSync(place)
      mkdirSync(join(folder, 'other'))
      symlinkSync('other', place)
      append()
      expect(readdirSync(join(folder, 'other'))).toEqual(['file'])

      const swap = 'while :; do rm -rf "$0"; mkdir "$0"; rm -rf "$0"; ln -s "$1" "$0"; done'
      const swapping = spawn('sh', ['-c', swap, place, outside], { stdio: 'ignore' })
      for (let tries = 0; tries < 4000; tries++) {
        try {
          append()
        } catch {
          // Refused, or nothing was there just then.
        }
      }
      swapping.kill('SIGKILL')
      expect(readdirSync(outside).sort()).toEqual(['project', 'secret'])
    },
  )

  it('is not added to under a second name, which may be that of a file outside', () => {
    linkSync(join(outside, 'secret'), join(folder, 'file'))
    expect(() => openToAppend(join(folder, 'file'))).toThrow(/another name/)
  })
})

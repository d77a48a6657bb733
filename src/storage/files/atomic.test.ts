import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAtomic } from './atomic.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grove-atomic-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('writes a new file, with its folder, and leaves nothing else behind', async () => {
  const path = join(folder, 'deep', 'plan.json')
  await writeAtomic(path, 'hello, 日本')
  expect(readFileSync(path, 'utf8')).toBe('hello, 日本')
  expect(readdirSync(join(folder, 'deep'))).toEqual(['plan.json'])
})

it('keeps the mode of the file it replaces', async () => {
  const path = join(folder, 'hook.sh')
  writeFileSync(path, 'old')
  chmodSync(path, 0o777)
  await writeAtomic(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o777)
})

it('writes where a link points, and leaves the link', async () => {
  mkdirSync(join(folder, 'dotfiles'))
  writeFileSync(join(folder, 'dotfiles', 'settings.json'), 'old')
  symlinkSync(join('dotfiles', 'settings.json'), join(folder, 'settings.json'))
  await writeAtomic(join(folder, 'settings.json'), 'new')
  expect(lstatSync(join(folder, 'settings.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'dotfiles', 'settings.json'), 'utf8')).toBe('new')
})

it('never shows half a file, however many write at once', async () => {
  const path = join(folder, 'plan.json')
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100_000))
  await writeAtomic(path, texts[0]!)
  const writing = Promise.all(texts.map((text) => writeAtomic(path, text)))
  const seen = Array.from({ length: 50 }, () => readFileSync(path, 'utf8'))
  await writing
  expect([...seen, readFileSync(path, 'utf8')].filter((text) => !texts.includes(text))).toEqual([])
  expect(readdirSync(folder)).toEqual(['plan.json'])
})

it('leaves the old file and no draft when it cannot write, and names the file', async () => {
  mkdirSync(join(folder, 'plan.json'))
  const path = join(folder, 'plan.json')
  await expect(writeAtomic(path, 'text')).rejects.toMatchObject({ code: 'EISDIR', path })
  expect(readdirSync(folder)).toEqual(['plan.json'])
})

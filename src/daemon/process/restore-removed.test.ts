import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { homeToken, putBackToken } from '#server/token.ts'
import { tempHome } from '../../../test/support/home.ts'
import { restoreRemoved } from './restore-removed.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

it('puts the same token back when the home was removed and is there again', async ({ onTestFinished }) => {
  const home = join(await tempHome(onTestFinished), 'home')
  await mkdir(home)
  const file = join(home, 'token')
  const token = homeToken(file)
  onTestFinished(restoreRemoved({ file, log, lookEveryMs: 5 }, () => putBackToken(file, token)))
  rmSync(home, { recursive: true })
  await new Promise((done) => setTimeout(done, 30))
  expect(existsSync(home)).toBe(false)
  await mkdir(home)
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(homeToken(file)).toBe(token)
})

it('leaves a token alone that was made there meanwhile', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'token')
  writeFileSync(file, 'another\n')
  putBackToken(file, 'ours')
  expect(readFileSync(file, 'utf8')).toBe('another\n')
})

it('tries again when it could not be put back', async ({ onTestFinished }) => {
  const file = join(await tempHome(onTestFinished), 'token')
  let tries = 0
  onTestFinished(
    restoreRemoved({ file, log, lookEveryMs: 5 }, () => {
      if (++tries < 3) throw new Error('read-only')
      writeFileSync(file, 'x')
    }),
  )
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(tries).toBe(3)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { sharesOf } from '../../../test/support/team-memories.ts'

const TEAM = 'db.example:5432/grove'

// Two processes of one home: what the command line takes back, the daemon must not send.
let folder: string
let daemon: Store
let command: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-shares-'))
  daemon = await openSqliteStore({ file: join(folder, 'grove.db') })
  command = await openSqliteStore({ file: join(folder, 'grove.db') })
})
afterEach(async () => {
  await Promise.all([daemon.close(), command.close()])
  rmSync(folder, { recursive: true })
})

it('shares nothing until a person says so', async () => {
  expect(await sharesOf(daemon).with(TEAM)).toEqual([])
  let isDone = false
  const work = async () => {
    isDone = true
  }
  expect([await sharesOf(daemon).exchange('p', TEAM, work), isDone]).toEqual([false, false])
  await sharesOf(command).share('p', TEAM)
  expect([await sharesOf(daemon).exchange('p', TEAM, work), isDone]).toEqual([true, true])
})

it('goes on with the projects that an older Grove has sent, and with no others', async () => {
  const page = { items: [], mark: { epoch: 'one', change: 1 }, more: false, anew: false }
  await daemon.sharing.take('memory', 'sent', page)
  expect(await sharesOf(daemon).with(TEAM)).toEqual(['sent'])
  await sharesOf(command).stop()
  await daemon.sharing.take('memory', 'other', page)
  expect(await sharesOf(daemon).with(TEAM)).toEqual([])
})

it('waits for a page that is on its way, and lets none follow', async () => {
  await sharesOf(command).share('p', TEAM)
  const happened: string[] = []
  let arrive = () => {}
  let begin = () => {}
  const isOnItsWay = new Promise<void>((resolve) => {
    begin = resolve
  })
  const sending = sharesOf(daemon).exchange('p', TEAM, async () => {
    begin()
    await new Promise<void>((resolve) => {
      arrive = resolve
    })
    happened.push('sent')
  })
  await isOnItsWay
  const stopped = sharesOf(command)
    .stop(['p'])
    .then(() => happened.push('stopped'))
  await expect.poll(() => sharesOf(daemon).with(TEAM)).toEqual([])
  arrive()
  await Promise.all([sending, stopped])
  expect(happened).toEqual(['sent', 'stopped'])
  expect(await sharesOf(daemon).exchange('p', TEAM, async () => {})).toBe(false)
})

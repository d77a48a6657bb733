import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SpawnRecords } from './spawn-records.ts'

const folder = () => mkdtemp(join(tmpdir(), 'grove-spawns-'))

it('gives a conversation to one of many who want it at once', async () => {
  const dir = await folder()
  const asked = Array.from({ length: 8 }, (_, index) => new SpawnRecords(dir).acquire(`spawn-${index}`, 'talk'))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'agent_busy' })
})

it('gives it on when it is released, and leaves no file behind', async () => {
  const dir = await folder()
  const records = new SpawnRecords(dir)
  const first = await records.acquire('spawn-1', 'talk')
  expect(statSync(first.settings('{}')).mode & 0o777).toBe(0o600)
  await first.started(process.pid)
  first.release()
  const second = await records.acquire('spawn-2', 'talk')
  first.release()
  await expect(records.acquire('spawn-3', 'talk')).rejects.toMatchObject({ code: 'agent_busy' })
  second.release()
  expect(readdirSync(dir)).toEqual([])
})

it.each([
  ['of a Grove that is gone', { spawnId: 'old', claudeId: 'talk', owner: { pid: 2 ** 22 - 3, bornAt: '1' } }],
  ['whose number another process has now', { spawnId: 'old', claudeId: 'talk', owner: { pid: 1, bornAt: 'long ago' } }],
  ['that a full disk has torn', '{"spawn'],
])('takes over a record %s', async (_, record) => {
  const dir = await folder()
  const file = join(dir, 'talk.json')
  const text = typeof record === 'string' ? record : JSON.stringify(record)
  writeFileSync(file, text)
  const lock = await new SpawnRecords(dir).acquire('spawn-1', 'talk')
  lock.release()
  writeFileSync(file, text)
  writeFileSync(join(dir, 'talk.settings'), '{}')
  expect(await new SpawnRecords(dir).endOrphans()).toEqual([])
  expect(readdirSync(dir)).toEqual([])
})

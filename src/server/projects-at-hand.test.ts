import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Project } from '#core/session.ts'
import { fewAtATime } from './few-at-a-time.ts'
import { projectsAtHand } from './projects-at-hand.ts'

const here = mkdtempSync(join(tmpdir(), 'grove-at-hand-'))
const project = (name: string, root = join(here, name)): Project => ({ id: `path:${root}`, name, root })

it('looks only into folders that are there', async () => {
  mkdirSync(join(here, 'a'))
  writeFileSync(join(here, 'file'), '')
  const known = [
    project('a'),
    project('gone'),
    project('file'),
    project('device', '/dev/zero'),
    project('long', `/${'a'.repeat(4000)}`),
    project('none', '\0'),
  ]
  expect(await projectsAtHand(async () => known)).toEqual([project('a')])
})

it('asks for those that were worked in last, and for all where some are wanted by name', async () => {
  const asked: (number | undefined)[] = []
  const known = async (most?: number) => {
    asked.push(most)
    return [project('a')]
  }
  await projectsAtHand(known)
  await projectsAtHand(known, ({ name }) => name === 'b')
  expect(asked).toEqual([500, undefined])
})

it('works at a few at a time, lets others in between, and keeps the order', async () => {
  let now = 0
  let most = 0
  let turns = 0
  const others = setInterval(() => turns++)
  const answers = await fewAtATime(
    Array.from({ length: 50 }, (_, n) => n),
    async (n) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 50 - n))
      now--
      return n
    },
  )
  clearInterval(others)
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => n))
  expect(most).toBe(4)
  expect(turns).toBeGreaterThan(0)
})

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { anySlot } from '#storage/testing/slots.ts'
import { tempHome } from '../../../test/support/home.ts'
import { openWorld } from './world.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

async function worldIn(whenFinished: Parameters<typeof tempHome>[0], database?: ':memory:') {
  const home = join(await tempHome(whenFinished), 'grove')
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd: '/' })
  const world = openWorld({ config, log, ...(database && { database }) })
  whenFinished(() => world.close())
  return { home, world }
}

const slot = anySlot('any')

describe('a world', () => {
  it('creates nothing until a part is asked for that keeps something', async ({ onTestFinished }) => {
    const { home, world } = await worldIn(onTestFinished)
    expect(world.hasStore()).toBe(false)
    await world.trace()
    await world.close()
    expect(existsSync(home)).toBe(false)
  })

  it('opens each part once, and all of them on one store', async ({ onTestFinished }) => {
    const { home, world } = await worldIn(onTestFinished)
    const [guard, learning, store] = await Promise.all([world.guard(), world.learning(), world.store()])
    expect(await world.guard()).toBe(guard)
    await guard.states.put(slot, 's1', { intentId: 'a' }, 1)
    expect(await learning.states.get(slot, 's1')).toEqual({ intentId: 'a' })
    expect(await store.states.get(slot, 's1')).toEqual({ intentId: 'a' })
    expect(world.hasStore()).toBe(true)
    expect(readdirSync(home)).toContain('grove.db')
  })

  it('in memory leaves nothing behind', async ({ onTestFinished }) => {
    const { home, world } = await worldIn(onTestFinished, ':memory:')
    const learning = await world.learning()
    await learning.states.put(slot, 's1', {}, 1)
    await world.close()
    expect(existsSync(home)).toBe(false)
  })
})

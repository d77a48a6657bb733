import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { acquireLock, holderOf } from './lock.ts'

let file: string
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'grove-lock-')), 'run', 'proxy.json')
})

const take = () => acquireLock(file, { serves: 'proxy', version: '1' })
const leave = (holder: object) => {
  take().release()
  writeFileSync(file, JSON.stringify({ pid: 1, host: hostname(), version: '1', startedAt: 1, ...holder }))
}

describe('a lock', () => {
  it('says who holds it and where, until it is released', () => {
    const lock = take()
    lock.announce('http://127.0.0.1:8080')
    expect(holderOf(file)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:8080' })
    lock.release()
    expect(holderOf(file)).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  it('is put back when it is gone, with the whole folder too', () => {
    vi.useFakeTimers()
    try {
      const lock = take()
      lock.announce('http://127.0.0.1:8080')
      rmSync(dirname(file), { recursive: true })
      vi.advanceTimersByTime(15_000)
      expect(holderOf(file)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:8080' })
      lock.release()
      expect(existsSync(file)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is given to one only', () => {
    const lock = take()
    lock.announce('http://127.0.0.1:8080')
    expect(take).toThrow(
      `grove is already running (pid ${process.pid}): it serves the proxy of this home at http://127.0.0.1:8080.`,
    )
    lock.release()
    take().release()
  })

  it('leaves nothing behind', () => {
    const lock = take()
    expect(take).toThrow()
    lock.release()
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  it('is readable by its owner only', () => {
    const lock = take()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
    lock.release()
  })
})

describe('a stale lock is taken over', () => {
  it('when its process is gone', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    const { pid } = child
    await once(child, 'exit')
    leave({ pid })
    expect(holderOf(file)).toBeUndefined()
    take().release()
  })

  it('when its process number belongs to somebody else by now', () => {
    leave({ pid: process.ppid, bornAt: 'another time' })
    take().release()
  })

  it('when it was held on another machine that has fallen silent', () => {
    leave({ host: 'elsewhere' })
    expect(take).toThrow(/pid 1 on elsewhere/)
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(file, longAgo, longAgo)
    take().release()
  })

  it('when it is no lock at all', () => {
    leave({})
    writeFileSync(file, 'rubbish')
    take().release()
  })
})

it('of many that start at once over a stale lock, exactly one wins', async () => {
  leave({ pid: 2 ** 22 + 1 })
  const results = await Promise.allSettled(Array.from({ length: 20 }, async () => take()))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '#config/paths.ts'
import type { HookAnswer } from '#protocol/hook-event.ts'
import { tempHome } from '../../test/support/home.ts'
import type { AnswerHook } from './answer-hook.ts'
import { askDaemon } from './ask-daemon.ts'
import { openHookSocket } from './socket.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

describe('the socket for command hooks', () => {
  it('is open to its owner only', async ({ onTestFinished }) => {
    const { path } = await openSocket(onTestFinished, async () => ({}))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('takes the place of a socket that a crash left behind', async ({ onTestFinished }) => {
    const home = await tempHome(onTestFinished)
    await writeFile(pathsOf({ home, log: {} as never }).socket, '')
    const { ask } = await openSocket(onTestFinished, async () => ({ systemMessage: 'here' }), home)
    expect(await ask('stop', '{}')).toEqual({ systemMessage: 'here' })
  })

  it('hands over event and payload byte for byte', async ({ onTestFinished }) => {
    const seen: string[] = []
    const { ask } = await openSocket(onTestFinished, async (event, body) => {
      seen.push(event, body)
      return { reason: body }
    })
    const payload = JSON.stringify({ text: `${'äöü€🥛\u0000'.repeat(1000)}` })
    expect(await ask('pre-tool-use', payload)).toEqual({ reason: payload })
    expect(seen).toEqual(['pre-tool-use', payload])
  })

  it('answers curl', async ({ onTestFinished }) => {
    const { path } = await openSocket(onTestFinished, async (event) => ({ reason: event }))
    const args = ['-s', '--unix-socket', path, '-d', '{}', 'http://grove/hooks/session-start']
    expect((await promisify(execFile)('curl', args)).stdout).toBe('{"reason":"session-start"}')
  })

  it('shows that it is alive while an answer waits for a person', async ({ onTestFinished }) => {
    const { ask } = await openSocket(onTestFinished, async () => {
      await new Promise((done) => setTimeout(done, 1500))
      return { decision: 'block', reason: 'Wait.' }
    })
    expect(await ask('stop', '{}')).toEqual({ decision: 'block', reason: 'Wait.' })
  })
})

describe('asking the daemon', () => {
  it('finds nobody where there is no socket', async ({ onTestFinished }) => {
    expect(await askDaemon(await tempHome(onTestFinished), 'stop', '{}')).toBeUndefined()
  })

  it('finds nobody behind a socket whose daemon is gone', async ({ onTestFinished }) => {
    const home = await tempHome(onTestFinished)
    const leave = `require('net').createServer().listen(${JSON.stringify(join(home, 'grove.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`
    await promisify(execFile)(process.execPath, ['-e', leave]).catch(() => {})
    expect((await stat(join(home, 'grove.sock'))).isSocket()).toBe(true)
    expect(await askDaemon(home, 'stop', '{}')).toBeUndefined()
  })

  it.for([
    ['an error', 'HTTP/1.1 500 Oops\r\n\r\n{}'],
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n{"decision":"blo'],
    ['no HTTP at all', 'hello'],
    ['nothing', ''],
  ] as const)('takes %s for no answer', async ([, bytes], { onTestFinished }) => {
    const home = await tempHome(onTestFinished)
    const server = createServer((socket) => socket.on('error', () => {}).end(bytes)).listen(join(home, 'grove.sock'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await askDaemon(home, 'stop', '{}')).toBeUndefined()
  })
})

type WhenFinished = (work: () => Promise<void> | void) => void

async function openSocket(whenFinished: WhenFinished, answer: AnswerHook, home?: string) {
  const at = home ?? (await tempHome(whenFinished))
  const path = pathsOf({ home: at, log: {} as never }).socket
  const socket = await openHookSocket({ path, answer, log: silent })
  whenFinished(socket.close)
  const ask = async (event: string, payload: string) => JSON.parse((await askDaemon(at, event, payload))!) as HookAnswer
  return { path, ask }
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#config/load.ts'
import { secretSamples } from '../../../test/corpus/secrets/secrets.ts'
import { mask, openLog, terminalLog } from './log.ts'

let home: string
let terminal: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'grove-log-'))
  terminal = []
})

function open(env: Record<string, string> = {}) {
  const { config } = readConfig({ env: { GROVE_HOME: home, ...env }, cwd: home })
  return openLog(config, (line) => terminal.push(line))
}

const lines = () =>
  readFileSync(join(home, 'logs', 'grove.log'), 'utf8')
    .trim()
    .split('\n')

describe('the log', () => {
  it('goes to the file from its level on, and to the terminal from warnings on', () => {
    const log = open()
    log.debug({}, 'one')
    log.info({ a: 1 }, 'two')
    log.warn({ err: new Error('disk') }, 'three')
    log.error({}, 'four')
    log.close()
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual(['two', 'three', 'four'])
    expect(terminal).toEqual(['warning: three (disk)', 'error: four'])
  })

  it('tells the person at the terminal the cause and what it was about, the same with and without a daemon', () => {
    const daemon = open()
    const command = terminalLog((line) => terminal.push(line))
    for (const log of [daemon, command]) {
      log.warn({ err: new Error('connect ECONNREFUSED'), host: 'api.test', headers: { a: 'b' } }, 'no answer')
      log.warn({ reason: 'no such table', model: 'm1', what: 'm1' }, 'm1 is not used')
      log.error({ err: new Error('cannot open /x/y'), path: '/x/y', waiting: 3 }, 'not written')
      log.warn({ root: 'sk-ant-api03-abcdefghijklmnop' }, 'too large')
      log.warn({}, 'plain')
    }
    daemon.close()
    const told = [
      'warning: no answer (connect ECONNREFUSED; host api.test)',
      'warning: m1 is not used (no such table)',
      'error: not written (cannot open /x/y; waiting 3)',
      'warning: too large (root sk-***)',
      'warning: plain',
    ]
    expect(terminal).toEqual([...told, ...told])
  })

  it('never throws: what cannot be written is told once, counted, and noted when it can be written again', () => {
    writeFileSync(join(home, 'logs'), 'in the way')
    const log = open()
    log.info({}, 'one')
    log.info({}, 'two')
    expect(terminal).toEqual([
      'warning: the log cannot be written (there is a file in its place); Grove goes on without it until it can',
    ])
    rmSync(join(home, 'logs'))
    log.info({}, 'three')
    log.info({}, 'four')
    log.close()
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual([
      'lines are missing before this one: the log could not be written',
      'three',
      'four',
    ])
    expect(JSON.parse(lines()[0]!).count).toBe(2)
  })

  it('follows LOG_LEVEL and DEBUG', () => {
    const quiet = open({ LOG_LEVEL: 'error' })
    quiet.warn({}, 'not written')
    quiet.error({}, 'written')
    quiet.close()
    const loud = open({ LOG_LEVEL: 'error', DEBUG: '1' })
    loud.debug({}, 'written too')
    loud.close()
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual(['written', 'written too'])
  })

  it('holds no key, wherever it stood', () => {
    const log = open()
    const key = 'sk-ant-api03-abcdefghijklmnop'
    log.warn({ headers: { authorization: `Bearer ${key}`, 'x-api-key': 'plain-secret' } }, 'request')
    log.warn({ req: { headers: { cookie: 'grove=plain-secret' } }, apiKey: 'plain-secret' }, `failed with ${key}`)
    log.warn({ err: new Error('connect postgres://ann:plain-secret@db/x') }, 'http://h/?token=plain-secret')
    log.close()
    const everything = lines().join() + terminal.join()
    expect(everything).not.toContain(key)
    expect(everything).not.toContain('plain-secret')
    expect(everything).toContain('postgres://ann:***@db/x')
  })

  it('is set aside when it is full, and only so many and so old files are kept', () => {
    const log = open({ LOG_MAX_SIZE_MB: '1', LOG_MAX_FILES: '2' })
    const text = 'x'.repeat(100_000)
    for (let i = 0; i < 45; i++) log.info({ i, text }, 'much')
    log.close()
    expect(readdirSync(join(home, 'logs')).sort()).toEqual(['grove.log', 'grove.log.1', 'grove.log.2'])
    const numbers = ['grove.log.2', 'grove.log.1', 'grove.log'].flatMap((name) =>
      [...readFileSync(join(home, 'logs', name), 'utf8').matchAll(/"i":(\d+)/g)].map((match) => Number(match[1])),
    )
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 45 - numbers.length + i))

    writeFileSync(join(home, 'logs', 'grove.log.7'), 'old')
    const longAgo = new Date(Date.now() - 90 * 86_400_000)
    utimesSync(join(home, 'logs', 'grove.log.1'), longAgo, longAgo)
    open({ LOG_MAX_SIZE_MB: '1', LOG_MAX_FILES: '2' }).close()
    expect(readdirSync(join(home, 'logs')).sort()).toEqual(['grove.log', 'grove.log.2'])
  })
})

it('masks what looks like a key and leaves the rest', () => {
  expect(mask('Authorization: Bearer abcdef123456 and sk-proj-123456789')).toBe('Authorization: Bearer *** and sk-***')
  expect(mask('a task-like word, http://127.0.0.1:8080/v1/messages')).toBe(
    'a task-like word, http://127.0.0.1:8080/v1/messages',
  )
})

it('lets no secret of any known shape through, and stays JSON', () => {
  const log = open()
  const samples = secretSamples(7, 1)
  for (const { text } of samples) log.warn({ err: new Error(text), command: text }, text)
  log.close()
  expect(lines().map((line) => JSON.parse(line))).toHaveLength(samples.length)
  const everything = lines().join('\n') + terminal.join('\n')
  expect(samples.filter(({ secret }) => everything.includes(secret))).toEqual([])
})

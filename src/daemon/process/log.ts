import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pino from 'pino'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { Log } from '#core/ports/runtime.ts'
import { redact } from '#core/redact/redact.ts'
import { reasonOf } from './home.ts'

const DAY = 24 * 60 * 60 * 1000
const MB = 1024 * 1024

/** Fields that never reach a log, wherever a request or a setting is logged. */
const SECRET_FIELDS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'apiKey', 'password', 'token']

/** The daemon's log: everything from `log.level` on to the file, warnings also to the terminal. */
export function openLog(config: Config, terminal: (line: string) => void): Log & { close(): void } {
  const level = config.debug ? 'debug' : config.log.level
  if (level === 'silent') return Object.assign(pino({ level }), { close() {} })
  const limits = {
    maxBytes: config.log.maxSizeMb * MB,
    maxFiles: config.log.maxFiles,
    maxAge: config.log.retentionDays * DAY,
  }
  const file = openLogFile(pathsOf(config).log, limits, (reason) =>
    terminal(`warning: the log cannot be written (${reason}); Grove goes on without it until it can`),
  )
  const streams = pino.multistream([
    { level, stream: { write: (line: string) => file.write(maskValues(line)) } },
    { level: 'warn', stream: { write: (line: string) => terminal(forPeople(maskValues(line))) } },
  ])
  const paths = SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  const logger = pino({ level, base: { pid: process.pid }, redact: { paths, censor: '***' } }, streams)
  return Object.assign(logger, { close: () => file.close() })
}

/** For commands that open the store themselves: warnings to the terminal, no file. */
export function terminalLog(terminal: (line: string) => void): Log {
  const nothing = () => {}
  const say = (word: string) => (fields: object, message: string) =>
    terminal(mask(`${word}: ${message}${particulars(fields, message)}`))
  return { debug: nothing, info: nothing, warn: say('warning'), error: say('error') }
}

/** What of a log entry helps the person who reads it; the rest is for the file. */
const TELLING = ['host', 'root', 'path', 'place', 'tool', 'model', 'what', 'about', 'session', 'waiting']

/** The cause, and what it was about, unless that was said already. */
function particulars(fields: object, message: string): string {
  const { err, reason, ...facts } = fields as Record<string, unknown> & { err?: { message?: unknown } }
  const cause = [err?.message, reason].filter((text) => typeof text === 'string' && text !== '')
  const said = `${message} ${cause.join(' ')}`
  const about = TELLING.filter((name) => ['string', 'number'].includes(typeof facts[name]))
    .filter((name) => facts[name] !== '' && !said.includes(String(facts[name])))
    .map((name) => `${name} ${facts[name]}`)
  const parts = [...cause, about.join(', ')].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join('; ')})` : ''
}

/** By value, so that what is masked is a whole text and the line stays JSON. */
function maskValues(line: string): string {
  const masked = JSON.parse(line, (_name, value: unknown) => (typeof value === 'string' ? mask(value) : value))
  return `${JSON.stringify(masked)}\n`
}

/** The last net under the field list: secrets in free text, such as an error message that quotes a header. */
export function mask(text: string): string {
  const known = text
    .replace(/\bsk-[\w-]{8,}/g, 'sk-***')
    .replace(/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, '$1 ***')
    .replace(/([?&]token=)[\w-]+/g, '$1***')
    .replace(/(:\/\/[^:@/\s"]*):[^@/\s"]+@/g, '$1:***@')
  return redact(known)
}

function forPeople(line: string): string {
  const { level, msg, ...fields } = JSON.parse(line) as { level: number; msg: string }
  const word = level >= pino.levels.values.error! ? 'error' : 'warning'
  return `${word}: ${msg}${particulars(fields, msg)}`
}

interface Limits {
  maxBytes: number
  maxFiles: number
  maxAge: number
}

/**
 * A file that is set aside as `grove.log.1`, `.2` … when it has grown too big. Written synchronously: lines are few
 * (the hot path logs nothing at `info`), and the last line before a crash is the one that matters. It never throws: what
 * cannot be written is counted, told once, and noted in the file when that can be written again.
 */
function openLogFile(path: string, limits: Limits, tell: (reason: string) => void) {
  let file: number | undefined
  let size = 0
  let lost = 0
  let isFailing = false
  /** A line broke off in the middle. */
  let isTorn = false
  const open = () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const opened = openSync(path, 'a', 0o600)
    size = fstatSync(opened).size
    file = opened
    return opened
  }
  const append = (line: string) => {
    let opened = file ?? open()
    if (size > 0 && size + line.length > limits.maxBytes) {
      close()
      rotate(path, limits)
      opened = open()
    }
    const bytes = Buffer.from(line)
    const written = writeSync(opened, bytes)
    size += written
    isTorn = written < bytes.length
    if (isTorn) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  const close = () => {
    const opened = file
    file = undefined
    if (opened !== undefined) closeSync(opened)
  }
  const attempt = (work: () => void) => {
    try {
      work()
      isFailing = false
    } catch (error) {
      if (!isFailing) tell(reasonOf((error as NodeJS.ErrnoException).code))
      isFailing = true
    }
    return !isFailing
  }
  attempt(() => {
    open()
    removeOld(path, limits)
  })
  return {
    write(line: string) {
      const before = lost === 0 ? '' : `${isTorn ? '\n' : ''}${lostLines(lost)}`
      if (attempt(() => append(before + line))) lost = 0
      else lost++
    },
    close: () => void attempt(close),
  }
}

function lostLines(count: number): string {
  const msg = 'lines are missing before this one: the log could not be written'
  return `${JSON.stringify({ level: pino.levels.values.warn, time: Date.now(), count, msg })}\n`
}

function rotate(path: string, limits: Limits): void {
  for (const { file, number } of setAside(path).reverse()) renameSync(file, `${path}.${number + 1}`)
  renameSync(path, `${path}.1`)
  removeOld(path, limits)
}

function removeOld(path: string, { maxFiles, maxAge }: Limits): void {
  for (const { file, number } of setAside(path)) {
    if (number > maxFiles || Date.now() - statSync(file).mtimeMs > maxAge) rmSync(file, { force: true })
  }
}

/** Files set aside earlier, newest first. */
function setAside(path: string): { file: string; number: number }[] {
  const prefix = `${basename(path)}.`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => ({ file: join(dirname(path), name), number: Number(name.slice(prefix.length)) }))
    .sort((a, b) => a.number - b.number)
}

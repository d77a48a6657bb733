/**
 * Runs before each test file: no name but localhost is looked up outside. `.invalid` is answered here, as a name that
 * nobody has; any other name fails the test file.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { afterAll, expect } from 'vitest'

const foreign: string[] = []

const isLocal = (name: string) => isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')

function refused(name: string): Error {
  if (!name.endsWith('.invalid')) foreign.push(name)
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
}

const { lookup } = dns
const lookupSoon = dns.promises.lookup
type Heard = (error: Error) => void

dns.lookup = ((name: string, ...rest: unknown[]) =>
  isLocal(name)
    ? (lookup as (...given: unknown[]) => void)(name, ...rest)
    : process.nextTick(rest.at(-1) as Heard, refused(name))) as typeof dns.lookup
dns.promises.lookup = (async (name: string, ...rest: unknown[]) => {
  if (!isLocal(name)) throw refused(name)
  return (lookupSoon as (...given: unknown[]) => unknown)(name, ...rest)
}) as typeof dns.promises.lookup
syncBuiltinESMExports()

afterAll(() => {
  expect(foreign, 'names that were looked up').toEqual([])
})

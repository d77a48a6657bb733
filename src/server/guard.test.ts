import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, allowedHosts, hostName, isLoopback, type Policy, type Visitor } from './guard.ts'

const machine = { names: ['workstation'], addresses: ['127.0.0.1', '192.168.1.5', 'fe80::1'] }
const local: Policy = { hosts: allowedHosts('127.0.0.1', machine, []), token: 'the-token', pairing: false }
const open: Policy = { hosts: allowedHosts('0.0.0.0', machine, ['grove.example']), token: 'the-token', pairing: true }

const get: Visitor = { method: 'GET', url: '/', host: 'localhost:3333' }
const post: Visitor = { ...get, method: 'POST', url: '/api/x' }
const codeOf = (visitor: Visitor, policy = local) => {
  const verdict = admit(visitor, policy)
  return verdict.allow ? 'allowed' : verdict.refusal.code
}

describe('on this machine', () => {
  it.each(['localhost:3333', '127.0.0.1:3333', '[::1]:3333', 'LOCALHOST', 'localhost.:80', 'localhost:4000'])(
    'a browser that asks for %s is answered',
    (host) => expect(codeOf({ ...get, host })).toBe('allowed'),
  )

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '192.168.1.5',
    'a b',
    '127.0.0.1@evil.example',
  ])('a name that was bent to point here is not: %s', (host) =>
    expect(codeOf({ ...get, host })).toBe('host_not_allowed'),
  )

  it('the own page may read and change', () => {
    expect(codeOf({ ...get, origin: 'http://localhost:3333' })).toBe('allowed')
    expect(codeOf({ ...post, origin: 'http://localhost:3333', fetchSite: 'same-origin' })).toBe('allowed')
  })

  it.each(['http://evil.example', 'null', 'http://localhost:9999', 'http://127.0.0.1:3333', 'file://'])(
    'the page of another origin may neither read nor change: %s',
    (origin) => {
      expect(codeOf({ ...get, origin })).toBe('origin_not_allowed')
      expect(codeOf({ ...post, origin })).toBe('origin_not_allowed')
      expect(codeOf({ ...post, origin, bearer: 'the-token' })).toBe('origin_not_allowed')
    },
  )

  it('a foreign page may link here, but not load from here', () => {
    expect(codeOf({ ...get, fetchSite: 'cross-site', fetchMode: 'navigate' })).toBe('allowed')
    expect(codeOf({ ...get, fetchSite: 'cross-site', fetchMode: 'no-cors' })).toBe('origin_not_allowed')
    expect(codeOf({ ...get, fetchSite: 'none', fetchMode: 'navigate' })).toBe('allowed')
  })

  it('a tool may read, and needs the token to change', () => {
    expect(codeOf(get)).toBe('allowed')
    expect(codeOf(post)).toBe('token_required')
    expect(codeOf({ ...post, bearer: 'the-tokeN' })).toBe('token_required')
    expect(codeOf({ ...post, bearer: 'the-token' })).toBe('allowed')
  })
})

describe('open to others', () => {
  const browser: Visitor = { ...get, host: '192.168.1.5:3333' }

  it('nothing but /health is answered without the token', () => {
    expect(codeOf(browser, open)).toBe('pairing_required')
    expect(codeOf({ ...browser, url: '/api/agents' }, open)).toBe('pairing_required')
    expect(codeOf({ ...browser, url: '/?token=wrong' }, open)).toBe('pairing_required')
    expect(codeOf({ ...browser, method: 'POST', origin: 'http://192.168.1.5:3333' }, open)).toBe('pairing_required')
    expect(codeOf({ ...browser, url: '/health' }, open)).toBe('allowed')
  })

  it('the token in the address becomes a cookie and leaves the address', () => {
    expect(admit({ ...browser, url: '/a/b?x=1&token=the-token' }, open)).toEqual({
      allow: true,
      pair: true,
      location: '/a/b?x=1',
    })
    expect(admit({ ...browser, url: '/?token=the-token' }, open)).toEqual({ allow: true, pair: true, location: '/' })
  })

  it('the way on never leads to another host', () => {
    const verdict = admit({ ...browser, url: '//evil.example/x?token=the-token' }, open)
    expect(verdict).toEqual({ allow: true, pair: true, location: '/evil.example/x' })
  })

  it('a paired browser and a tool with the token are answered', () => {
    expect(codeOf({ ...browser, cookie: 'the-token' }, open)).toBe('allowed')
    expect(codeOf({ ...browser, bearer: 'the-token', method: 'DELETE' }, open)).toBe('allowed')
  })

  it("answers to the machine's own names and addresses, and to those the user adds", () => {
    for (const host of ['workstation:3333', 'workstation.local', '192.168.1.5', '[fe80::1]:3333', 'grove.example']) {
      expect(codeOf({ ...browser, host, cookie: 'the-token' }, open)).toBe('allowed')
    }
    expect(codeOf({ ...browser, host: 'evil.example', cookie: 'the-token' }, open)).toBe('host_not_allowed')
  })
})

it('no request, however odd, breaks the guard or gets in from elsewhere', () => {
  const odd = fc.option(fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('null', '[', ':', '@', 'localhost')), {
    nil: undefined,
  })
  fc.assert(
    fc.property(
      fc.record({
        method: fc.constantFrom('GET', 'POST'),
        url: fc.string().map((s) => `/${s}`),
        host: odd,
        origin: odd,
      }),
      (visitor) => {
        const verdict = admit(visitor, local)
        if (verdict.allow) expect(local.hosts).toContain(hostName(visitor.host))
        if (verdict.allow && visitor.origin !== undefined)
          expect(local.hosts).toContain(new URL(visitor.origin).hostname)
      },
    ),
  )
})

it('tells loopback addresses from others', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) expect(isLoopback(host)).toBe(true)
  for (const host of ['0.0.0.0', '::', '192.168.1.5', '127.evil.example', 'workstation'])
    expect(isLoopback(host)).toBe(false)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, allowedHosts, hostName, type Policy, type Visitor } from './authenticate.ts'
import { keysOf } from './keys.ts'

const machine = { names: ['workstation'], addresses: ['127.0.0.1', '192.168.1.5', 'fe80::1'] }
const keys = keysOf('the-token')
const redeem: Policy['redeem'] = (ticket) => (ticket === 'a-ticket' ? 'owner' : undefined)
const local: Policy = { hosts: allowedHosts('127.0.0.1', machine, []), keys, redeem }
const open: Policy = { hosts: allowedHosts('0.0.0.0', machine, ['grove.example']), keys, redeem }

const known = { cookie: keys.cookie }
const get: Visitor = { method: 'GET', url: '/', host: 'localhost:3333' }
const post: Visitor = { ...get, method: 'POST', url: '/api/x' }
const codeOf = (visitor: Visitor, policy = local) => {
  const verdict = admit(visitor, policy)
  if (!verdict.allow) return verdict.refusal.code
  return 'as' in verdict ? verdict.as : 'paired'
}

describe('a browser with the cookie', () => {
  it.each(['localhost:3333', '127.0.0.1:3333', '[::1]:3333', 'LOCALHOST', 'localhost.:80', 'localhost:4000'])(
    'that asks for %s is answered',
    (host) => expect(codeOf({ ...get, ...known, host })).toBe('browser'),
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
  ])('by a name that was bent to point here is not: %s', (host) =>
    expect(codeOf({ ...get, ...known, host })).toBe('host_not_allowed'),
  )

  it('may read and change from the own page', () => {
    expect(codeOf({ ...get, ...known, origin: 'http://localhost:3333' })).toBe('browser')
    expect(codeOf({ ...post, ...known, origin: 'http://localhost:3333', fetchSite: 'same-origin' })).toBe('browser')
  })

  it.each(['http://evil.example', 'null', 'http://localhost:9999', 'http://127.0.0.1:3333', 'file://'])(
    'may neither read nor change from the page of another origin: %s',
    (origin) => {
      expect(codeOf({ ...get, ...known, origin })).toBe('origin_not_allowed')
      expect(codeOf({ ...post, ...known, origin })).toBe('origin_not_allowed')
      expect(codeOf({ ...post, origin, bearer: 'the-token' })).toBe('origin_not_allowed')
    },
  )

  it('may follow a link from a foreign page, but not be made to load from here', () => {
    expect(codeOf({ ...get, ...known, fetchSite: 'cross-site', fetchMode: 'navigate' })).toBe('browser')
    expect(codeOf({ ...get, ...known, fetchSite: 'cross-site', fetchMode: 'no-cors' })).toBe('origin_not_allowed')
    expect(codeOf({ ...get, ...known, fetchSite: 'none', fetchMode: 'navigate' })).toBe('browser')
  })
})

describe.each([
  ['on this machine', local, 'localhost:3333'],
  ['open to others', open, '192.168.1.5:3333'],
])('%s', (_where, policy, host) => {
  const page: Visitor = { ...get, host, origin: `http://${host}`, fetchSite: 'same-origin' }

  it('nobody is answered without a secret of this home, whatever their headers claim', () => {
    for (const visitor of [{ ...get, host }, page]) {
      expect(codeOf(visitor, policy)).toBe('pairing_required')
      expect(codeOf({ ...visitor, url: '/api/agents' }, policy)).toBe('pairing_required')
      expect(codeOf({ ...visitor, url: '/ws' }, policy)).toBe('pairing_required')
      expect(codeOf({ ...visitor, url: '/?token=wrong' }, policy)).toBe('pairing_required')
      expect(codeOf({ ...visitor, url: '/healthy' }, policy)).toBe('pairing_required')
      expect(codeOf({ ...visitor, method: 'POST' }, policy)).toBe('token_required')
      expect(codeOf({ ...visitor, method: 'POST', url: '/hooks/stop' }, policy)).toBe('token_required')
      expect(codeOf({ ...visitor, method: 'POST', url: '/health' }, policy)).toBe('token_required')
    }
  })

  it('anybody may ask whether it runs', () => {
    expect(codeOf({ ...get, host, url: '/health' }, policy)).toBe('stranger')
    expect(codeOf({ ...get, host, url: '/health?x' }, policy)).toBe('stranger')
  })

  it('a tool needs the token, and every letter of it', () => {
    expect(codeOf({ ...post, host, bearer: 'the-tokeN' }, policy)).toBe('token_required')
    expect(codeOf({ ...post, host, bearer: 'the-token' }, policy)).toBe('tool')
    expect(codeOf({ ...get, host, bearer: 'the-token' }, policy)).toBe('tool')
  })

  it('each secret opens what it is for, and nothing else', () => {
    const hook: Visitor = { ...post, host, url: '/hooks/pre-tool-use' }
    expect(codeOf({ ...hook, bearer: keys.hooks }, policy)).toBe('hook')
    expect(codeOf({ ...hook, bearer: 'the-token' }, policy)).toBe('tool')
    expect(codeOf({ ...hook, cookie: keys.cookie }, policy)).toBe('token_required')
    expect(codeOf({ ...post, host, bearer: keys.hooks }, policy)).toBe('token_required')
    expect(codeOf({ ...get, host, bearer: keys.hooks }, policy)).toBe('pairing_required')
    for (const key of [keys.link, keys.cookie, keys.page]) {
      expect(codeOf({ ...get, host, bearer: key }, policy)).toBe('pairing_required')
    }
    for (const key of ['the-token', keys.link, keys.page, keys.hooks]) {
      expect(codeOf({ ...get, host, cookie: key }, policy)).toBe('pairing_required')
    }
    for (const key of [keys.cookie, keys.page, keys.hooks]) {
      expect(codeOf({ ...get, host, url: `/?token=${key}` }, policy)).toBe('pairing_required')
    }
  })

  it('the link becomes a cookie and leaves the address', () => {
    const opened = (url: string) => admit({ ...get, host, url }, policy)
    expect(opened(`/a/b?x=1&token=${keys.link}`)).toEqual({ allow: true, pair: 'owner', location: '/a/b?x=1' })
    expect(opened(`/?token=${keys.link}`)).toEqual({ allow: true, pair: 'owner', location: '/' })
    expect(opened('/?token=a-ticket')).toEqual({ allow: true, pair: 'owner', location: '/' })
    expect(codeOf({ ...post, host, url: `/?token=${keys.link}` }, policy)).toBe('token_required')
  })

  it('the way on never leads to another host', () => {
    const verdict = admit({ ...get, host, url: `//evil.example/x?token=${keys.link}` }, policy)
    expect(verdict).toEqual({ allow: true, pair: 'owner', location: '/evil.example/x' })
  })
})

it("open to others it answers to the machine's own names and addresses, and to those the user adds", () => {
  for (const host of ['workstation:3333', 'workstation.local', '192.168.1.5', '[fe80::1]:3333', 'grove.example']) {
    expect(codeOf({ ...get, ...known, host }, open)).toBe('browser')
  }
  expect(codeOf({ ...get, ...known, host: 'evil.example' }, open)).toBe('host_not_allowed')
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
        const verdict = admit({ ...visitor, ...known }, local)
        if (verdict.allow) expect(local.hosts).toContain(hostName(visitor.host))
        if (verdict.allow && visitor.origin !== undefined)
          expect(local.hosts).toContain(new URL(visitor.origin).hostname)
      },
    ),
  )
})

import { expect, it } from 'vitest'
import { localUrlOf, outsideHostsOf, urlOf } from './listening-address.ts'

it('writes IPv6 addresses in brackets', () => {
  expect(urlOf({ host: '::1', port: 3000 })).toBe('http://[::1]:3000')
  expect(urlOf({ host: 'grove.example', port: 3000 })).toBe('http://grove.example:3000')
})

it.each(['0.0.0.0', '::'])('reaches a listener on every address (%s) through loopback', (host) => {
  expect(localUrlOf({ host, port: 3000 })).toBe('http://127.0.0.1:3000')
  expect(outsideHostsOf(host)).not.toContain('127.0.0.1')
})

it('reaches a listener on one address there', () => {
  expect(localUrlOf({ host: '192.0.2.7', port: 3000 })).toBe('http://192.0.2.7:3000')
  expect(outsideHostsOf('192.0.2.7')).toEqual(['192.0.2.7'])
})

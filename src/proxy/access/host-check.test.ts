import { describe, expect, it } from 'vitest'
import { createHostCheck } from './host-check.ts'

describe('which hosts are ours', () => {
  it('on loopback only loopback names and addresses', () => {
    const check = createHostCheck('127.0.0.1')
    const allowed = ['localhost', 'localhost:8080', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:8080']
    const refused = [
      '',
      'example.com',
      '192.168.1.5',
      '127.0.0.1.example.com',
      '127.example.com',
      'localhost.example.com',
      'user@localhost',
      'localhost:99999999',
      'localhost/x',
      '[::1',
      '::1',
      '0x7f.1',
    ]
    expect(allowed.filter((host) => !check.allowsHost(host))).toEqual([])
    expect(refused.filter((host) => check.allowsHost(host))).toEqual([])
    expect(check.allowsHost(undefined)).toBe(false)
  })

  it('also the configured host and the names the user added', () => {
    const check = createHostCheck('grove.lan', ['host.docker.internal'])
    expect(check.allowsHost('GROVE.lan:8080')).toBe(true)
    expect(check.allowsHost('host.docker.internal:8080')).toBe(true)
    expect(check.allowsHost('other.lan')).toBe(false)
  })

  it('on a wildcard address every IP address, which no rebound name can be, but no name', () => {
    const check = createHostCheck('0.0.0.0')
    expect(check.allowsHost('192.168.1.5:8080')).toBe(true)
    expect(check.allowsHost('[fe80::1]:8080')).toBe(true)
    expect(check.allowsHost('attacker.example')).toBe(false)
  })

  it('stays right when it has seen more hosts than it remembers', () => {
    const check = createHostCheck('127.0.0.1')
    for (let i = 0; i < 500; i++) expect(check.allowsHost(`h${i}.example`)).toBe(false)
    expect(check.allowsHost('localhost')).toBe(true)
  })
})

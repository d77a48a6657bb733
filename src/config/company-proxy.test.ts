import { describe, expect, it } from 'vitest'
import { directly, isDirect } from './company-proxy.ts'

const GROVE = 'http://127.0.0.1:8080/grove-key'
const COMPANY = { HTTPS_PROXY: 'http://proxy.example:3128' }

describe('a proxy of a company', () => {
  it('is passed by on the way to this machine, and kept for everything else', () => {
    expect(directly(COMPANY, GROVE)).toEqual({ NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' })
    expect(directly({ all_proxy: 'socks5://proxy.example', no_proxy: 'intranet.example' }, GROVE)).toEqual({
      NO_PROXY: 'intranet.example,127.0.0.1',
      no_proxy: 'intranet.example,127.0.0.1',
    })
  })

  it.each([
    {},
    { HTTPS_PROXY: '' },
    { NO_PROXY: 'intranet.example' },
    { ...COMPANY, NO_PROXY: 'intranet.example, 127.0.0.1' },
    { ...COMPANY, NO_PROXY: '*' },
    { ...COMPANY, no_proxy: '127.0.0.1:8080' },
  ])('is no reason to change anything where nothing would go through it: %j', (env) => {
    expect(directly(env, GROVE)).toEqual({})
    expect(isDirect(env, GROVE)).toBe(true)
  })

  it.each([
    { NO_PROXY: 'localhost' },
    { NO_PROXY: '127.0.0.1:3333' },
    { NO_PROXY: '127.0.0.1', no_proxy: 'x.example' },
  ])('is not passed by because of %j: that is how the client reads it', (env) =>
    expect(isDirect({ ...COMPANY, ...env }, GROVE)).toBe(false),
  )
})

import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Admission, keyedUrl } from './admission.ts'

const KEY = 'k'.repeat(32)
const admission = new Admission({ key: KEY, isOurs: async () => false, isOpen: false })

function take(url: string): { isOurs: boolean; url: string } {
  const request = { method: 'POST', url, rawHeaders: [], socket: {} as Socket }
  return { isOurs: admission.takeKey(request), url: request.url }
}

describe('the key in the path of a request', () => {
  it('makes it this user’s, and goes no further', () => {
    expect(take(keyedUrl('', KEY))).toEqual({ isOurs: true, url: '/' })
    expect(take(`${keyedUrl('', KEY)}/v1/messages?beta=true`)).toEqual({ isOurs: true, url: '/v1/messages?beta=true' })
  })

  it.each(['j'.repeat(32), `${'k'.repeat(31)}j`, `j${'k'.repeat(31)}`])('is another one: %s', (key) => {
    expect(take(`${keyedUrl('', key)}/v1/messages`)).toEqual({ isOurs: false, url: '/v1/messages' })
  })

  it.each([`/grove-${KEY.slice(1)}/v1`, `/grove-${KEY}k/v1`, '/grove-/v1', '/v1/messages', `/v1/grove-${KEY}`])(
    'is none, and the path stays as it is: %s',
    (url) => expect(take(url)).toEqual({ isOurs: false, url }),
  )
})

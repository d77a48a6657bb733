import { describe, expect, it } from 'vitest'
import { readHookEvent } from '#protocol/hook-event.ts'
import { type ProxyState, proxyNotice } from './proxy-notice.ts'

const HERE = 'http://127.0.0.1:8080'
const started = { url: HERE, started: true }
const off = { off: 'Port 8080 is taken by nginx', fix: 'Choose another port.' }

async function said(event: string, baseUrl: string | undefined, state: ProxyState, inSettings = false) {
  let asked = 0
  const reach = async () => {
    asked++
    return state
  }
  const payload = { hook_event_name: event, session_id: 's', cwd: '/', prompt: 'x', tool_name: 'Read', tool_input: {} }
  const part = proxyNotice({ baseUrl, port: 8080, reach, goPast: async () => inSettings })
  const said = await part.handle(readHookEvent(payload))
  return { asked, notice: said?.notice, ...(said?.deny && { deny: said.deny }) }
}

describe('a Claude Code that goes through a proxy that is not there', () => {
  it.each(['SessionStart', 'UserPromptSubmit'])('gets it started at %s', async (event) => {
    expect(await said(event, HERE, started)).toEqual({ asked: 1, notice: expect.stringContaining('has been started') })
  })

  it('hears nothing when somebody else has started it meanwhile', async () => {
    expect(await said('SessionStart', HERE, { url: HERE, started: false })).toEqual({ asked: 1, notice: undefined })
  })

  it.each(['SessionStart', 'UserPromptSubmit'])('is pointed past it at %s, and told why', async (event) => {
    const { notice } = await said(event, HERE, off, true)
    expect(notice).toMatch(/^Port 8080 is taken by nginx\. Claude Code now goes straight to the API.*another port\.$/)
  })

  it.each([true, false])(
    'sends nothing to a stranger on its port (settings pointed past it just now: %s)',
    async (now) => {
      const stranger = { ...off, stranger: true }
      expect((await said('UserPromptSubmit', HERE, stranger, now)).deny).toMatch(
        /nginx\. .* nothing was sent.* another port\.$/,
      )
      expect(await said('SessionStart', HERE, stranger, now)).not.toHaveProperty('deny')
    },
  )

  it('is told once what to do where only its own process is pointed at it', async () => {
    expect((await said('SessionStart', HERE, off)).notice).toMatch(/nginx, and this .* `grove claude`, or .*unregister/)
    expect((await said('UserPromptSubmit', HERE, off)).notice).toBeUndefined()
  })

  it.each([
    ['SessionStart', undefined],
    ['SessionStart', 'https://api.anthropic.com'],
    ['SessionStart', 'http://127.0.0.1:9999'],
    ['PostToolUse', HERE],
  ])('is left alone otherwise (%s, %s)', async (event, baseUrl) => {
    expect(await said(event, baseUrl, started)).toEqual({ asked: 0, notice: undefined })
  })
})

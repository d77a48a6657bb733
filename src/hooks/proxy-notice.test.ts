import { describe, expect, it } from 'vitest'
import { readHookEvent } from '#protocol/hook-event.ts'
import { proxyNotice } from './proxy-notice.ts'

const HERE = 'http://127.0.0.1:8080'

async function said(event: string, baseUrl: string | undefined, starts: boolean) {
  let asked = 0
  const start = () => {
    asked++
    return starts
  }
  const payload = { hook_event_name: event, session_id: 's', cwd: '/', prompt: 'x', tool_name: 'Read', tool_input: {} }
  const answer = await proxyNotice(baseUrl, 8080, start).handle(readHookEvent(payload))
  return { asked, notice: answer?.notice }
}

describe('a Claude Code that goes through a proxy that is not there', () => {
  it.each(['SessionStart', 'UserPromptSubmit'])('gets it started at %s', async (event) => {
    expect(await said(event, HERE, true)).toEqual({ asked: 1, notice: expect.stringContaining('is being started') })
  })

  it('is told once what to do where that is not wanted', async () => {
    expect((await said('SessionStart', HERE, false)).notice).toContain('Start it with `grove up`')
    expect((await said('UserPromptSubmit', HERE, false)).notice).toBeUndefined()
  })

  it.each([
    ['SessionStart', undefined],
    ['SessionStart', 'https://api.anthropic.com'],
    ['SessionStart', 'http://127.0.0.1:9999'],
    ['PostToolUse', HERE],
  ])('is left alone otherwise (%s, %s)', async (event, baseUrl) => {
    expect(await said(event, baseUrl, true)).toEqual({ asked: 0, notice: undefined })
  })
})

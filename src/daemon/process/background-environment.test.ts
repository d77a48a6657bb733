import { describe, expect, it } from 'vitest'
import { backgroundEnvironment, keepMemorySettings } from './background-environment.ts'

describe('a daemon in the background', () => {
  it('hears nothing of the session that starts it, and all of the user', () => {
    const env = { PATH: '/bin', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
    expect(backgroundEnvironment(env, '/home/of/grove')).toEqual({
      PATH: '/bin',
      GROVE_HOME: '/home/of/grove',
      GROVE_STARTED_BY: 'claude',
      MALLOC_TRIM_THRESHOLD_: '131072',
    })
  })

  it('gives back freed memory early and does not tell the programs that it starts', () => {
    const env = backgroundEnvironment({ PATH: '/bin' }, '/home/of/grove')
    keepMemorySettings(env)
    expect(env).toEqual({ PATH: '/bin', GROVE_HOME: '/home/of/grove', GROVE_STARTED_BY: 'claude' })
  })

  it("leaves a limit of the user's own as it is", () => {
    const env = backgroundEnvironment({ MALLOC_TRIM_THRESHOLD_: '1000000' }, '/home/of/grove')
    keepMemorySettings(env)
    expect(env.MALLOC_TRIM_THRESHOLD_).toBe('1000000')
  })
})

import { expect, it } from 'vitest'
import { childEnvironment } from './environment.ts'

it('gives a run what the client needs, and nothing else of ours', () => {
  const own = {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: 'https://elsewhere',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: 'eu-west-1',
    https_proxy: 'http://proxy',
    MY_TOOLCHAIN: '/opt/tool',
    GOOGLE_APPLICATION_CREDENTIALS: '/of/another/cloud',
    GROVE_TOKEN: 'ours',
    GROVE_SPAWN: 'of an outer run',
    DATABASE_URL: 'postgres://secret',
    GITHUB_TOKEN: 'secret',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'of an outer session',
    CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
    NODE_OPTIONS: '--inspect',
    EMPTY: undefined,
  }
  const env = childEnvironment(own, { spawnId: 'spawn-1', baseUrl: 'http://127.0.0.1:8787', pass: ['MY_TOOLCHAIN'] })
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:8787',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: 'eu-west-1',
    https_proxy: 'http://proxy',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    MY_TOOLCHAIN: '/opt/tool',
    GROVE_SPAWN: 'spawn-1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  })
})

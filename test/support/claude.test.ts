import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { runClaude, startClaude } from './claude.ts'
import { tempDir } from './project.ts'

async function world(scenario: string) {
  const simulator = await startSimulator({ scenario: parseScenario(scenario, 'test.yaml') })
  const home = await tempDir('home')
  onTestFinished(async () => {
    await simulator.close()
    await rm(home, { recursive: true, maxRetries: 5 })
  })
  return { simulator, home }
}

describe('the real client in a test', () => {
  it('knows nothing of the machine but a path, a home, a key and where to call', async () => {
    const { simulator, home } = await world('default: "You said {{last_user}}"')
    vi.stubEnv('SECRET_OF_THE_MACHINE', 'yes')
    onTestFinished(() => void vi.unstubAllEnvs())
    const settings = {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'env > "$HOME/seen.txt"' }] }] },
    }
    const run = await runClaude({ baseUrl: simulator.url, prompt: 'Hello', home, settings, env: { GIVEN: 'yes' } })

    expect(run).toMatchObject({ exitCode: 0, signal: null, stderr: '', home, result: { result: 'You said Hello' } })
    expect(run.sessionId).toBe(run.result?.session_id)
    const seen = await readFile(join(home, 'seen.txt'), 'utf8')
    expect(seen).toContain('GIVEN=yes')
    expect(seen).not.toContain('SECRET_OF_THE_MACHINE')
  })

  it('takes its turns over standard input too', async () => {
    const { simulator, home } = await world('default: "You said {{last_user}}"')
    const input = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Hello again' } })}\n`
    const args = ['--input-format=stream-json']
    const run = await runClaude({ baseUrl: simulator.url, prompt: '', home, args, input })
    expect(run.result?.result).toBe('You said Hello again')
  })

  it('can be ended at any moment', async () => {
    const { simulator, home } = await world('default: { hang_after: 0 }')
    const running = await startClaude({ baseUrl: simulator.url, prompt: 'Hello', home })
    await simulator.until(() => simulator.requests.some(({ method }) => method === 'POST'))
    running.kill()
    expect(await running.done).toMatchObject({ exitCode: null, signal: 'SIGKILL', result: undefined })
  })
})

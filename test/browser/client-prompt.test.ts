import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { runClaude } from '../support/claude.ts'
import { agent } from '../support/story.ts'
import { openTerminal, trustFolder } from '../support/terminal.ts'
import { withApp } from './support/app.ts'

const { app, person, open } = withApp({ isEmpty: true, files: { 'notes.md': 'one\n' } })

/** The client asks on many accounts of its own in a terminal; this is the agent. */
const main = (reply: object | string) => ({ when: { has_tool: 'Read', agent: false }, reply })
const PATIENTLY = { timeout: 60_000, interval: 3_000 }
const ESC = '\x1b'

it('shows what Claude Code asks in its terminal, and the first answer counts wherever it is given', async ({
  onTestFinished,
}) => {
  const { bash, write } = agent
  const simulator = await startSimulator({
    scenario: parseScenario(
      JSON.stringify({
        replies: [
          main(bash('touch allowed-on-the-page')),
          main(bash('touch refused-on-the-page')),
          main(write('allowed-in-the-terminal.txt', 'as it was told\n')),
          main(bash('touch refused-in-the-terminal')),
          main(bash('touch headless')),
          main('Nobody could be asked.'),
        ],
        default: '{"title":"Prompts"}',
      }),
      'prompts',
    ),
    vars: { cwd: app.scene.dir },
  })
  onTestFinished(simulator.close)
  await app.scene.grove('init')
  const context = await person(onTestFinished)
  const page = await open(context, '/inbox')
  await page.getByText('Nothing waits for you.').waitFor()

  const place = { baseUrl: simulator.url, home: dirname(app.scene.home), cwd: app.scene.dir }
  const terminal = await openTerminal(onTestFinished, { ...place, args: ['--permission-mode=default'] })
  await trustFolder(terminal)
  await terminal.say('Make the files')
  const asks = (name: string) => page.getByRole('button', { name })
  /** A prompt that has only just appeared forgets what it hears. */
  const pressUntil = (key: string, isSo: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        const so = await isSo()
        if (!so) terminal.press(key)
        return so
      }, PATIENTLY)
      .toBe(true)
  const isThere = (name: string) => existsSync(join(app.scene.dir, name))

  await asks('Bash: touch allowed-on-the-page').waitFor()
  await page.getByText('Permission request').waitFor()
  await terminal.shows('touch allowed-on-the-page', 'Do you want')
  await page.keyboard.press('1')
  await expect.poll(() => isThere('allowed-on-the-page'), { timeout: 60_000 }).toBe(true)

  await asks('Bash: touch refused-on-the-page').waitFor()
  await terminal.shows('touch refused-on-the-page', 'Do you want')
  await page.keyboard.press('2')
  await page.getByLabel('A word to the agent').fill('Write it with a tool')
  await page.keyboard.press('Control+Enter')

  await asks('Write allowed-in-the-terminal.txt').waitFor()
  await page.getByText('as it was told').waitFor()
  await terminal.shows('allowed-in-the-terminal.txt', 'Do you want')
  await pressUntil('1', async () => isThere('allowed-in-the-terminal.txt'))

  await asks('Bash: touch refused-in-the-terminal').waitFor()
  expect(await asks('Write allowed-in-the-terminal.txt').count()).toBe(0)
  await terminal.shows('touch refused-in-the-terminal', 'Do you want')
  await pressUntil(ESC, async () => (await asks('Bash: touch refused-in-the-terminal').count()) === 0)
  await page.getByText('Nothing waits for you.').waitFor()

  // Without a terminal nobody sees the prompt but the hook, and the run must not wait for it.
  const run = await runClaude({ ...place, prompt: 'Make one more', allowed: [] })
  expect(run.result).toMatchObject({ result: 'Nobody could be asked.', is_error: false })

  expect(isThere('refused-on-the-page') || isThere('refused-in-the-terminal') || isThere('headless')).toBe(false)
  expect(simulator.requests.some(({ body }) => body.toString().includes('Write it with a tool'))).toBe(true)
  expect(await app.scene.get('/api/approvals')).toEqual({ approvals: [] })
  expect(page.complaints).toEqual([])
}, 300_000)

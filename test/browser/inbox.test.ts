import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until, withApp } from './support/app.ts'
import { AGENT } from './support/scene.ts'

const { app, person, open } = withApp()
let calls = 0

/** The agent wants to write; resolves to the hook's answer once a person has decided. */
function write(name: string): Promise<unknown> {
  return app.scene.hook('pre-tool-use', {
    session_id: AGENT,
    hook_event_name: 'PreToolUse',
    cwd: app.scene.dir,
    tool_name: 'Write',
    tool_input: { file_path: join(app.scene.dir, name), content: 'x' },
    tool_use_id: `toolu_browser_${++calls}`,
  })
}

it('shows what an agent waits for, and a person answers by mouse, by key and with a word', async ({
  onTestFinished,
}) => {
  await app.scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
  const context = await person(onTestFinished)
  const page = await open(context, '/inbox')
  await page.getByText('Nothing waits for you.').waitFor()

  const first = write('src/invoice/a.ts')
  await page.getByRole('button', { name: 'Write src/invoice/a.ts' }).waitFor()
  await until(
    () => page.title(),
    (title) => title.startsWith('(1) '),
  )
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('circle')
  await page.getByRole('button', { name: 'Allow this once' }).click()
  expect(JSON.stringify(await first)).not.toContain('deny')
  await page.getByText('Nothing waits for you.').waitFor()

  const second = write('src/invoice/b.ts')
  await page.getByRole('button', { name: 'Write src/invoice/b.ts' }).waitFor()
  await page.keyboard.press('1')
  expect(JSON.stringify(await second)).not.toContain('deny')
  await page.getByText('Nothing waits for you.').waitFor()

  // What an agent says is text, never markup.
  const third = write('src/invoice/<img src=x onerror=alert(1)>.ts')
  await page.getByRole('button', { name: /onerror/ }).waitFor()
  expect(await page.locator('.inbox img').count()).toBe(0)
  await page.keyboard.press('2')
  const word = page.getByLabel('A word to the agent')
  await word.fill('Use a plain name')
  // What was typed survives a reload.
  await page.reload()
  expect(await word.inputValue()).toBe('Use a plain name')
  await word.press('Control+Enter')
  expect(await third).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(page.complaints).toEqual([])
})

it('agrees with a second tab, and brings back what was snoozed', async ({ onTestFinished }) => {
  const context = await person(onTestFinished)
  const [one, two] = [await open(context, '/inbox'), await open(context, '/inbox')]
  const waiting = write('src/invoice/c.ts')
  await Promise.all([one, two].map((page) => page.getByRole('button', { name: 'Write src/invoice/c.ts' }).waitFor()))
  await one.getByRole('button', { name: /Snooze/ }).click()
  await Promise.all([one, two].map((page) => page.getByRole('tab', { name: 'Snoozed 1' }).waitFor()))
  await two.getByRole('tab', { name: 'Snoozed 1' }).click()
  await two.getByRole('button', { name: 'Allow this once' }).click()
  expect(JSON.stringify(await waiting)).not.toContain('deny')
  await two.getByText('Nothing is snoozed.').waitFor()
  await one.getByText('Nothing waits for you.').waitFor()
})

it('turns away a browser that nobody has let in', async ({ onTestFinished }) => {
  const context = await app.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const response = await page.goto(`${app.scene.url}/inbox`)
  expect(response?.status()).toBe(401)
  await page.getByText('grove open').waitFor()
})

it('goes anywhere by a few letters, though Grove answers nothing just then', async ({ onTestFinished }) => {
  const context = await person(onTestFinished)
  const page = await open(context, '/inbox')
  const link = page.getByRole('link', { name: /^Agents/ }).first()
  await link.focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await until(() => link.evaluate((element) => element === element.ownerDocument.activeElement), Boolean)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.method()))
  await page.route(/\/(api|assets)\//, () => {})
  await page.keyboard.press('Control+k')
  await page.keyboard.type('memory')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/memory', { waitUntil: 'commit' })
  // Nothing of it reached the page below, where the same keys answer what waits.
  expect(asked.filter((method) => method !== 'GET')).toEqual([])
})

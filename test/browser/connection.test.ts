import { expect, it } from 'vitest'
import { until, withApp } from './support/app.ts'
import { seriousFindings, tooWide } from './support/axe.ts'

const { app, person, open } = withApp()

it('says that the connection is broken, keeps what is done meanwhile, and sends it once when Grove is back', async ({
  onTestFinished,
}) => {
  const context = await person(onTestFinished)
  const page = await open(context, '/memory/mem_3')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Goal').fill('Back-fills run in small batches')
  await app.scene.stop()
  await page.getByText(/Reconnecting…|Connection lost/).waitFor()
  for (const theme of ['light', 'dark'] as const) expect(await seriousFindings(page, theme)).toEqual([])
  expect(await tooWide(page, [1024, 390, 360, 1440])).toEqual([])
  await page.getByRole('button', { name: 'Save for the whole team' }).click()
  const waiting = () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")
  await until(waiting, (kept) => kept.includes('/api/memories/mem_3'))
  await app.scene.restart()
  // The page also tries by itself, and the button is gone once it has succeeded: nothing waits for the click.
  const hurried = page
    .getByRole('button', { name: 'Try now' })
    .click()
    .catch(() => {})
  await until(
    () => app.scene.get('/api/memories/mem_3'),
    (memory) => (memory as { goal: string }).goal === 'Back-fills run in small batches',
  )
  await page.getByRole('heading', { name: 'Back-fills run in small batches' }).waitFor()
  await until(waiting, (kept) => kept === '[]')
  await page.getByText(/Reconnecting/).waitFor({ state: 'detached' })
  await page.close()
  await hurried
})

it('deletes a memory only when nobody has undone it', async ({ onTestFinished }) => {
  const context = await person(onTestFinished)
  const page = await open(context, '/memory/mem_4')
  await page.getByRole('button', { name: 'More about this memory' }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await app.scene.get('/api/memories/mem_4')).toMatchObject({ id: 'mem_4' })

  await page.goto(`${app.scene.url}/memory/mem_5`)
  await page.getByRole('button', { name: 'More about this memory' }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  await page.locator('.toast').waitFor()
  // A reload in between loses nothing: it is done all the same.
  await page.reload()
  await until(
    () => app.scene.get('/api/memories/mem_5'),
    (memory) => (memory as { code?: string }).code === 'memory_not_found',
  )
})

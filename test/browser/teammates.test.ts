import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serveScripted, step } from './support/scripted-server.ts'

it('a teammate is invited, says a name, answers, reviews the plan and signs it off under that name', async ({
  onTestFinished,
}) => {
  const heard: string[] = []
  const { url, visit, complaints, project, engine } = await serveScripted(onTestFinished, [
    ({ ask }) =>
      ask([{ question: 'Which kind of token?', options: [{ label: 'JWT' }, { label: 'Opaque' }], priority: 1 }]),
    async ({ call }) => void (await call('propose_plan', { steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs')] })),
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    async (turn) => {
      heard.push(turn.heard)
      await turn.call('propose_plan', { steps: [step('a', 'src/a.mjs')] })
    },
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    ({ ask }) => ask([{ question: 'A last one?', type: 'confirmation', priority: 1 }]),
  ])
  const owner = await visit()
  await owner.getByRole('heading', { name: 'Inbox' }).waitFor()
  await owner.goto(`${url}/settings/team`)
  await owner.getByRole('button', { name: 'Make an invitation' }).click()
  const link = await owner.locator('.command code', { hasText: '://' }).first().innerText()

  // The other browser is asked once for a name, and never again.
  const other = await visit(new URL(link).pathname + new URL(link).search)
  await other.getByRole('dialog', { name: 'Welcome to Grove' }).waitFor()
  await other.getByLabel('Your name').fill('Robin')
  await other.keyboard.press('Enter')
  await other.getByRole('dialog').waitFor({ state: 'detached' })
  await other.reload()
  await other.getByRole('heading', { name: 'Inbox' }).waitFor()
  await other.getByText('Connected', { exact: true }).waitFor()
  expect(await other.getByRole('dialog').count()).toBe(0)
  await owner.reload()
  await owner.getByText('Robin').waitFor()

  await owner.goto(`${url}/features/new`)
  await owner.getByLabel('Title').fill('Add login')
  await owner.getByLabel('Project folder').fill(project.dir)
  await owner.getByLabel('Description').fill('People can log in.')
  await owner.keyboard.press('Control+Enter')
  await owner.getByRole('heading', { name: 'Add login' }).waitFor()
  const feature = new URL(owner.url()).pathname

  // Whoever answers, it is known who it was.
  await other.goto(url + feature)
  await other.getByText('Which kind of token?').first().waitFor()
  await other.keyboard.press('2')
  await other.keyboard.press('Control+Enter')
  await owner.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  await owner.getByText('Robin answered').first().waitFor()

  // The plan is sent to the teammate; it waits in their inbox and in no other.
  await owner.getByRole('button', { name: 'Ask Robin to look at plan v1' }).click()
  await owner.getByText('was asked to look at v1').waitFor()
  await other.goto(`${url}/inbox`)
  await other.getByText(/asks you to look at plan v1/).waitFor()
  await owner.goto(`${url}/inbox`)
  await owner.getByText('Plan approval').first().waitFor()
  expect(await owner.getByText(/asks you to look at plan/).count()).toBe(0)

  // They comment on a line, and say what they think; nothing goes on by it.
  await other.goto(url + feature)
  await other.getByRole('button', { name: 'Comment on: Write src/b.mjs' }).click()
  await other.getByLabel(/Comment on Write src\/b.mjs/).fill('This step is not needed')
  await other.keyboard.press('Control+Enter')
  await other.getByLabel('What you think of the plan').fill('Smaller, please')
  await other.getByRole('button', { name: 'Ask for changes' }).click()
  await other.getByText('wants changes of v1, 1 comment').waitFor()
  await owner.goto(url + feature)
  await owner.getByText('This step is not needed').first().waitFor()
  await owner.getByRole('button', { name: 'Send what Robin said as one change request' }).click()
  await owner.getByText('Plan v2').first().waitFor()
  expect(heard[0]).toContain('This step is not needed')
  expect(heard[0]).toContain('Smaller, please')

  // They sign off, and everything is kept under their name.
  await other.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  await other.getByText('Plan v2').first().waitFor()
  const approve = other.getByRole('button', { name: 'Approve plan v2 and start implementing' })
  await approve.waitFor()
  if (await approve.isDisabled()) await other.getByLabel(/I approve plan v2/).check()
  await approve.click()
  await owner.getByText('approved by Robin').waitFor()
  await owner.getByText('Robin approved the plan').waitFor()
  const { folder, session } = engine.all()[0]!
  const kept = (file: string) => readFileSync(join(folder, file), 'utf8')
  expect(session.approval).toMatchObject({ by: 'Robin' })
  expect(JSON.parse(kept('session.json')).approval).toMatchObject({ by: 'Robin' })
  expect(JSON.parse(kept('questions.json')).questions[0].answer).toMatchObject({ by: 'Robin' })
  expect(JSON.parse(kept('reviews.json')).people).toMatchObject([{ person: 'Robin', verdict: 'changes' }])
  expect(kept('events.json')).toContain('"by":"Robin"')

  // Taken back, the other browser is not let in any more.
  await owner.goto(`${url}/settings/team`)
  await owner.getByRole('button', { name: 'Take the pairing back' }).click()
  await owner.getByRole('button', { name: 'Do not let Robin in any more' }).click()
  await owner.getByText('Nobody else yet.').waitFor()
  await other.reload()
  await other.getByText('Grove does not know this browser').waitFor()
  expect(complaints).toEqual([])
})

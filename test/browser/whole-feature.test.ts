import { expect, it } from 'vitest'
import type { Script } from '../support/scripted-agent.ts'
import { tabTo } from './support/keyboard.ts'
import { put, serveScripted, step } from './support/scripted-server.ts'

it('goes from the form to the final approval by keyboard, with reloads in between', async ({ onTestFinished }) => {
  const heard: string[] = []
  const { visit, complaints, project } = await serveScripted(onTestFinished, [
    ({ ask }) =>
      ask([
        {
          question: 'Which kind of token?',
          options: [{ label: 'JWT', recommended: true }, { label: 'Opaque' }],
          priority: 1,
        },
        { question: 'Log out too?', type: 'confirmation', priority: 1 },
      ]),
    async (turn) => {
      heard.push(turn.heard)
      await turn.call('propose_plan', { steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs')] })
    },
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    async (turn) => {
      heard.push(turn.heard)
      await turn.call('propose_plan', {
        steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs'), step('c', 'src/c.mjs')],
      })
    },
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    ...['a', 'b', 'c'].map(
      (id): Script =>
        async (turn) => {
          await put(turn, `src/${id}.mjs`, `export const ${id} = 1\n`)
          await turn.call('complete_step', { stepId: id, summary: `${id} is there` })
        },
    ),
    async ({ call }) => void (await call('report_pr', { title: 'Add login', body: '## Summary\nLogin.' })),
    async ({ call }) => void (await call('report_review', { findings: [] })),
  ])

  const page = await visit()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.press('f')
  await page.getByLabel('Title').waitFor()
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.type('Add login')
  await page.keyboard.press('Tab')
  await page.keyboard.type(project.dir)
  await page.keyboard.press('Tab')
  await page.keyboard.type('People can log in.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Add login' }).waitFor()

  // Discovery asks; the second option, then yes.
  await page.getByText('Which kind of token?').waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('j')
  await page.keyboard.press('1')
  await page.reload()
  await page.getByRole('button', { name: /Send 2 answers/ }).waitFor()
  await page.keyboard.press('Control+Enter')

  // The first plan is reviewed; a comment makes a second one.
  const comment = page.getByRole('button', { name: 'Comment on: Write src/b.mjs' })
  await comment.waitFor()
  await page.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  expect(heard[0]).toContain('Opaque')
  await tabTo(page, comment)
  await page.keyboard.press('Enter')
  await page.keyboard.type('A step for c as well')
  await page.keyboard.press('Control+Enter')
  const send = page.getByRole('button', { name: /Send 1 comment/ })
  await send.waitFor()
  await tabTo(page, send)
  await page.keyboard.press('Enter')
  await page.getByText('Plan v2').first().waitFor()
  await page.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  expect(heard[1]).toContain('A step for c as well')
  await page.reload()

  const approve = page.getByRole('button', { name: 'Approve plan v2 and start implementing' })
  await approve.waitFor()
  if (await approve.isDisabled()) {
    await tabTo(page, page.getByLabel(/I approve plan v2/))
    await page.keyboard.press('Space')
  }
  await tabTo(page, approve)
  await page.keyboard.press('Enter')

  // Steps, checks, commit and the local review go by themselves.
  const complete = page.getByRole('button', { name: 'Complete this feature' })
  await complete.waitFor({ timeout: 90_000 })
  await page.getByText('All tests pass').first().waitFor()
  await tabTo(page, complete)
  await page.keyboard.press('Enter')
  await page.getByText('This feature is complete.').waitFor()
  expect(await project.git('log', '--format=%s', 'feature/add-login')).toContain('Add login')
  expect(complaints).toEqual([])
})

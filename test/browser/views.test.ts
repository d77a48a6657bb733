import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withApp } from './support/app.ts'
import { seriousFindings, tooWide } from './support/axe.ts'
import { SAID, type StateName } from './support/feature-stories.ts'
import { beginLive } from './support/live-feature.ts'
import { AGENT, askForApproval } from './support/scene.ts'
import type { WorkedFeatures } from './support/worked-features.ts'

const { app, person, open } = withApp({ features: true, month: true })

const press = (key: string) => (tab: Page) => tab.keyboard.press(key)
const choose = (menu: string, item: RegExp) => async (tab: Page) => {
  await tab.getByRole('button', { name: menu }).click()
  await tab.getByRole('menuitem', { name: item }).click()
}
const click = (name: string | RegExp) => (tab: Page) => tab.getByRole('button', { name }).first().click()

type Place = string | ((features: WorkedFeatures & { live: string }) => string | Promise<string>)

/** The way of a thing that only a phone shows. */
const onPhone = (open: (tab: Page) => Promise<unknown>) => async (tab: Page) => {
  await tab.setViewportSize({ width: 390, height: 900 })
  await open(tab)
}
const learningPath = async () => {
  const { learnings } = (await app.scene.get('/api/learnings?status=active')) as { learnings: { id: string }[] }
  return `/learnings/${learnings[0]!.id}`
}
/** Refusals that are a question of their own are reached for real in checkout.test.ts. */
const refusedForm = (code: string) => async (tab: Page) => {
  await tab.getByLabel('Title').fill('Add login')
  await tab.getByLabel('Project folder').fill(app.scene.dir)
  await tab.getByLabel('Description').fill('People can log in.')
  await tab
    .getByText('billing, on')
    .or(tab.getByText(/, on main/))
    .first()
    .waitFor()
  await tab.route(/\/api\/sessions$/, (route) =>
    route.fulfill({ status: 409, json: { status: 'error', code, message: 'It is so.', suggestion: '' } }),
  )
  await tab.getByRole('button', { name: /Start discovery/ }).click()
}
/** A view, what stands in it, and what is opened in it. All of it is the real server's answer. */
type View = [name: string, path: Place, shows: string | RegExp, open?: (tab: Page) => Promise<unknown>]
const VIEWS: View[] = [
  ['inbox', '/inbox', 'src/invoice/tax.ts'],
  ['features', '/features', 'Rotate refresh tokens on every use'],
  ['features: archived', '/features?show=archived', 'Metrics by user'],
  ['branches without a session', '/features', /^feature\/keep-scans/, click(/without a session/)],
  ['new feature', '/features/new', 'Acceptance criteria'],
  ['agents', '/agents', 'Make close.test.ts pass 20 times in a row'],
  ['agent', `/agents/${AGENT}`, 'Do not raise the timeout'],
  ['memory', '/memory/mem_0?q=refresh+token', 'SHA-256 of the token instead of bcrypt'],
  ['learnings', '/learnings', 'Money is kept as integers of cents, never as floats'],
  ['learnings: turned down', '/learnings?life=rejected', 'Tests should be written carefully'],
  ['learnings: contradictions', '/learnings?life=contradictions', 'Do not run the migrations before the seed script'],
  ['intents', '/intents/INT-014', 'src/invoice/**'],
  ['insights', '/insights', /Drift/],
  ['settings', '/settings', /Pause/],
  ['team', '/settings/team', 'Make an invitation', click('Make an invitation')],
  ['palette', '/inbox', 'Show all keys', press('Control+k')],
  ['keys', '/inbox', 'go anywhere', press('?')],
  [
    'rollback',
    ({ breaker }) => breaker,
    'Save everything and roll back',
    choose('More about this feature', /Roll back/),
  ],
  ['versions', ({ review }) => review, /Limit attempts per address/, click('Versions')],
  ['board', ({ live }) => `${live}?view=board`, 'Rotate on every use'],
  ['timeline', ({ live }) => `${live}?view=timeline`, 'Rotate on every use'],
  ['configuration', '/settings/configuration', 'workflow.recommended_reviews'],
  ['doctor', '/settings/doctor', /\d+ checks/],
  ['attachments', '/settings/attachments', /Claude Code/],
  ['comment on a line', ({ review }) => `${review}?view=tree`, 'Add comment', click(/^Comment on: Detect reuse/)],
  ['editor of a memory', '/memory/mem_0', 'Save for the whole team', click('Edit')],
  ['learning', learningPath, 'Worth keeping because'],
  ['editor of a learning', learningPath, 'Edit learning', click('Edit')],
  ['blame', '/intents?file=src%2Finvoice%2Ftax.ts', 'were written by an agent'],
  ['insights as a table', '/insights', 'Recovered', click('As a table')],
  ['drift as a table', `/agents/${AGENT}`, 'Correction', click('As a table')],
  ['what was injected', `/agents/${AGENT}`, /placed in/, click('correction')],
  ['run of a check', ({ final }) => `${final}/evidence`, 'Copy the output', click('Show the run')],
  ['more places', '/inbox', 'More places', onPhone(click('More'))],
  ['form with mistakes', '/features/new', /fields need a change/, click(/Start discovery/)],
  ...(
    [
      ['dirty_tree', 'Stash them and start here'],
      ['session_active', /Only one feature can work in a checkout/],
      ['branch_exists', 'Continue from that branch'],
    ] as const
  ).map(([code, shows]): View => [`form refused: ${code}`, '/features/new', shows, refusedForm(code)]),
  ['nowhere', '/inbox/nothing/at/all', 'This address leads nowhere.'],
  ...Object.entries(SAID).map(
    ([state, shows]): View => [`feature: ${state}`, (features) => features[state as StateName], shows],
  ),
  ['feature: at work', ({ live }) => live, '3 Implementation'],
  ['feature tab: output', ({ live }) => `${live}/output`, 'part-2.ts'],
  ['feature tab: conversation', ({ live }) => `${live}/conversation`, 'part-2.ts'],
  ['feature tab: changes', ({ final }) => `${final}/changes`, 'export const days = 400'],
  ['feature tab: evidence', ({ final }) => `${final}/evidence`, 'All tests pass'],
  ['feature tab: pr', ({ prReview }) => `${prReview}/pr`, 'expected 2 families, got 1'],
]

/** Every width once, both themes twice. */
const THEMES = [
  ['light', 360],
  ['dark', 390],
  ['light', 1024],
  ['dark', 1440],
] as const

let page: Awaited<ReturnType<typeof open>>
let features: Parameters<Exclude<Place, string>>[0]
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  const context = await person((work) => void ends.push(work))
  await askForApproval(app.scene)
  page = await open(context, '/inbox')
  features = { ...app.scene.features, live: await beginLive(page, app.scene) }
}, 900_000)
afterAll(async () => {
  for (const end of ends) await end()
})

it.each(VIEWS)(
  '%s fits every width in both themes, without a serious finding of axe',
  async (_name, path, shows, opened) => {
    page.complaints.length = 0
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.unrouteAll()
    await page.goto(app.scene.url + (typeof path === 'string' ? path : await path(features)))
    await page.locator('h1:visible').first().waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await opened?.(page)
    await page.getByText(shows).first().waitFor()
    expect(await tooWide(page, [1440, 1024, 390, 360])).toEqual([])
    for (const [theme, width] of THEMES) {
      await page.setViewportSize({ width, height: 900 })
      expect(await seriousFindings(page, theme), `${theme}, ${width}`).toEqual([])
    }
    expect(page.complaints).toEqual([])
  },
)

interface Shown {
  session: {
    session: { carried: { from: string; text: string }[]; replanningCount: number }
  }
}
const stateOf = async (path: string) =>
  ((await app.scene.get(`/api/sessions${path.slice('/features'.length)}`)) as Shown).session

const visit = async (path: string) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(app.scene.url + path)
  await page.locator('h1:visible').first().waitFor()
}

it('takes an answer to a question of every kind by keyboard, and keeps half of it over a reload', async () => {
  await visit(features.discovery)
  await page.getByText('What happens when a refresh token is used twice?').waitFor()
  // The second option of the first question, the third of the second one too, yes, and words.
  for (const key of ['2', 'j', '3', 'j', '1']) await page.keyboard.press(key)
  await page.getByRole('textbox', { name: /What should a person read/ }).fill('You were signed out.')
  await page.reload()
  const send = page.getByRole('button', { name: /Send 4 answers/ })
  await send.waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Should the old column be removed?').first().waitFor()
  const { events } = (await app.scene.get(`/api/sessions${features.discovery.slice('/features'.length)}/events`)) as {
    events: { payload: { type: string; answer?: { value: string | string[] } } }[]
  }
  const given = events.flatMap(({ payload }) => (payload.type === 'question.answered' ? [payload.answer!.value] : []))
  expect(given).toHaveLength(4)
  expect(given).toContainEqual('yes')
  expect(given).toContainEqual('You were signed out.')
  expect(given.map((value) => [value].flat().length).toSorted()).toEqual([1, 1, 1, 3])
})

it('gathers comments on lines of a plan, and sends forty as one change request', async () => {
  await visit(`${features.paused}?view=tree`)
  await page.getByRole('button', { name: 'Comment on: Detect reuse and revoke the family' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('What about two tabs?')
  await page.keyboard.press('Control+Enter')
  await page.getByText('1 comment that Claude has not seen yet').waitFor()
  await page.evaluate(`{
    const name = Object.keys(localStorage).find((key) => key.startsWith('grove.draft.comments.plan.'))
    const [first] = JSON.parse(localStorage.getItem(name))
    const more = Array.from({ length: 39 }, (_, at) => ({ ...first, text: 'comment ' + at }))
    localStorage.setItem(name, JSON.stringify([first, ...more]))
  }`)
  await page.reload()
  await page.getByRole('button', { name: 'Send 40 comments as one change request' }).click()
  await page.getByText('Sent as one change request').waitFor()
  const { session } = await stateOf(features.paused)
  const told = session.carried.map(({ text }) => text).join('\n')
  expect(told).toContain('What about two tabs?')
  expect(told).toContain('comment 38')
})

it('makes a change request of a comment on a line of code', async () => {
  await visit(`${features.final}/changes`)
  await page.getByRole('button', { name: 'Comment on line 1' }).first().click()
  await page.getByLabel(/Comment on src\/stock\/archive.ts:1/).fill('Why 400?')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('button', { name: 'Send 1 comment as one change request' }).click()
  await page.getByText('Sent as one change request').waitFor()
  expect((await stateOf(features.final)).session.replanningCount).toBe(1)
})

it('shows the words of a pull request as text, and says where a link leads', async () => {
  await visit(`${features.prReview}/pr`)
  await page.getByText('(example.com)').waitFor()
  expect(await page.locator('.foot img').count()).toBe(0)
  expect(page.complaints).toEqual([])
})

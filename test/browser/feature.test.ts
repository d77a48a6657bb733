import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { withApp } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES, feature } from './support/features.ts'

const { person, open } = withApp({ isEmpty: true })
const at = ({ summary }: (typeof FEATURES)[keyof typeof FEATURES]) =>
  `/features/${summary.projectId}/${summary.featureId}`

describe('a feature session, by keyboard alone', () => {
  it('begins from the form, is answered, approved and completed', async ({ onTestFinished }) => {
    const { discovery, clean, final, completed } = FEATURES
    const place = { projectId: 'p-billing', featureId: discovery.summary.featureId }
    const here = (one: typeof discovery) => ({
      ...one,
      summary: { ...one.summary, ...place, waiting: one.summary.waiting.map((wait) => ({ ...wait, ...place })) },
    })
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, '/inbox', async (tab) => {
      const next = [here(clean), here(final), here(completed)]
      ;({ sent } = await serveFeatures(tab, [discovery], { after: () => next.shift() }))
    })
    await page.keyboard.press('c')
    await page.keyboard.press('f')
    await page.getByRole('heading', { name: 'New feature' }).waitFor()
    await page.getByLabel('Title').focus()
    await page.keyboard.type('Split shipments by customs zone')
    await page.keyboard.press('Tab')
    await page.keyboard.type('/src/biling')
    await page.keyboard.press('Tab')
    await page.getByText('Did you mean /src/billing?').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('/src/billing')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Shipments to more than one zone need one set of papers each.')
    // Nothing that was typed is lost by a reload.
    await page.reload()
    expect(await page.getByLabel('Title').inputValue()).toBe('Split shipments by customs zone')
    await page.getByText('It has uncommitted changes').waitFor()
    await page.keyboard.press('Control+Enter')

    await page.getByRole('heading', { name: 'Split shipments by customs zone' }).waitFor()
    expect(sent[0]).toMatchObject({
      path: '/api/sessions',
      body: { projectPath: '/src/billing', acceptanceCriteria: expect.any(Array) },
    })
    // The second option of the first question, the third of the second one too, yes, and words.
    await page.keyboard.press('2')
    await page.keyboard.press('j')
    await page.keyboard.press('3')
    await page.keyboard.press('j')
    await page.getByText('Answer “May the migration').waitFor()
    await page.keyboard.press('1')
    await page.reload()
    // The answers given so far are still there.
    await page.getByRole('button', { name: /Send 4 answers/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Approve the plan' }).waitFor()
    expect(sent[1]!.body.answers).toEqual([
      { questionId: 'q1', value: 'second' },
      { questionId: 'q2', value: ['web', 'new', 'old'] },
      { questionId: 'q3', value: 'yes' },
      { questionId: 'q4', value: '' },
    ])

    const approve = page.getByRole('button', { name: 'Approve plan v3 and start implementing' })
    expect(await approve.isDisabled()).toBe(true)
    await page.getByLabel(/I approve plan v3 after 6 of 10 reviews/).focus()
    await page.keyboard.press('Space')
    await approve.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Complete this feature' }).focus()
    expect(sent[2]).toMatchObject({
      path: expect.stringContaining('/plan/approve'),
      body: { planHash: 'hash-v3', signOff: true },
    })
    await page.keyboard.press('Enter')
    await page.getByText('This feature is complete.').waitFor()
    expect(sent[3]).toMatchObject({ body: { action: 'merge' } })
    expect(page.complaints).toEqual([])
  })
})

describe('the plan', () => {
  it('is commented on line by line, and forty comments go as one request', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES.review), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await page.getByRole('button', { name: 'Comment on: Detect reuse and revoke the family' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('What about two tabs?')
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 comment that Claude has not seen yet').waitFor()
    const name = `grove.draft.comments.plan.${FEATURES.review.session.id}`
    await page.evaluate(
      `localStorage.setItem('${name}', JSON.stringify(Array.from({ length: 40 }, (_, at) => ({ stepId: '2.1', quote: 'x', text: 'comment ' + at }))))`,
    )
    await page.reload()
    const send = page.getByRole('button', { name: 'Send 40 comments as one change request' })
    await send.click()
    await page.getByText('Sent as one change request').waitFor()
    expect(sent).toHaveLength(1)
    expect(sent[0]!.body).toMatchObject({
      planHash: 'hash-v3',
      comments: expect.arrayContaining([{ stepId: '2.1', quote: 'x', text: 'comment 39' }]),
    })
  })

  it('is shown as tree, board and timeline, each with an address, and says what a version changed', async ({
    onTestFinished,
  }) => {
    const context = await person(onTestFinished)
    const page = await open(context, `${at(FEATURES.implementing)}?view=board`, (tab) =>
      serveFeatures(tab, Object.values(FEATURES)),
    )
    await page.getByRole('progressbar', { name: 'Step 3.1' }).waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    expect(page.url()).toContain('view=timeline')
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByText('A family has one live token.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('of 2,000 steps scrolls', async ({ onTestFinished }) => {
    const { plan } = FEATURES.review
    const steps = Array.from({ length: 2_000 }, (_, index) => ({
      ...plan!.steps[1]!,
      id: String(index),
      uid: `u${index}`,
      orderIndex: index,
      title: `Step number ${index}`,
    }))
    const many = feature('many', 'Many steps', 2, { plan: { ...plan!, steps } })
    const context = await person(onTestFinished)
    const page = await open(context, `${at(many)}?view=tree`, (tab) => serveFeatures(tab, [many]))
    await page.getByText('Step number 0', { exact: true }).waitFor()
    expect(await page.locator('.tree-step').count()).toBeLessThan(120)
    await page.locator('.band.plan .band-body').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.getByText('Step number 1999', { exact: true }).waitFor()
  })
})

describe('what stops a feature', () => {
  const choose = async (page: Page, label: string) => {
    await page.getByLabel(label).first().check()
    await page.locator('.band.waits .button.primary').click()
  }

  it.each([
    ['usageLimit', 'Wait and try again', 'wait'],
    ['hourlyLimit', 'Go on over the limit, for this session', 'override'],
    ['rebase', 'Merge the base branch instead', 'merge_base'],
    ['ghLogin', 'I have run gh auth login; try again', 'retry'],
    ['expired', 'Stash the changes and begin clean', 'stash_and_start'],
    ['interrupted', 'Go on where it stopped', 'resume'],
    ['breaker', 'Reset the breaker and go on', 'reset'],
    ['stuck', 'Go on as before', 'continue'],
    ['budget', 'Go on over the budget', 'continue'],
    ['timedOut', 'Try again', 'retry'],
    ['pushConsent', 'Keep it on this machine, with a local review', 'local_review'],
  ] as const)('%s offers its ways out', async (state, label, choice) => {
    const finished: (() => Promise<void>)[] = []
    const context = await person((work) => void finished.push(work))
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES[state]), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await choose(page, label)
    await expect.poll(() => sent.at(-1)?.body.choice).toBe(choice)
    for (const work of finished) await work()
  })

  it('takes guidance, and keeps it until it is sent', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES.checksFailed), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    const words = page.getByLabel('What to tell Claude')
    await words.fill('The labels are numbered from zero')
    await page.reload()
    expect(await words.inputValue()).toBe('The labels are numbered from zero')
    await page.locator('.band.waits .button.primary').click()
    await expect
      .poll(() => sent.at(-1)?.body)
      .toMatchObject({ choice: 'guide', text: 'The labels are numbered from zero' })
  })

  it('that could not be read shows the words of Claude, and takes an answer in words', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES.unparsed), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await page.getByText('I looked at the code and I think we should talk').waitFor()
    const send = page.getByRole('button', { name: /Answer Claude in your words/ })
    expect(await send.isDisabled()).toBe(true)
    await page.getByLabel('What to tell Claude').focus()
    await page.keyboard.type('UTC everywhere, and zones only when something is shown')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ choice: 'guide', text: /^UTC everywhere/ })
  })

  it('that is damaged says so, what is safe, and offers nothing that cannot be done', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    const page = await open(context, at(FEATURES.corrupted), (tab) => serveFeatures(tab, Object.values(FEATURES)))
    await page.getByText('The state of this session is damaged').waitFor()
    await page.getByText('feature/corrupted').first().waitFor()
    expect(await page.locator('.band.waits .button.primary').count()).toBe(0)
    await page.getByRole('button', { name: 'More about this feature' }).click()
    expect(await page.getByRole('menuitem', { name: /Pause|Roll back|Interrupt/ }).count()).toBe(0)
  })

  it('is a window that gets full: the page says how full, in words', async ({ onTestFinished }) => {
    const { session } = FEATURES.implementing
    const full = feature('full', 'A long conversation', 3, {
      summary: { executing: true },
      session: { usage: { ...session.usage, contextTokens: 172_000, window: 200_000 } },
    })
    const context = await person(onTestFinished)
    const page = await open(context, at(full), (tab) => serveFeatures(tab, [full]))
    expect(await page.getByText('86 % of the window').getAttribute('class')).toBe('wait')
  })

  it('goes on when a person says so after a pause', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES.paused), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => sent.at(-1)?.path).toMatch(/\/resume$/)
  })

  it('rolls back only after a yes, and says how to get everything back', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, at(FEATURES.breaker), async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await page.getByRole('button', { name: 'More about this feature' }).click()
    await page.getByRole('menuitem', { name: /Roll back/ }).click()
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Save everything and roll back' }).click()
    await page.getByText('git checkout refs/grove/saved/1 -- .').waitFor()
    expect(sent[0]!.body).toMatchObject({ confirm: true })
  })

  it('shows a refusal and lets the answer stand', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    const page = await open(context, at(FEATURES.clean), (tab) =>
      serveFeatures(tab, Object.values(FEATURES), {
        refuse: () => ({
          status: 409,
          code: 'plan_changed',
          message: 'The plan has changed since you read it.',
          suggestion: 'Read version 4.',
        }),
      }),
    )
    await page.getByLabel(/I approve plan v3/).check()
    await page.getByRole('button', { name: /Approve plan v3/ }).click()
    await page.getByText('The plan has changed since you read it. Read version 4.').waitFor()
  })
})

describe('what keeps a feature from beginning', () => {
  async function startIn(refused: { code: string; message: string }, onTestFinished: Parameters<typeof person>[0]) {
    const context = await person(onTestFinished)
    let refusals = 1
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, '/features/new', async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES), {
        refuse: ({ path }) =>
          path === '/api/sessions' && refusals-- > 0 ? { status: 409, suggestion: '', ...refused } : undefined,
      }))
    })
    await page.getByLabel('Title').fill('Split shipments by customs zone')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Description').fill('One set of papers each.')
    await page.getByText('It has uncommitted changes').waitFor()
    await page.keyboard.press('Control+Enter')
    return { page, sent }
  }

  it('is a checkout with changes: they are stashed, or a worktree is used', async ({ onTestFinished }) => {
    const refused = { code: 'dirty_tree', message: 'The checkout has uncommitted changes: src/a.ts.' }
    const { page, sent } = await startIn(refused, onTestFinished)
    await page.getByRole('dialog', { name: 'Your checkout has uncommitted changes' }).waitFor()
    await page.getByRole('button', { name: 'Stash them and start here' }).click()
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ options: { stash: true } })
  })

  it('is another feature in the same checkout: this one goes into a worktree', async ({ onTestFinished }) => {
    const refused = { code: 'session_active', message: 'Offline scan queue works in this checkout.' }
    const { page, sent } = await startIn(refused, onTestFinished)
    await page.getByText('Offline scan queue works in this checkout.').waitFor()
    await page.getByRole('button', { name: 'Start in a worktree instead' }).click()
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ options: { mode: 'worktree' } })
  })
})

describe('what happened', () => {
  it('is 200,000 lines long, and still scrolls, finds and follows', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    const page = await open(context, `${at(FEATURES.implementing)}/output`, (tab) =>
      serveFeatures(tab, Object.values(FEATURES), { lines: 200_000 }),
    )
    await page.getByText('200,000 lines').waitFor()
    await page.locator('.output-line .nr', { hasText: '200000' }).waitFor()
    expect(await page.locator('.output-line').count()).toBeLessThan(150)
    await page.getByLabel('Follow').uncheck()
    const middle = page.locator('.output-line .nr', { hasText: /^(99|100)\d{3}$/ })
    const scroll = async () => {
      await page.locator('.output').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
      return middle.count()
    }
    await expect.poll(scroll, { timeout: 60_000 }).toBeGreaterThan(0)
    await page.getByLabel('Search the output').fill('--run 1501')
    await page.getByText(/^[1-9][\d,]* hits$/).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.output-line.found', { hasText: '--run 1501' }).waitFor()
  })

  it('is changed code, commented on where it stands', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    let sent: { path: string; body: Record<string, unknown> }[] = []
    const page = await open(context, `${at(FEATURES.implementing)}/changes`, async (tab) => {
      ;({ sent } = await serveFeatures(tab, Object.values(FEATURES)))
    })
    await page.getByRole('button', { name: 'Comment on line 29' }).click()
    await page.getByLabel(/Comment on src\/auth\/refresh.ts:29/).fill('Read it inside the transaction')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByRole('button', { name: /Tell Claude now/ }).click()
    await expect.poll(() => String(sent.at(-1)?.body.text)).toContain('About src/auth/refresh.ts:29')
  })

  it('is a pull request whose words are text, and whose links say where they lead', async ({ onTestFinished }) => {
    const context = await person(onTestFinished)
    const page = await open(context, `${at(FEATURES.prReview)}/pr`, (tab) =>
      serveFeatures(tab, Object.values(FEATURES)),
    )
    await page.getByText('expected 2 families, got 1').first().waitFor()
    await page.getByText('(github.invalid)').waitFor()
    expect(await page.locator('.foot img').count()).toBe(0)
    expect(page.complaints).toEqual([])
  })
})

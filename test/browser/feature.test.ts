import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { withApp } from './support/app.ts'
import { seriousFindings, tooWide } from './support/axe.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'

const { app, person, open } = withApp({ isEmpty: true })
const at = ({ summary }: (typeof FEATURES)[keyof typeof FEATURES]) =>
  `/features/${summary.projectId}/${summary.featureId}`

it.each(['/inbox', '/features', '/agents', '/memory', '/learnings', '/intents', '/insights', '/settings/team'])(
  '%s has words for having nothing, at every width, without a serious finding of axe',
  async (path) => {
    const finished: (() => Promise<void>)[] = []
    const context = await person((work) => void finished.push(work))
    const page = await open(context, path)
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    expect(await page.getByText(/\b(?:no|nothing|nobody|not)\b/i).count()).toBeGreaterThan(0)
    expect(await tooWide(page, [1440, 1024, 390, 360])).toEqual([])
    for (const theme of ['light', 'dark'] as const) expect(await seriousFindings(page, theme)).toEqual([])
    for (const work of finished) await work()
  },
)

describe('the plan', () => {
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

  // Every hold is reached and left for real in holds.test.ts; these are other ways out of some of them.
  it.each([
    ['rebase', 'Merge the base branch instead', 'merge_base'],
    ['expired', 'Stash the changes and start clean', 'stash_and_start'],
    ['breaker', 'Let Claude try again', 'reset'],
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

  it('is a state that cannot be read: it says what is safe, and is taken out of the way', async ({
    onTestFinished,
  }) => {
    const folder = join(app.scene.home, 'workflows', 'billing-1', 'add-login')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'session.json'), '{ "ver')
    await app.scene.restart()
    const context = await person(onTestFinished)
    const page = await open(context, '/features/billing-1/add-login')
    await page.getByText('The state of “add-login” is damaged.').waitFor()
    await page.getByRole('button', { name: 'Read it again' }).click()
    await page.getByText('add-login still cannot be read.').waitFor()
    await page.goto(`${app.scene.url}/features`)
    await page.getByRole('button', { name: /Take it out of the way/ }).click()
    await page.getByText('Nothing of it was removed.').waitFor()
    await page.getByText('is damaged.').waitFor({ state: 'detached' })
    expect(existsSync(folder)).toBe(false)
  })

  it('is a window that gets full: the page says how full, in words', async ({ onTestFinished }) => {
    const { session } = FEATURES.implementing
    const full = feature('full', 'A long conversation', 3, {
      summary: { executing: true },
      session: { usage: { ...session.usage, contextTokens: 172_000, window: 200_000 } },
    })
    const context = await person(onTestFinished)
    const page = await open(context, at(full), (tab) => serveFeatures(tab, [full]))
    expect(await page.getByText('86 % of the window').getAttribute('class')).toBe('strong')
    await page.getByText('From 90 % on, Grove shortens it before the next turn').waitFor()
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
    await page.getByText(/^[1-9][\d,]* hits?$/).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.output-line.found', { hasText: '--run 1501' }).waitFor()
  })
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { askAtPrompt } from './support/ask-at-prompt.ts'
import { launchChromium } from './support/chromium.ts'
import { openScene, type Scene } from './support/daemon.ts'
import { SAID, type StateName } from './support/feature-stories.ts'
import { beginLive } from './support/live-feature.ts'
import { readmePictures } from './support/readme-pictures.ts'
import { AGENT, askForApproval } from './support/scene.ts'
import type { WorkedFeatures } from './support/worked-features.ts'

/** Takes a picture of every view: light and dark, at every width, with much, little and nothing in it. */

type Place = string | ((features: Features) => string)
type Features = WorkedFeatures & { live: string }

interface Shot {
  name: string
  path: Place
  scene: 'busy' | 'empty'
  prepare?(page: Page, scene: Scene): Promise<unknown>
  after?(page: Page): Promise<unknown>
  /** What is shown while nothing has come yet. */
  isLoading?: true
  /** Only where there is a bar instead of the rail. */
  isPhone?: true
}

/** Network faults by nature: they are made at the network's edge. */
const lost = (page: Page) => page.route(/\/api\//, (route) => route.abort())

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
const choose = async (page: Page, item: RegExp) => {
  await page.getByRole('button', { name: 'More about this feature' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The way back, as the server tells it: the feature stays as it is, for the pictures after this one. */
async function rollBack(page: Page, scene: Scene): Promise<void> {
  const shown = (await scene.get(new URL(page.url()).pathname.replace('/features/', '/api/sessions/'))) as object
  const savedAs = 'refs/grove/backfill-carrier-codes-1eb32ead/rollback-be05cfe6'
  const git = `git -C ${scene.dir}-worktrees/backfill-carrier-codes`
  const restore = `${git} reset --hard ${savedAs}~ && ${git} restore --source=${savedAs} --worktree -- :/`
  await page.route(/\/rollback$/, (route) => route.fulfill({ json: { ...shown, savedAs, restore } }))
  await choose(page, /Roll back/)
  await page.getByRole('button', { name: 'Save everything and roll back' }).click()
  await page.getByRole('dialog', { name: 'Rolled back' }).waitFor()
}

/** Opens what waits in the inbox under this title. */
const openItem = (title: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: title }).first().click()
  await page.locator('.item.open .in-place').waitFor()
}
/** A refusal of the form, as the server words it: the checkout itself is made dirty by no picture. */
const refuseForm = (code: string, message: string) => async (page: Page, scene: Scene) => {
  await page.route(/\/api\/sessions$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { status: 'error', code, message, suggestion: '' } })
      : route.fallback(),
  )
  await page.getByLabel('Title').fill('Split shipments by customs zone')
  await page.getByLabel('Project folder').fill(scene.dir)
  await page.getByLabel('Description').fill('A shipment that crosses a customs border becomes two.')
  await page.waitForTimeout(500)
  await page.getByRole('button', { name: /Start discovery/ }).click()
  await page.getByRole('dialog').waitFor()
}

const SHOTS: Shot[] = [
  { name: 'inbox', path: '/inbox', scene: 'busy' },
  { name: 'inbox-prompt', path: '/inbox', scene: 'busy', prepare: askAtPrompt },
  { name: 'inbox-questions', path: '/inbox', scene: 'busy', prepare: openItem(/4 questions/) },
  { name: 'inbox-plan', path: '/inbox', scene: 'busy', prepare: openItem(/The plan is ready/) },
  { name: 'inbox-hold', path: '/inbox', scene: 'busy', prepare: openItem(/usage limit/) },
  { name: 'inbox-blocker', path: '/inbox', scene: 'busy', prepare: openItem(/The scales speak/) },
  { name: 'inbox-final', path: '/inbox', scene: 'busy', prepare: openItem(/last word is yours/) },
  {
    name: 'inbox-refusing',
    path: '/inbox',
    scene: 'busy',
    async prepare(page) {
      await page
        .getByRole('button', { name: /^Edit src/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Refuse and say why' }).click()
    },
  },
  {
    name: 'inbox-snoozed',
    path: '/inbox',
    scene: 'busy',
    prepare: (page) => page.getByRole('tab', { name: /^Snoozed/ }).click(),
  },
  {
    name: 'inbox-loading',
    path: '/inbox',
    scene: 'busy',
    isLoading: true,
    async prepare(page) {
      await page.route(/\/api\/(inbox|approvals)/, () => {})
      await page.reload()
      await page.locator('.skeleton').first().waitFor()
    },
  },
  {
    name: 'stranger',
    path: '/inbox',
    scene: 'busy',
    async prepare(page) {
      const cookies = await page.context().cookies()
      await page.context().clearCookies()
      await page.reload()
      await page.context().addCookies(cookies)
    },
  },
  { name: 'features-none-fits', path: '/features?q=zzz', scene: 'busy' },
  { name: 'features-archived', path: '/features?show=archived', scene: 'busy' },
  {
    name: 'features-menu',
    path: '/features',
    scene: 'busy',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^More about/ })
        .nth(5)
        .click(),
  },
  {
    name: 'new-feature-settings',
    path: '/features/new',
    scene: 'busy',
    prepare: (page) => page.getByText('Branch and workplace').click(),
  },
  {
    name: 'new-feature-dirty',
    path: '/features/new',
    scene: 'busy',
    prepare: refuseForm('dirty_tree', 'There are changes that are not committed: src/invoice/tax.ts and 2 more.'),
  },
  {
    name: 'new-feature-other',
    path: '/features/new',
    scene: 'busy',
    prepare: refuseForm('session_active', '“Rotate refresh tokens on every use” works in this checkout.'),
  },
  {
    name: 'new-feature-taken',
    path: '/features/new',
    scene: 'busy',
    prepare: refuseForm('branch_exists', 'There is a branch feature/split-shipments already.'),
  },
  { name: 'inbox-empty', path: '/inbox', scene: 'empty' },
  { name: 'features', path: '/features', scene: 'busy' },
  { name: 'features-empty', path: '/features', scene: 'empty' },
  {
    name: 'features-branches',
    path: '/features',
    scene: 'busy',
    prepare: (page) => page.getByRole('button', { name: /without a session/ }).click(),
  },
  { name: 'new-feature', path: '/features/new', scene: 'busy' },
  {
    name: 'new-feature-wrong',
    path: '/features/new',
    scene: 'busy',
    async prepare(page, scene) {
      await page.getByLabel('Title').fill('Split shipments by customs zone')
      await page.getByLabel('Project folder').fill(scene.dir.slice(0, -1))
      await page.waitForTimeout(500)
      await page.getByRole('button', { name: /Start discovery/ }).click()
    },
  },
  ...(Object.keys(SAID) as StateName[]).map(
    (state): Shot => ({ name: `feature-${state}`, path: (features) => features[state], scene: 'busy' }),
  ),
  { name: 'feature-live', path: ({ live }) => live, scene: 'busy' },
  { name: 'feature-story', path: ({ review }) => `${review}/story`, scene: 'busy' },
  {
    name: 'feature-menu',
    path: ({ live }) => live,
    scene: 'busy',
    prepare: (page) => page.getByRole('button', { name: 'More about this feature' }).click(),
  },
  { name: 'feature-missing', path: '/features/billing/nothing', scene: 'busy' },
  { name: 'feature-tree', path: ({ review }) => `${review}?view=tree`, scene: 'busy' },
  { name: 'feature-board', path: ({ live }) => `${live}?view=board`, scene: 'busy' },
  { name: 'feature-timeline', path: ({ live }) => `${live}?view=timeline`, scene: 'busy' },
  {
    name: 'feature-versions',
    path: ({ review }) => `${review}?view=tree`,
    scene: 'busy',
    prepare: (page) => page.getByRole('button', { name: 'Versions' }).click(),
  },
  {
    name: 'feature-rollback',
    path: ({ breaker }) => breaker,
    scene: 'busy',
    prepare: (page) => choose(page, /Roll back/),
  },
  {
    name: 'feature-rollback-done',
    path: ({ breaker }) => breaker,
    scene: 'busy',
    prepare: rollBack,
  },
  {
    name: 'feature-comment',
    path: ({ review }) => `${review}?view=tree`,
    scene: 'busy',
    prepare: (page) => page.getByRole('button', { name: /^Comment on: Detect/ }).click(),
  },
  { name: 'feature-run', path: ({ final }) => `${final}/evidence`, scene: 'busy', prepare: press('Show the run') },
  { name: 'feature-output', path: ({ live }) => `${live}/output`, scene: 'busy' },
  { name: 'feature-conversation', path: ({ live }) => `${live}/conversation`, scene: 'busy' },
  { name: 'feature-changes', path: ({ final }) => `${final}/changes`, scene: 'busy' },
  { name: 'feature-evidence', path: ({ final }) => `${final}/evidence`, scene: 'busy' },
  { name: 'feature-pr', path: ({ prReview }) => `${prReview}/pr`, scene: 'busy' },
  { name: 'agents', path: '/agents', scene: 'busy' },
  { name: 'agents-empty', path: '/agents', scene: 'empty' },
  { name: 'agent', path: `/agents/${AGENT}`, scene: 'busy' },
  { name: 'agent-table', path: `/agents/${AGENT}`, scene: 'busy', prepare: press('As a table') },
  { name: 'agent-injected', path: `/agents/${AGENT}`, scene: 'busy', prepare: press('correction') },
  { name: 'memory', path: '/memory/mem_0?q=refresh+token', scene: 'busy' },
  { name: 'memory-edit', path: '/memory/mem_0', scene: 'busy', prepare: press('Edit') },
  { name: 'memory-list', path: '/memory', scene: 'busy' },
  { name: 'memory-none-fits', path: '/memory?q=zzzzqqq', scene: 'busy' },
  {
    name: 'memory-deleted',
    path: '/memory/mem_0',
    scene: 'busy',
    async prepare(page) {
      // Undone before it is sent: every look shows the same memories.
      await page.getByRole('button', { name: 'More about this memory' }).click()
      await page.getByRole('menuitem', { name: /Delete/ }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    },
    after: (page) => page.getByRole('button', { name: 'Undo' }).click(),
  },
  { name: 'memory-empty', path: '/memory', scene: 'empty' },
  { name: 'memory-lost', path: '/memory', scene: 'empty', prepare: (page) => lost(page).then(() => page.reload()) },
  { name: 'learnings', path: '/learnings', scene: 'busy' },
  {
    name: 'learning',
    path: '/learnings',
    scene: 'busy',
    prepare: (page) => page.getByRole('link', { name: /^Money is kept/ }).click(),
  },
  {
    name: 'learning-edit',
    path: '/learnings',
    scene: 'busy',
    async prepare(page) {
      await page.getByRole('link', { name: /^Money is kept/ }).click()
      await page.getByRole('button', { name: 'Edit' }).click()
    },
  },
  { name: 'learnings-turned-down', path: '/learnings?life=rejected', scene: 'busy' },
  { name: 'learnings-contradictions', path: '/learnings?life=contradictions', scene: 'busy' },
  { name: 'learnings-empty', path: '/learnings', scene: 'empty' },
  { name: 'intents', path: '/intents/INT-014', scene: 'busy' },
  { name: 'intents-list', path: '/intents', scene: 'busy' },
  { name: 'intents-blame', path: '/intents?file=src%2Finvoice%2Ftax.ts', scene: 'busy' },
  { name: 'intents-empty', path: '/intents', scene: 'empty' },
  { name: 'insights', path: '/insights', scene: 'busy' },
  { name: 'insights-table', path: '/insights', scene: 'busy', prepare: press('As a table') },
  { name: 'insights-empty', path: '/insights', scene: 'empty' },
  { name: 'settings', path: '/settings', scene: 'busy' },
  { name: 'team', path: '/settings/team', scene: 'busy' },
  { name: 'team-invitation', path: '/settings/team', scene: 'busy', prepare: press('Make an invitation') },
  { name: 'configuration', path: '/settings/configuration', scene: 'busy' },
  { name: 'attachments', path: '/settings/attachments', scene: 'busy' },
  {
    name: 'doctor',
    path: '/settings/doctor',
    scene: 'busy',
    prepare: (page) => page.getByText(/\d+ checks/).waitFor(),
  },
  { name: 'more', path: '/inbox', scene: 'busy', isPhone: true, prepare: press('More') },
  { name: 'palette', path: '/inbox', scene: 'busy', prepare: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/inbox', scene: 'busy', prepare: (page) => page.keyboard.press('?') },
  { name: 'nowhere', path: '/inbox/nothing', scene: 'empty' },
  // Last: the socket of this page stays closed.
  {
    name: 'connection-lost',
    path: '/features',
    scene: 'busy',
    async prepare(page) {
      await page.routeWebSocket(/\/ws/, (socket) => socket.close())
      await page.reload()
      await page.getByText(/Reconnecting|Connection lost/).waitFor()
    },
  },
]
const THEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 1024, 390, 360]
const LONGEST = 6_000
const LOOKS = THEMES.flatMap((theme) => WIDTHS.map((width) => `${theme}-${width}`))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    /** `light-360,dark-1024` */
    looks: { type: 'string' },
    readme: { type: 'boolean', default: false },
  },
})
const root = positionals[0]!
const folder = join(root, 'pictures')
mkdirSync(folder, { recursive: true })
const looks = values.looks?.split(',') ?? LOOKS
const wanted = values.readme
  ? []
  : SHOTS.filter(({ name }) => !values.only || values.only.split(',').some((part) => name.includes(part)))

const needed = (name: Shot['scene']) => wanted.some(({ scene }) => scene === name)
const dist = join(root, 'dist')
const scenes = {
  busy: values.readme || needed('busy') ? await openScene(dist, { month: true, features: !values.readme }) : undefined,
  empty: needed('empty') ? await openScene(dist, { isEmpty: true }) : undefined,
}
const browser = await launchChromium()
const features = scenes.busy && !values.readme ? await prepareBusy(scenes.busy) : undefined
if (values.readme) await readmePictures(browser, scenes.busy!, root)
const DEVICES = THEMES.flatMap((theme) => [false, true].map((isPhone) => ({ theme, isPhone })))
for (const { theme, isPhone } of wanted.length > 0 ? DEVICES : []) {
  const widths = WIDTHS.filter((width) => width < 700 === isPhone && looks.includes(`${theme}-${width}`))
  if (widths.length === 0) continue
  // A phone has no pointer that hovers: what a mouse would have to find is always there.
  const hand = { hasTouch: isPhone, isMobile: isPhone }
  const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce', ...hand })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && console.error(`  console: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`  page: ${error.message}`))
  for (const scene of Object.values(scenes)) if (scene) await page.goto(scene.link)
  for (const shot of wanted) {
    const scene = scenes[shot.scene]!
    const path = typeof shot.path === 'string' ? shot.path : shot.path(features!)
    for (const width of widths) {
      if (shot.isPhone && !isPhone) continue
      await page.setViewportSize({ width, height: isPhone ? 844 : 1000 })
      await page.goto(scene.url + path)
      await page.locator('h1:visible').first().waitFor()
      await shot.prepare?.(page, scene)
      if (!shot.isLoading) await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await page.waitForTimeout(350)
      const wide = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (wide > 0) console.error(`  ${shot.name} at ${width}: ${wide} px too wide`)
      const isOver = await page.getByRole('dialog').isVisible()
      // A phone as long as the page: its bar stays at the bottom, and long lists show all of themselves.
      if (isPhone && !isOver) {
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        await page.setViewportSize({ width, height: Math.min(Math.max(844, height), LONGEST) })
        await page.waitForTimeout(150)
      }
      await page.screenshot({ path: join(folder, `${shot.name}-${theme}-${width}.png`) })
      await shot.after?.(page)
      await page.unrouteAll()
    }
    console.log(`${shot.name} ${theme} ${widths.join(' ')}`)
  }
  await context.close()
}
await browser.close()
for (const scene of Object.values(scenes)) await scene?.close()

/** An agent asks for a person, and a feature is at work. */
async function prepareBusy(scene: Scene): Promise<Features> {
  await askForApproval(scene)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(scene.link)
  const live = await beginLive(page, scene)
  await context.close()
  return { ...scene.features, live }
}

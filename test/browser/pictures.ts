import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchChromium } from './support/chromium.ts'
import { openScene, type Scene } from './support/daemon.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/features.ts'
import { readmePictures } from './support/readme-pictures.ts'
import { AGENT } from './support/scene.ts'

/** Takes a picture of every view: light and dark, at every width, with much, little and nothing in it. */

const at = ({ summary }: (typeof FEATURES)[keyof typeof FEATURES]) =>
  `/features/${summary.projectId}/${summary.featureId}`

interface Shot {
  name: string
  path: string
  scene: 'busy' | 'empty'
  prepare?(page: Page, scene: Scene): Promise<unknown>
}

const SHOTS: Shot[] = [
  { name: 'inbox', path: '/inbox', scene: 'busy' },
  { name: 'inbox-empty', path: '/inbox', scene: 'empty' },
  { name: 'features', path: '/features', scene: 'busy' },
  { name: 'features-empty', path: '/features', scene: 'empty' },
  { name: 'new-feature', path: '/features/new', scene: 'busy' },
  {
    name: 'new-feature-wrong',
    path: '/features/new',
    scene: 'busy',
    async prepare(page) {
      await page.getByLabel('Title').fill('Split shipments by customs zone')
      await page.getByLabel('Project folder').fill('/src/biling')
      await page.waitForTimeout(500)
      await page.getByRole('button', { name: /Start discovery/ }).click()
    },
  },
  { name: 'feature-discovery', path: at(FEATURES.discovery), scene: 'busy' },
  { name: 'feature-plan', path: at(FEATURES.review), scene: 'busy' },
  { name: 'feature-board', path: `${at(FEATURES.implementing)}?view=board`, scene: 'busy' },
  { name: 'feature-timeline', path: `${at(FEATURES.implementing)}?view=timeline`, scene: 'busy' },
  { name: 'feature-clean', path: at(FEATURES.clean), scene: 'busy' },
  { name: 'feature-todos', path: at(FEATURES.todos), scene: 'busy' },
  { name: 'feature-output', path: `${at(FEATURES.implementing)}/output`, scene: 'busy' },
  { name: 'feature-conversation', path: `${at(FEATURES.implementing)}/conversation`, scene: 'busy' },
  { name: 'feature-changes', path: `${at(FEATURES.implementing)}/changes`, scene: 'busy' },
  { name: 'feature-evidence', path: `${at(FEATURES.implementing)}/evidence`, scene: 'busy' },
  { name: 'feature-pr', path: `${at(FEATURES.prReview)}/pr`, scene: 'busy' },
  { name: 'feature-final', path: at(FEATURES.final), scene: 'busy' },
  ...(
    [
      'usageLimit',
      'hourlyLimit',
      'breaker',
      'stuck',
      'pushConsent',
      'checksFailed',
      'rebase',
      'ghLogin',
      'unparsed',
      'expired',
      'interrupted',
      'paused',
      'completed',
      'rolledBack',
      'corrupted',
    ] as const
  ).map((state): Shot => ({ name: `state-${state}`, path: at(FEATURES[state]), scene: 'busy' })),
  { name: 'agents', path: '/agents', scene: 'busy' },
  { name: 'agents-empty', path: '/agents', scene: 'empty' },
  { name: 'agent', path: `/agents/${AGENT}`, scene: 'busy' },
  { name: 'memory', path: '/memory/mem_0?q=refresh+token', scene: 'busy' },
  { name: 'memory-list', path: '/memory', scene: 'busy' },
  { name: 'memory-empty', path: '/memory', scene: 'empty' },
  { name: 'learnings', path: '/learnings', scene: 'busy' },
  { name: 'learnings-turned-down', path: '/learnings?life=rejected', scene: 'busy' },
  { name: 'learnings-contradictions', path: '/learnings?life=contradictions', scene: 'busy' },
  { name: 'intents', path: '/intents/INT-014', scene: 'busy' },
  { name: 'insights', path: '/insights', scene: 'busy' },
  { name: 'settings', path: '/settings', scene: 'busy' },
  { name: 'team', path: '/settings/team', scene: 'busy' },
  { name: 'configuration', path: '/settings/configuration', scene: 'busy' },
  {
    name: 'doctor',
    path: '/settings/doctor',
    scene: 'busy',
    prepare: (page) => page.getByText(/checks (are|could)/).waitFor(),
  },
  { name: 'palette', path: '/inbox', scene: 'busy', prepare: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/inbox', scene: 'busy', prepare: (page) => page.keyboard.press('?') },
  { name: 'nowhere', path: '/settings/../inbox/nothing', scene: 'empty' },
]
const WIDTHS = [1440, 1024, 390, 360]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    widths: { type: 'string' },
    themes: { type: 'string' },
    readme: { type: 'boolean', default: false },
  },
})
const root = positionals[0]!
const folder = join(root, 'pictures')
mkdirSync(folder, { recursive: true })
const widths = values.widths?.split(',').map(Number) ?? WIDTHS
const themes = (values.themes?.split(',') ?? ['light', 'dark']) as ('light' | 'dark')[]
const wanted = values.readme
  ? []
  : SHOTS.filter(({ name }) => !values.only || values.only.split(',').some((part) => name.includes(part)))

const scenes = {
  busy:
    values.readme || wanted.some(({ scene }) => scene === 'busy')
      ? await openScene(join(root, 'dist'), { month: true })
      : undefined,
  empty: wanted.some(({ scene }) => scene === 'empty')
    ? await openScene(join(root, 'dist'), { isEmpty: true })
    : undefined,
}
if (scenes.busy) await askForApprovals(scenes.busy)
const browser = await launchChromium()
if (values.readme) await readmePictures(browser, scenes.busy!, root)
for (const theme of wanted.length > 0 ? themes : []) {
  const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && console.error(`  console: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`  page: ${error.message}`))
  for (const scene of Object.values(scenes)) if (scene) await page.goto(scene.link)
  const empty = await context.newPage()
  await serveFeatures(page, Object.values(FEATURES))
  await serveFeatures(empty, [])
  for (const shot of wanted) {
    const scene = scenes[shot.scene]!
    const tab = shot.scene === 'busy' ? page : empty
    for (const width of widths) {
      await tab.setViewportSize({ width, height: width < 700 ? 844 : 1000 })
      await tab.goto(scene.url + shot.path)
      await tab.locator('h1').first().waitFor()
      await shot.prepare?.(tab, scene)
      await tab.waitForTimeout(350)
      const wide = await tab.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (wide > 0) console.error(`  ${shot.name} at ${width}: ${wide} px too wide`)
      await tab.screenshot({ path: join(folder, `${shot.name}-${theme}-${width}.png`), fullPage: width < 700 })
    }
    console.log(`${shot.name} ${theme}`)
  }
  await context.close()
}
await browser.close()
for (const scene of Object.values(scenes)) await scene?.close()

/** Agents that wait for a person. */
async function askForApprovals(scene: Scene): Promise<void> {
  await scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
  const write = (name: string, text: string) =>
    void scene
      .hook('pre-tool-use', {
        session_id: AGENT,
        hook_event_name: 'PreToolUse',
        cwd: scene.dir,
        tool_name: 'Edit',
        tool_input: { file_path: join(scene.dir, name), old_string: 'net * rate(country)', new_string: text },
        tool_use_id: `toolu_ask_${name.length}_${text.length}`,
      })
      .catch(() => {})
  write('src/invoice/tax.ts', 'net * vatRate(country, new Date())')
  await new Promise((resolve) => setTimeout(resolve, 800))
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import type { Scene } from './daemon.ts'
import { serveFeatures } from './edge.ts'
import { FEATURES } from './edge-features/features.ts'
import { AGENT, ARABIC, LONG_PATH, LONG_TITLE } from './scene.ts'

const SIZE = { width: 1200, height: 610 }

/** What tries the layout elsewhere is told in ordinary words here. */
function ordinary(text: string): string {
  return text
    .replaceAll(LONG_TITLE, 'Refuse the old token with a clear answer')
    .replaceAll(ARABIC, 'Tell people why they were signed out')
    .replaceAll('الساعة الوهمية تجعل الاختبار حتميًا', 'The answer names the other device and the time.')
    .replaceAll(LONG_PATH, 'src/auth/routes/token.ts')
}

const { review, clean, implementing, prReview, usageLimit, checksFailed } = FEATURES
const SHOWN = [review, clean, prReview, usageLimit, checksFailed, implementing].map(
  (one) => JSON.parse(ordinary(JSON.stringify(one))) as SessionSnapshot,
)

const VIEWS: [name: string, path: string][] = [
  ['inbox', '/inbox'],
  ['feature', `/features/${review.summary.projectId}/${review.summary.featureId}`],
  ['agents', `/agents/${AGENT}`],
  ['memory', '/memory/mem_0?q=refresh+token'],
]

/** The four pictures of the README. */
export async function readmePictures(browser: Browser, scene: Scene, root: string): Promise<void> {
  const folder = join(root, 'docs', 'pictures')
  mkdirSync(folder, { recursive: true })
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce', viewport: SIZE })
  // From its next step on Grove knows how large the agent's window is.
  await scene.hook('pre-tool-use', {
    session_id: AGENT,
    hook_event_name: 'PreToolUse',
    cwd: scene.dir,
    tool_name: 'Read',
    tool_input: { file_path: join(scene.dir, 'package.json') },
    tool_use_id: 'toolu_read',
  })
  const page = await context.newPage()
  await page.goto(scene.link)
  await serveFeatures(page, SHOWN)
  await page.route(/\/api\/(?:agents|memories)/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: ordinary(await response.text()) })
  })
  for (const [name, path] of VIEWS) {
    await page.goto(scene.url + path)
    await page.locator('h1').first().waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await page.getByText('Connected', { exact: true }).waitFor()
    // What stands beside a view comes after it.
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/pictures/${name}.png`)
  }
  await context.close()
}

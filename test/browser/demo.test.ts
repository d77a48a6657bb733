import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shared } from '../support/run/shared.ts'
import { launchChromium } from './support/chromium.ts'

type WhenFinished = (work: () => Promise<void> | void) => void

/** `grove demo` as a visitor starts it, in a temporary folder of its own. */
async function startDemo(whenFinished: WhenFinished) {
  const dist = (await shared('binary'))!
  const folder = await mkdtemp(join(tmpdir(), 'grove-visitor-'))
  whenFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder }
  const demo = spawn(process.execPath, [join(dist, 'grove.js'), 'demo', '--no-open', '--terminals', '--speed', '16'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  whenFinished(() => void demo.kill('SIGKILL'))
  let said = ''
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const until = async (words: RegExp): Promise<string> => {
    for (;;) {
      const found = words.exec(said)
      if (found) return found[1] ?? found[0]
      if (demo.exitCode !== null) throw new Error(`The demo ended:\n${said}`)
      await Promise.race([once(demo.stdout, 'data'), once(demo.stderr, 'data'), once(demo, 'close')])
    }
  }
  return { demo, folder, until, said: () => said }
}

/** README.md cuts a long line with an ellipsis. */
function isShortFor(line: string, whole: string): boolean {
  return line.endsWith(' …') ? whole.startsWith(line.slice(0, -2)) : whole === line
}

function terminalInReadme(): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
  return /^```\n(> [\s\S]*?)^```/m.exec(text)![1]!.trimEnd().split('\n')
}

/** Everything that runs in a folder, or was started from it. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const seen = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join('\0')
        return seen.includes(folder) ? [seen.split('\0').slice(0, 4).join(' ')] : []
      } catch {
        return [] // It has ended, or is another user's.
      }
    })
}

async function ended(demo: ChildProcess): Promise<number | null> {
  if (demo.exitCode === null) await once(demo, 'exit')
  return demo.exitCode
}

it('shows a visitor the whole loop, takes the answers, and leaves nothing behind', async ({ onTestFinished }) => {
  const { demo, folder, until, said } = await startDemo(onTestFinished)
  const link = await until(/Open (http:\S+)/)
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(link)
  const { origin } = new URL(link)

  // The page says that it is a play.
  await page.getByRole('status').getByText('Demo:').waitFor()

  // The feature asks, is reviewed, approved, built, checked and completed.
  await page.getByText('What happens when the card holds less').first().waitFor()
  await page.goto(`${origin}/features`)
  await page
    .getByRole('link', { name: /Pay with a gift card/ })
    .first()
    .click()
  await page.getByText('What happens when the card holds less').first().waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  await page.keyboard.press('1')
  await page.getByRole('button', { name: /Send 2 answers/ }).click()
  await page.getByText('A negative amount would add money').first().waitFor()
  await page.keyboard.press('1')
  await page.getByRole('button', { name: /Send 1 answer/ }).click()
  const approve = page.getByRole('button', { name: /Approve plan v\d and start implementing/ })
  await approve.waitFor()
  if (await approve.isDisabled()) await page.getByLabel(/I approve plan v/).check()
  await approve.click()
  const complete = page.getByRole('button', { name: 'Complete this feature' })
  await complete.waitFor()
  await page.getByText('All tests pass').first().waitFor()
  await complete.click()
  await page.getByText('This feature is complete.').waitFor()

  // A write waits for the visitor, with its diff.
  await until(/raise the refund limit/)
  await page.goto(`${origin}/inbox`)
  await page.getByText('REFUND_LIMIT = 250').first().waitFor()
  await page
    .getByRole('button', { name: /Allow this once/ })
    .first()
    .click()
  await until(/You have answered/)
  // The page has told every scene, and how to go on.
  await page.getByRole('status').getByText('In your own project').waitFor()

  // What README.md shows of a terminal was there to be seen, in this order.
  const shown = said().split('\n')
  const places = terminalInReadme().map((line) => shown.findIndex((one) => isShortFor(line, one)))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))

  // What the agents did is there to be looked at.
  await page.goto(`${origin}/memory`)
  await page.getByText('Round prices once').first().waitFor()
  await page.goto(`${origin}/learnings`)
  await page.getByText('Round totals with roundCents once').first().waitFor()
  expect(complaints).toEqual([])

  await browser.close()
  demo.kill('SIGINT')
  expect(await ended(demo)).toBe(0)
  expect(readdirSync(folder)).toEqual([])
  if (existsSync('/proc')) expect(processesOf(folder)).toEqual([])
})

it('ends at once in the middle of everything, and leaves nothing behind', async ({ onTestFinished }) => {
  const { demo, folder, until } = await startDemo(onTestFinished)
  await until(/An agent fixes/)
  demo.kill('SIGTERM')
  expect(await ended(demo)).toBe(0)
  expect(readdirSync(folder)).toEqual([])
  if (existsSync('/proc')) expect(processesOf(folder)).toEqual([])
})

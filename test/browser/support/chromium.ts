import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { shared } from '../../support/run/shared.ts'

/** A real Chromium: the one of this machine, else one that is installed here and now. Without one there is no test, so there must be one. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const run = promisify(execFile)

/** The Chromium of this machine, or the one that GROVE_TEST_BROWSER names. */
function installed(): string | undefined {
  const named = process.env.GROVE_TEST_BROWSER
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = named ? [named] : [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC]
  const own = [...candidates, chromium.executablePath()]
  return own.find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // Not there, or not ours to start.
  }
}

export async function chromiumProgram(): Promise<string> {
  const found = installed()
  if (found) return found
  const troubles: string[] = []
  for (const attempt of [installFromSystem, installFromPlaywright]) {
    await attempt().catch((error: Error) => troubles.push(error.message))
    const now = installed()
    if (now) return now
  }
  throw new Error(
    `There is no Chromium, and none could be installed. Name one with GROVE_TEST_BROWSER.\n${troubles.join('\n')}`,
  )
}

/** Where packages can be installed without asking: Debian and its relatives, as root. */
async function installFromSystem(): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error('not a Debian system with root')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run('apt-get', ['install', '--yes', 'chromium'], { env })
  await install().catch(async () => {
    await run('apt-get', ['update'], { env })
    await install()
  })
}

async function installFromPlaywright(): Promise<void> {
  const cli = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'playwright-core', 'cli.js')
  await run(process.execPath, [cli, 'install', 'chromium'], { timeout: 180_000 })
}

/** Starts it without anything that would reach for the network. */
export async function launchChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({
    // Once for all test files: two that install at the same time would stand in each other's way.
    executablePath: (await shared('chromium')) ?? (await chromiumProgram()),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
  })
}

/** What one run of the tests shares: a temporary folder, and one PostgreSQL, build and browser, each made when first wanted. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launchPostgres, type TestPostgres } from '../postgres.ts'
import { boundMemory } from './bounded-memory.ts'
import { share } from './shared.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export default async function setup() {
  boundMemory()
  const folder = temporaryFolder()
  process.env.TMPDIR = folder
  // Inside the package, so that the native SQLite module is found as it is by an installed Grove.
  const dist = join(root, 'node_modules', '.cache', `grove-test-${process.pid}`)
  process.env.GROVE_TEST_DIST = dist
  let postgres: TestPostgres | undefined
  const stopSharing = await share({
    async postgres() {
      postgres = await launchPostgres()
      return postgres.url
    },
    async binary() {
      await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.mjs'), '--out', dist])
      return dist
    },
    async chromium() {
      const { chromiumProgram } = await import('../../browser/support/chromium.ts')
      return chromiumProgram()
    },
  })
  return async () => {
    stopSharing()
    await postgres?.stop()
    for (const place of [folder, dist]) rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

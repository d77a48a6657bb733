/** What one run of the tests shares: a temporary folder of its own, and one PostgreSQL, started when a test first asks. */
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { launchPostgres, SHARED_POSTGRES, type TestPostgres } from '../../../src/storage/testing/postgres.ts'
import { temporaryFolder } from './temporary-folder.ts'

export default async function setup() {
  const folder = temporaryFolder()
  process.env.TMPDIR = folder
  const stopPostgres = await lendPostgres()
  return async () => {
    await stopPostgres()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Every test file runs in a process of its own; each asks here for the server's URL. */
async function lendPostgres(): Promise<() => Promise<void>> {
  let postgres: Promise<TestPostgres> | undefined
  const lender = createServer((asking) => {
    postgres ??= launchPostgres()
    postgres.then(
      ({ url }) => asking.end(url),
      (error: Error) => asking.destroy(error),
    )
    // One that stops waiting is a test file that has ended.
    asking.on('error', () => {})
  })
  await new Promise<void>((resolve) => lender.listen(0, '127.0.0.1', resolve))
  const address = lender.address()
  if (typeof address === 'object' && address) process.env[SHARED_POSTGRES] = String(address.port)
  return async () => {
    lender.close()
    // It failed to start: the tests have said so.
    await postgres?.then((server) => server.stop()).catch(() => {})
  }
}

/**
 * What feature sessions cost, and what they survive. Everything runs on the built command with the real client.
 *   npm run bench workflow [-- --rounds 3]
 *   npm run bench workflow -- --trouble all|eight|killed|disk|clock|large
 *   npm run bench workflow -- --kills 200 [--seed 1] [--longest 12000] [--client <path>]
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareCost } from './workflow/cost.ts'
import { survive } from './workflow/kills.ts'
import { measureRecord } from './workflow/record.ts'
import { withstand } from './workflow/trouble.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    longest: { type: 'string', default: '12000' },
    client: { type: 'string' },
    trouble: { type: 'string' },
  },
})
if (values.client) process.env.GROVE_TEST_CLIENT = values.client

// Inside the package, so that the native SQLite module is found as it is by an installed Grove.
const dist = join(root, 'node_modules', '.cache', `grove-bench-${randomUUID()}`)
process.once('exit', () => rmSync(dist, { recursive: true, force: true }))
execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--out', dist], { stdio: 'ignore' })
const binary = join(dist, 'grove.js')

if (values.kills) {
  const broken = await survive({
    binary,
    kills: Number(values.kills),
    seed: Number(values.seed),
    longestMs: Number(values.longest),
  })
  process.exitCode = broken === 0 ? 0 : 1
} else if (values.trouble) {
  process.exitCode = (await withstand(binary, values.trouble)) === 0 ? 0 : 1
} else {
  await measureRecord()
  await compareCost(binary, Number(values.rounds))
}

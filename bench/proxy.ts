import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runGrove } from './proxy/grove.ts'
import { runLoad } from './proxy/load.ts'
import { measure, type Name } from './proxy/measure.ts'
import { MODES } from './proxy/payload.ts'
import { runPipe } from './proxy/pipe.ts'
import { printReport, summarise } from './proxy/report.ts'
import { runUpstream } from './proxy/upstream.ts'

/**
 * npm run bench proxy -- [--quick] [--json out.json] [--connections 1,16,64,256] [--requests 3000] [--rounds 3]
 *   [--modes burst,paced,json] [--only direct,nginx,pipe,grove,product]
 *
 * `grove` is the proxy with an observer that does what recording and injecting need; `product` is the built daemon,
 * store and all, and runs only when it is named.
 */
const { values: options } = parseArgs({
  options: {
    connections: { type: 'string' },
    requests: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    modes: { type: 'string' },
    only: { type: 'string' },
    role: { type: 'string' },
  },
  allowPositionals: true,
})

const target = process.argv.at(-1)!
// A role must not outlive the bench, however that ends.
if (options.role) process.once('disconnect', () => process.exit())
switch (options.role) {
  case 'upstream':
    runUpstream()
    break
  case 'load':
    runLoad()
    break
  case 'pipe':
    runPipe(new URL(target))
    break
  case 'grove':
    await runGrove(target)
    break
  default: {
    const quick = options.quick
    const runs = await measure(fileURLToPath(import.meta.url), {
      connections: (options.connections ?? (quick ? '1,64' : '1,16,64,256')).split(',').map(Number),
      requests: Number(options.requests ?? (quick ? 150 : 3000)),
      warmUp: quick ? 150 : 3000,
      rounds: Number(options.rounds ?? (quick ? 1 : 3)),
      modes: MODES.filter((mode) => !options.modes || options.modes.split(',').includes(mode)),
      names: (options.only?.split(',') ?? ['direct', 'nginx', 'pipe', 'grove']) as Name[],
    })
    const summary = summarise(runs)
    printReport(summary)
    if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...summary, runs: runs.batches }, null, 2)}\n`)
    process.exit(0)
  }
}

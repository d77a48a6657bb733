import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runLoad } from './proxy/load.ts'
import { measure, type Name } from './proxy/measure.ts'
import { MODES } from './proxy/payload.ts'
import { runPipe } from './proxy/pipe.ts'
import { printReport, summarise } from './proxy/report.ts'
import { runUpstream } from './proxy/upstream.ts'

/**
 * npm run bench proxy -- [--quick] [--json out.json] [--connections 1,16,64,256] [--requests 3000] [--rounds 3]
 *   [--modes burst,paced,json,slow,small,results] [--only direct,nginx,pipe,grove] [--beside <another build's grove.js>]
 *
 * `grove` is the daemon as it ships, built for this run, with a home of its own: it puts a memory into every request,
 * reads every answer and records every turn.
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
    beside: { type: 'string' },
    role: { type: 'string' },
  },
  allowPositionals: true,
})

const script = fileURLToPath(import.meta.url)
const argument = process.argv.at(-1)!
// A role must not outlive the bench, however that ends.
if (options.role) process.once('disconnect', () => process.exit())
switch (options.role) {
  case 'upstream':
    runUpstream(argument)
    break
  case 'load':
    runLoad(argument)
    break
  case 'pipe':
    runPipe(new URL(argument))
    break
  default:
    await main()
}

async function main(): Promise<void> {
  const { quick, beside } = options
  const requests = Number(options.requests ?? (quick ? 150 : 3000))
  const project = mkdtempSync(join(tmpdir(), 'grove-bench-project-'))
  execFileSync('git', ['init', '-q', project])
  try {
    const runs = await measure(script, {
      connections: (options.connections ?? (quick ? '1,64' : '1,16,64,256')).split(',').map(Number),
      requests,
      warmUp: requests,
      rounds: Number(options.rounds ?? (quick ? 1 : 3)),
      memory: !quick,
      modes: MODES.filter((mode) => !options.modes || options.modes.split(',').includes(mode)),
      names: (options.only?.split(',') ?? [
        'direct',
        'nginx',
        'pipe',
        'grove',
        ...(beside ? ['beside'] : []),
      ]) as Name[],
      programs: { grove: build(), ...(beside && { beside: resolve(beside) }) },
      project,
    })
    const summary = summarise(runs)
    printReport(summary)
    if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...summary, runs: runs.batches }, null, 2)}\n`)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
  process.exit(0)
}

/** Builds what ships. */
function build(): string {
  const root = join(dirname(script), '..', '..')
  const out = join(root, 'bench', 'out', 'proxy-grove')
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--out', out], { stdio: 'ignore' })
  return join(out, 'grove.js')
}

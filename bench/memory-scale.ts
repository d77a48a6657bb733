/**
 * npm run bench memory-scale -- [--sizes 1000,10000,100000] [--queries 300] [--data <folder>] [--cpu] [--json]
 * Query and ingest time of the memory index, as ratios to plain FTS5 over the same entries and questions, in turns in one
 * run. Entries are resampled: words by Zipf's law, or from a corpus.jsonl where a folder is given. On a busy machine
 * `--cpu` compares processor time.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { IndexEntry } from '#core/search/terms.ts'
import { openGrove, openPlain, type Store } from './memory-scale/stores.ts'
import { randomFrom } from './retrieval/random.ts'
import { type Sampler, sampleFrom, zipfSampler } from './retrieval/synthetic.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    queries: { type: 'string', default: '300' },
    data: { type: 'string' },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const BATCH = 500
const WARM_UP = 5
const HOUR = 3_600_000
const START = Date.UTC(2020, 0, 1)

interface Compared {
  plain: number
  grove: number
  ratio: number
}

interface Measured {
  entries: number
  /** Entries per second; the ratio is Grove's rate to the plain one. */
  ingest: Compared
  /** Milliseconds; the ratio is Grove's time to the plain one. */
  p50: Compared
  p95: Compared
}

const sampler = samplerFor(options.data)
const folder = mkdtempSync(join(tmpdir(), 'grove-memory-scale-'))
try {
  const rows: Measured[] = []
  for (const entries of options.sizes.split(',').map(Number)) {
    const plain = openPlain(join(folder, `plain-${entries}.db`))
    const grove = openGrove(join(folder, `grove-${entries}.db`))
    rows.push({ entries, ...(await measure({ plain, grove }, entries, Number(options.queries), sampler)) })
    plain.close()
    grove.close()
    if (!options.json) print(rows.at(-1)!, rows.length === 1)
  }
  if (options.json) console.log(JSON.stringify(rows))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

type Pair = { plain: Store; grove: Store }

async function measure(stores: Pair, size: number, queries: number, { entry, query }: Sampler) {
  const ingest = { plain: 0, grove: 0 }
  for (let at = 0; at < size; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - at) }, (_, i) => entry(at + i, START + (at + i) * HOUR))
    for (const which of inTurns(at / BATCH)) ingest[which] += await timed(() => stores[which].add(batch))
  }
  const today = START + size * HOUR
  const times: { plain: number[]; grove: number[] } = { plain: [], grove: [] }
  for (let i = -WARM_UP; i < queries; i++) {
    const { text, files } = query(Math.abs(i))
    for (const which of inTurns(i)) {
      const time = await timed(() => stores[which].ask(text, files, today))
      if (i >= 0) times[which].push(time)
    }
  }
  const rate = (ms: number) => (size / ms) * 1000
  return {
    ingest: { plain: rate(ingest.plain), grove: rate(ingest.grove), ratio: ingest.plain / ingest.grove },
    p50: compared(times, 0.5),
    p95: compared(times, 0.95),
  }
}

/** Going first in turns lets other load on the machine hit both alike. */
function inTurns(i: number): ('plain' | 'grove')[] {
  return i % 2 ? ['plain', 'grove'] : ['grove', 'plain']
}

async function timed(work: () => unknown): Promise<number> {
  const from = now()
  await work()
  return now() - from
}

function now(): number {
  if (!options.cpu) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function compared(times: { plain: number[]; grove: number[] }, share: number): Compared {
  const at = (list: number[]) =>
    [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))]!
  return { plain: at(times.plain), grove: at(times.grove), ratio: at(times.grove) / at(times.plain) }
}

function samplerFor(data: string | undefined): Sampler {
  const random = randomFrom(11)
  if (data === undefined) return zipfSampler(random)
  const lines = readFileSync(join(data, 'corpus.jsonl'), 'utf8').split('\n').filter(Boolean)
  return sampleFrom(
    lines.map((line) => JSON.parse(line) as IndexEntry),
    random,
  )
}

function print({ entries, ingest, p50, p95 }: Measured, first: boolean): void {
  const three = ({ plain, grove, ratio }: Compared, digits: number) =>
    `${plain.toFixed(digits).padStart(9)} ${grove.toFixed(digits).padStart(8)} ${ratio.toFixed(2).padStart(6)}`
  const heads = ['ingest/s: plain    grove  ratio', 'p50 ms: plain   grove  ratio', 'p95 ms: plain   grove  ratio']
  if (first) console.log(`${'entries'.padStart(9)}  ${heads.join('  ')}`)
  const cells = [three(ingest, 0).padStart(31), three(p50, 1).padStart(28), three(p95, 1).padStart(28)]
  console.log(`${String(entries).padStart(9)}  ${cells.join('  ')}`)
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redact } from '#core/redact/redact.ts'
import { type LookalikeSample, lookalikeSamples } from '../test/corpus/secrets/lookalikes.ts'
import { measure } from '../test/corpus/secrets/measure.ts'
import { type SecretSample, secretSamples } from '../test/corpus/secrets/secrets.ts'
import { strangersSecrets } from '../test/corpus/secrets/strangers.ts'
import { samplesIn } from '../test/corpus/secrets/templates.ts'

/**
 * npm run bench redact -- [--seed n] [--rounds n] [--json] [--data file.jsonl [--show]]: how much is masked, how much for
 * nothing, and what it costs. A file of one's own has lines of `{"kind", "text", "secret"}`, with a `secret` of null where
 * nothing is to be masked, or `"secrets"` with a list of all; `--show` prints what went wrong. `--ordinary <file or folder>` instead reads text that holds no
 * secrets, such as installed packages or a git log, and counts the lines that were masked all the same.
 */

const TEXT =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|md|txt|html|css|py|go|rs|java|rb|php|c|h|sh|toml|lock|log)$|(?:^|\/)[A-Z]{4,}$/
const LARGEST = 1_000_000

const ordinary = process.argv.indexOf('--ordinary')
if (ordinary >= 0) {
  measureOrdinary(process.argv[ordinary + 1]!)
  process.exit()
}

const seed = option('--seed', 1)
const rounds = option('--rounds', 20)
const { secrets, lookalikes } = samples()
const { missed, recall, falseAlarms, falseAlarmRate } = measure(redact, secrets, lookalikes)
const speed = compareSpeed()

if (process.argv.includes('--json')) {
  console.log(
    JSON.stringify({ secrets: secrets.length, lookalikes: lookalikes.length, recall, falseAlarmRate, ...speed }),
  )
} else {
  printKinds('Secrets missed', secrets, missed)
  printKinds('Look-alikes masked', lookalikes, falseAlarms)
  if (process.argv.includes('--show')) {
    for (const { kind, text, secret } of missed)
      console.log(`missed  ${kind}: ${secret} in ${text}\n  → ${redact(text)}`)
    for (const { kind, text, became } of falseAlarms) console.log(`masked  ${kind}: ${text}\n  → ${became}`)
  }
  console.log(`recall        ${percent(recall)} of ${secrets.length} secrets (target 98 %)`)
  console.log(`false alarms  ${percent(falseAlarmRate)} of ${lookalikes.length} look-alikes (target at most 1 %)`)
  console.log(
    `speed         ${speed.ofPlain.toFixed(3)} of one plain replace pass (${speed.megabytesPerSecond.toFixed(1)} MB/s)`,
  )
}

function samples(): { secrets: SecretSample[]; lookalikes: LookalikeSample[] } {
  const at = process.argv.indexOf('--data')
  if (at < 0)
    return {
      secrets: [...secretSamples(seed, rounds), ...strangersSecrets(seed, rounds)],
      lookalikes: lookalikeSamples(seed, rounds),
    }
  const all = samplesIn(process.argv[at + 1]!)
  return {
    secrets: all.flatMap(({ kind, text, secret }) => (secret === null ? [] : [{ kind, text, secret }])),
    lookalikes: all.filter(({ secret }) => secret === null),
  }
}

/** Whole files, as they are recorded, and the lines of them that did not stay as they were. */
function measureOrdinary(path: string) {
  const files = statSync(path).isDirectory() ? filesUnder(path) : [path]
  let lines = 0
  let masked = 0
  let spent = 0
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    let became = ''
    spent += timed(() => {
      became = redact(text)
    })
    const [before, after] = [text.split('\n'), became.split('\n')]
    lines += before.length
    // Where lines were put together, whatever the file has less is counted.
    const changed = after.filter((line, at) => line.includes('[redacted]') && line !== before[at])
    masked += changed.length + Math.max(0, before.length - after.length)
    if (process.argv.includes('--show'))
      for (const line of changed) console.log(`${file}: ${line.trim().slice(0, 240)}`)
  }
  console.log(
    `${files.length} files, ${lines} lines: ${masked} masked, ${((masked / lines) * 1000).toFixed(3)} of 1,000`,
  )
  console.log(`spent ${(spent / 1000).toFixed(1)} s`)
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesUnder(path)
    return entry.isFile() && TEXT.test(path) && statSync(path).size < LARGEST ? [path] : []
  })
}

function printKinds(title: string, all: { kind: string }[], hit: { kind: string }[]) {
  const total = countByKind(all)
  const rows = [...countByKind(hit)].map(([kind, count]) => `  ${kind.padEnd(28)} ${count} of ${total.get(kind)}`)
  console.log([`${title}: ${rows.length === 0 ? 'none' : ''}`, ...rows, ''].join('\n'))
}

function countByKind(samples: { kind: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind } of samples) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Both passes over the same ordinary text, taken in turns, so that a busy machine slows both. */
function compareSpeed() {
  const text = lookalikeSamples(seed + 1, 200)
    .map((sample) => sample.text)
    .join('\n')
  const times = { redact: [] as number[], plain: [] as number[] }
  for (let turn = 0; turn < 12; turn++) {
    times.redact.push(timed(() => redact(text)))
    times.plain.push(timed(() => text.replace(/\bnever-[a-z]+-there\b/gi, '')))
  }
  const spent = { redact: median(times.redact), plain: median(times.plain) }
  return { ofPlain: spent.plain / spent.redact, megabytesPerSecond: text.length / 1000 / spent.redact }
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

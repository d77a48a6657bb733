import { readFileSync } from 'node:fs'
import { redact } from '#core/redact/redact.ts'
import { type LookalikeSample, lookalikeSamples } from '../test/corpus/secrets/lookalikes.ts'
import { measure } from '../test/corpus/secrets/measure.ts'
import { type SecretSample, secretSamples } from '../test/corpus/secrets/secrets.ts'
import { strangersSecrets } from '../test/corpus/secrets/strangers.ts'

/**
 * npm run bench redact -- [--seed n] [--rounds n] [--json] [--data file.jsonl [--show]]: how much is masked, how much for
 * nothing, and what it costs. A file of one's own has lines of `{"kind", "text", "secret"}`, with a `secret` of null where
 * nothing is to be masked; `--show` prints what went wrong.
 */

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
  const lines: { kind: string; text: string; secret: string | null }[] = readFileSync(process.argv[at + 1]!, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return {
    secrets: lines.flatMap(({ kind, text, secret }) => (secret === null ? [] : [{ kind, text, secret }])),
    lookalikes: lines.flatMap(({ kind, text, secret }) => (secret === null ? [{ kind, text }] : [])),
  }
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

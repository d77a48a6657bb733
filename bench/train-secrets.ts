// npm run bench train-secrets -- [--write] [--wrong]: what the redactor is worth on sets its model was not trained on; with --write the model's weights.
// [--words]: the ordinary words, which the model looks at and which have to be written before it.
// [--ordinary folder]: more texts without secrets, such as /usr/share/doc; a line of telling words counts as one.
// [--data file.jsonl --without set]: the same for a file of one's own, as `bench redact` reads it.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judged, LIMITS, looksAt } from '#core/redact/model/mask-by-model.ts'
import { BUCKETS } from '#core/redact/model/secret-features.ts'
import { type SecretModel, scoreBy, unpacked } from '#core/redact/model/secret-model.ts'
import { bitsOf } from '#core/redact/ordinary-words.ts'
import { byRules, outsideBlocks, withoutKnown } from '#core/redact/redact.ts'
import { hash } from '#core/text/hash.ts'
import { lookalikeSamples } from '../test/corpus/secrets/lookalikes.ts'
import { measure } from '../test/corpus/secrets/measure.ts'
import { secretSamples } from '../test/corpus/secrets/secrets.ts'
import { strangersSecrets } from '../test/corpus/secrets/strangers.ts'
import { type Sample, samplesIn, strangersSamples, templateSamples } from '../test/corpus/secrets/templates.ts'

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    data: { type: 'string' },
    without: { type: 'string' },
    also: { type: 'string', multiple: true, default: [] },
    ordinary: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '6' },
    out: { type: 'string', default: 'src/core/redact/model/secrets.min.json' },
  },
})
const folder = join('test', 'corpus', 'secrets')
const MASK = '[redacted]'
const ROUNDS = 12
/** How much room a mistake has beside large weights. */
const ROOM = { secret: 0.15, ordinary: 0.3 }

if (values.words) {
  writeWords()
  process.exit()
}

/** Ten bits a word. */
function writeWords() {
  const words = readFileSync(join(folder, 'words.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => line.replace(/^\w+: /, '').split(' '))
    .filter(Boolean)
  const bits = new Uint8Array(Math.ceil((words.length * 10) / 8))
  for (const word of words) for (const at of bitsOf(word, bits.length * 8)) bits[at >> 3]! |= 1 << (at & 7)
  const file = join('src', 'core', 'redact', 'words.min.json')
  writeFileSync(file, `${JSON.stringify({ bits: Buffer.from(bits).toString('base64') })}\n`)
}

type Of = Sample & { set: string }

interface Row {
  set: string
  isSecret: boolean
  features: Int32Array
}

/** The values of a sample with what they are; those that only overlap its secret are neither. */
function rowsOf({ set, text, secret, others = [] }: Of): Row[] {
  const known = outsideBlocks(text, withoutKnown)
  const at = secret === null ? -1 : known.indexOf(secret)
  if (secret !== null && at < 0) return []
  const until = at + (secret?.length ?? 0)
  const again = secret === null ? [] : placesOf(known, secret).slice(1)
  const unknown = [...again, ...others.flatMap((other) => placesOf(known, other))]
  const rows = (looksAt(known, byRules(known), MASK) ?? []).flatMap(({ offset, seen }) =>
    seen.map(({ start, end, isPhrase, features }) => ({
      set,
      start: offset + start,
      end: offset + end,
      overlaps: secret !== null && offset + start < until && at < offset + end,
      isSecret: offset + start === at && offset + end === until,
      // More words than the secret has, or fewer, are a mistake of its own.
      isPhrase,
      features: Int32Array.from(new Set(features)),
    })),
  )
  const isUnknown = (row: { start: number; end: number }) =>
    unknown.some(({ start, end }) => row.start < end && start < row.end)
  if (secret !== null && !rows.some(({ isSecret }) => isSecret)) {
    const around = rows
      .filter((row) => row.start <= at && until <= row.end && !row.isPhrase)
      .sort((a, b) => a.end - a.start - b.end + b.start)
    if (around[0]) around[0].isSecret = true
  }
  return rows.filter((row) => row.isSecret || (!isUnknown(row) && (row.isPhrase || !row.overlaps)))
}

function placesOf(text: string, value: string): { start: number; end: number }[] {
  const places = []
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
    places.push({ start, end: start + value.length })
  return places
}

/** A support vector machine with squared loss, by coordinate descent on its dual: the same texts give the same weights. */
function train(rows: readonly Row[]): Float64Array {
  const weights = new Float64Array(BUCKETS)
  const multipliers = new Float64Array(rows.length)
  const order = rows.map((_, at) => at)
  let last = 1
  const random = (limit: number) => {
    last = (last * 1103515245 + 12345) % 2147483648
    return last % limit
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = random(at + 1)
      const [a, b] = [order[at]!, order[other]!]
      order[at] = b
      order[other] = a
    }
    for (const at of order) {
      const { features, isSecret } = rows[at]!
      const sign = isSecret ? 1 : -1
      const room = isSecret ? ROOM.secret : ROOM.ordinary
      const each = 1 / Math.sqrt(features.length)
      let score = 0
      for (const feature of features) score += weights[feature]!
      const before = multipliers[at]!
      const after = Math.max(0, before - (sign * score * each - 1 + room * before) / (1 + room))
      if (after === before) continue
      multipliers[at] = after
      for (const feature of features) weights[feature]! += (after - before) * sign * each
    }
  }
  return weights
}

function packed(weights: Float64Array, rows: number): SecretModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  const scale = largest / 32767
  const steps = Int16Array.from(weights, (weight) => Math.round(weight / scale))
  return { trainedOn: `${rows} values`, scale, packed: Buffer.from(steps.buffer).toString('base64') }
}

/** Lines of what is installed here and of this project, with the line above them: they hold no secrets but those of examples. */
function ordinaryLines(): Of[] {
  const code = ['undici', '@modelcontextprotocol', 'typescript/lib', '@types/node', 'vite', 'playwright-core'].map(
    (name) => join('node_modules', name),
  )
  const files = [...code, 'src', 'docs', 'scripts'].flatMap(filesUnder)
  const told = readdirSync('node_modules')
    .filter((name) => /^[a-z]/.test(name))
    .flatMap((name) => filesUnder(join('node_modules', name)))
    .filter((file) => /\.md$/.test(file))
  const log = execFileSync('git', ['log', '--stat', '-400'], { encoding: 'utf8', maxBuffer: 1e8 })
  const texts = [...files, ...told, ...values.ordinary.flatMap(filesUnder)].map((file) => readFileSync(file, 'utf8'))
  const samples = [...texts, log, readFileSync('package-lock.json', 'utf8')].flatMap((text) => {
    const lines = text.split('\n')
    return lines.flatMap((line, at) => {
      const above = (lines[at - 1] ?? '').slice(0, 200)
      return isSampled(line.trim(), above) ? [`${above}\n${line}`] : []
    })
  })
  return [...new Set(samples)]
    .filter((text) => !/pass\w*["']?\s*[:=]\s*["']?\[redacted/i.test(byRules(text)))
    .map((text) => ({ set: 'ordinary', kind: 'ordinary', text, secret: null }))
}

const TELLING = /pass|pwd|secret|token|key|auth|cred|login|sig|connect/i

function isSampled(line: string, above: string): boolean {
  if (line.length < 8 || line.length > 300) return false
  const one = TELLING.test(line) ? 2 : TELLING.test(above) ? 4 : /[A-Za-z]\d|\d[A-Za-z]/.test(line) ? 8 : 100
  return hash(line, one) === 0
}

function filesUnder(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter(
      (file) =>
        /\.(?:[cm]?[jt]sx?|json|md|mjs|css|html|txt|py|pm|h|conf|sh)$/.test(file) && !/\.test\.|min\.json$/.test(file),
    )
    .filter((file) => statSync(file).isFile() && statSync(file).size < 300_000)
}

const strangers: Of[] = [5, 6].flatMap((seed) => strangersSamples(folder, seed))
const own: Of[] = [
  ...secretSamples(7, 2),
  ...strangersSecrets(7, 2),
  ...lookalikeSamples(7, 6).map((sample) => ({ ...sample, secret: null })),
  ...templateSamples(folder, 3, Number(values.rounds)),
].map((sample) => ({ ...sample, set: 'own' }))
/** Files of one's own that are trained on too, and left out by their path. */
const also: Of[] = values.also.flatMap((path) => samplesIn(path).map((sample) => ({ ...sample, set: path })))
const rows = [...strangers, ...also, ...own, ...ordinaryLines()].flatMap(rowsOf)
console.log(`${rows.length} values, ${rows.filter(({ isSecret }) => isSecret).length} of them secrets`)

function modelOf(some: readonly Row[]): SecretModel {
  return packed(train(some), some.length)
}

function redactBy(model: SecretModel, limits = LIMITS) {
  const weights = unpacked(model)
  const score = (features: readonly number[]) => scoreBy(weights, model.scale, features)
  return (text: string) =>
    outsideBlocks(text, (part) => {
      const known = withoutKnown(part)
      return judged(known, byRules(known), MASK, score, limits)
    })
}

function tell(name: string, model: SecretModel, samples: readonly Sample[]) {
  const secrets = samples.flatMap(({ secret, ...sample }) => (secret === null ? [] : [{ ...sample, secret }]))
  const lookalikes = samples.filter(({ secret }) => secret === null)
  const line = (limits = LIMITS) => {
    const { recall, falseAlarmRate, missed, falseAlarms } = measure(redactBy(model, limits), secrets, lookalikes)
    console.log(
      `${name.padEnd(10)} ${JSON.stringify(limits)} recall ${(100 * recall).toFixed(1)} %, false alarms ${(100 * falseAlarmRate).toFixed(1)} %`,
    )
    return { missed, falseAlarms }
  }
  for (const keeps of [-9, -1, -0.7, -0.4]) for (const adds of [-0.2, 0, 0.2]) line({ adds, keeps })
  const { missed, falseAlarms } = line()
  if (!values.wrong) return
  for (const { kind, text, secret } of missed) console.log(`missed ${kind}: ${secret} in ${JSON.stringify(text)}`)
  for (const { kind, text, became } of falseAlarms)
    console.log(`masked ${kind}: ${JSON.stringify(text)} → ${JSON.stringify(became)}`)
}

if (values.data) {
  tell(values.data, modelOf(rows.filter(({ set }) => set !== values.without)), samplesIn(values.data))
} else if (values.write) {
  writeFileSync(values.out, `${JSON.stringify(modelOf(rows))}\n`)
} else {
  for (const set of new Set(strangers.map((one) => one.set)))
    tell(
      set,
      modelOf(rows.filter((row) => row.set !== set)),
      strangersSamples(folder, 5).filter((one) => one.set === set),
    )
}

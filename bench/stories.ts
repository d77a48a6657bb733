/**
 * npm run bench stories -- --data <folder> [--out predictions.jsonl] [--json] [--only instructions|closings|sessions]
 * Tells stories to Grove, as the client's hooks and transcript would, and compares what it made of them with what a reader
 * says. A folder of several folders is told one after the other; the last table is of all.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { loadStories, type Stories } from './stories/data.ts'
import { type Figure, figuresOf } from './stories/figures.ts'
import { openProduct, type Product } from './stories/product.ts'
import { type Prediction, replayClosing, replayInstruction, replaySession } from './stories/replay.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
if (!values.data) {
  console.error('Usage: npm run bench stories -- --data <folder> [--out predictions.jsonl] [--json] [--only <kind>]')
  process.exit(1)
}

const product = await openProduct()
const told: { stories: Stories; predictions: Prediction[] }[] = []
for (const stories of loadStories(values.data)) told.push({ stories, predictions: await tell(product, stories) })
await product.close()

const predictions = told.flatMap((one) => one.predictions)
if (values.out) {
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, predictions.map((one) => `${JSON.stringify(one)}\n`).join(''))
}
const tables = told.map((one) => ({
  name: basename(one.stories.folder),
  figures: figuresOf(one.stories, one.predictions),
}))
if (told.length > 1)
  tables.push({ name: 'all', figures: figuresOf(joined(told.map((one) => one.stories)), predictions) })
if (values.json) console.log(JSON.stringify(tables))
else for (const { name, figures } of tables) print(name, figures)

async function tell(grove: Product, stories: Stories): Promise<Prediction[]> {
  const wants = (kind: string) => values.only === undefined || values.only === kind
  const made: Prediction[] = []
  if (wants('instructions')) for (const story of stories.instructions) made.push(await replayInstruction(grove, story))
  const anywhere = grove.project([])
  if (wants('closings')) for (const story of stories.closings) made.push(await replayClosing(grove, anywhere, story))
  if (wants('sessions')) for (const story of stories.sessions) made.push(await replaySession(grove, story))
  return made
}

function joined(all: Stories[]): Stories {
  return {
    folder: 'all',
    instructions: all.flatMap(({ instructions }) => instructions),
    closings: all.flatMap(({ closings }) => closings),
    sessions: all.flatMap(({ sessions }) => sessions),
  }
}

function print(name: string, figures: Figure[]) {
  const cells = (...texts: string[]) => texts.map((text) => text.padStart(10)).join('')
  console.log(`\n${name.padEnd(40)}${cells('figure', 'of', 'target', 'reach', '')}`)
  for (const { name: what, value, of, target, reach, atMost } of figures) {
    const aim = (limit: number | undefined) => (limit === undefined ? '' : `${atMost ? '≤' : '≥'} ${limit}`)
    const verdict = value === undefined || target === undefined ? '' : meets(value, target, atMost) ? 'met' : 'missed'
    console.log(`${what.padEnd(40)}${cells(value?.toFixed(3) ?? '–', String(of), aim(target), aim(reach), verdict)}`)
  }
}

function meets(value: number, target: number, atMost = false): boolean {
  return atMost ? value <= target : value >= target
}

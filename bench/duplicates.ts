// npm run bench duplicates -- [--data <folder>] [--json] [--wrong]: how well reworded duplicates are told from other points
// about the same topic, beside the substring rule.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { duplicateOf, similarity } from '../src/core/learning/duplicates.ts'
import { bySubstring, measure, type Pair, readPairs } from '../test/corpus/learnings/measure.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join('test', 'corpus', 'learnings') },
    json: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
  },
})
const pairs = readPairs(values.data)
const ways = {
  substring: bySubstring,
  grove: (a: Pair['a'], b: Pair['b']) => duplicateOf(a, [b]) !== undefined,
}
const rows = (['dev', 'holdout'] as const).flatMap((split) => {
  const own = pairs.filter((pair) => pair.split === split)
  const duplicates = own.filter(({ same }) => same).length
  return Object.entries(ways).map(([way, isSame]) => {
    const { precision, recall, f1, wrong } = measure(own, isSame)
    return { split, way, duplicates, others: own.length - duplicates, precision, recall, f1, wrong }
  })
})

// Learnings about different things: none of them may be taken for a duplicate.
const all = pairs.map(({ a }) => a).filter((_, at) => at % 2 === 0)
const strangers = all.flatMap((a, at) => all.slice(at + 1).map((b) => similarity(a, b)))
const falseAlarms = strangers.filter((score) => score >= 0.5).length / strangers.length

if (values.json)
  console.log(JSON.stringify({ rows: rows.map(({ wrong, ...row }) => ({ ...row, wrong: wrong.length })), falseAlarms }))
else {
  console.log('set      way        duplicates  others  precision  recall  F1')
  for (const { split, way, duplicates, others, precision, recall, f1, wrong } of rows) {
    const figures = [precision, recall, f1].map((figure) => figure.toFixed(3))
    console.log(
      `${split.padEnd(8)} ${way.padEnd(10)} ${String(duplicates).padStart(5)}  ${String(others).padStart(6)}  ${figures[0]!.padStart(9)}  ${figures[1]!.padStart(6)}  ${figures[2]}`,
    )
    if (values.wrong && way === 'grove' && split === 'dev') {
      for (const { same, a, b } of wrong) console.log(`  ${same ? 'missed' : 'false'}: ${a.summary} / ${b.summary}`)
    }
  }
  console.log(
    `taken for a duplicate among ${strangers.length} pairs about different things: ${(100 * falseAlarms).toFixed(2)} %`,
  )
}

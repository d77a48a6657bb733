/** npm run bench train-limits -- --data <folder> [--data <another>]: trains the reader of mentions and writes its weights; same data, same bytes. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadStories } from './stories/data.ts'
import { type LimitSentence, leaveOneOut, ownExamples, storyExamples, trainLimits } from './stories/train-limits.ts'
import { readJsonLines } from './support/json-lines.ts'

const { values } = parseArgs({ options: { data: { type: 'string', multiple: true } } })
if (!values.data)
  throw new Error('Usage: npm run bench train-limits -- --data <folder with instructions.jsonl> [--data <another>]')

const own = readJsonLines<LimitSentence>('bench/stories', 'limits.jsonl', '').flatMap(ownExamples)
// Together with the project's own, so that the same data gives the same bytes everywhere.
const sets = [...values.data, 'bench/stories'].flatMap((folder) =>
  loadStories(folder).map((stories) => ({
    name: stories.folder,
    examples: stories.instructions.flatMap(storyExamples),
  })),
)
for (const { name, precision, recall, of } of leaveOneOut(own, sets))
  console.log(
    `left out ${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${of} closed mentions`,
  )
const model = trainLimits([...own, ...sets.flatMap(({ examples }) => examples)])
writeFileSync('src/core/goal/mentions.min.json', `${JSON.stringify(model)}\n`)
console.log('wrote src/core/goal/mentions.min.json')

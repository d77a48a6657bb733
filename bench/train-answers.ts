/**
 * npm run bench train-answers -- --data <folder> [--data <another>] [--keep]: trains the reader of questions and writes its
 * weights; same data, same bytes. With --keep it begins with the weights that stand, which know stories that are gone.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import standing from '#core/goal/answers.min.json' with { type: 'json' }
import { loadStories } from './stories/data.ts'
import {
  composed,
  leaveOneOut,
  type Prompt,
  promptExample,
  storyExample,
  trainAnswers,
} from './stories/train-answers.ts'
import { readJsonLines } from './support/json-lines.ts'

const { values } = parseArgs({
  options: { data: { type: 'string', multiple: true }, keep: { type: 'boolean', default: false } },
})
if (!values.data)
  throw new Error(
    'Usage: npm run bench train-answers -- --data <folder with instructions.jsonl> [--data <another>] [--keep]',
  )

const lines = readJsonLines<Partial<Prompt> & { around?: string }>('bench/stories', 'prompts.jsonl', '')
const prompts = lines.flatMap(({ said, question }) =>
  said === undefined ? [] : [{ said, question: question === true }],
)
const around = lines.flatMap((line) => line.around ?? [])
// Who closes a place asks nothing.
const limits = readJsonLines<{ said: string }>('bench/stories', 'limits.jsonl', '')
  .filter((_, at) => at % 3 === 0)
  .map(({ said }) => ({ said, question: false }))
const own = [...prompts, ...composed(prompts, around), ...limits].map(promptExample)
// Together with the project's own, so that the same data gives the same bytes everywhere.
const sets = [...values.data, 'bench/stories'].flatMap((folder) =>
  loadStories(folder).map((stories) => ({ name: stories.folder, examples: stories.instructions.map(storyExample) })),
)
for (const { name, precision, recall, of } of leaveOneOut(own, sets))
  console.log(`left out ${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${of} questions`)
const model = trainAnswers([...own, ...sets.flatMap(({ examples }) => examples)], values.keep ? standing : undefined)
writeFileSync('src/core/goal/answers.min.json', `${JSON.stringify(model)}\n`)
console.log('wrote src/core/goal/answers.min.json')

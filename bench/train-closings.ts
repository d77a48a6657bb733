/**
 * npm run bench train-closings -- --data <folder> [--data <another>] [--keep] [--errors]: trains the reader of closings and writes
 * its weights; same data, same bytes. With --keep it begins with the weights that stand, which know stories that are gone.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import standing from '#core/goal/closing.min.json' with { type: 'json' }
import { CLOSINGS } from '#core/goal/closing.ts'
import { loadStories } from './stories/data.ts'
import { crossValidate, trainClosings } from './stories/train-closings.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    errors: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
if (!values.data)
  throw new Error('Usage: npm run bench train-closings -- --data <folder with closings.jsonl> [--keep] [--errors]')

// Together with the project's own, so that the same data gives the same bytes everywhere.
const stories = [...values.data, 'bench/stories'].flatMap((folder) =>
  loadStories(folder).flatMap(({ closings }) => closings),
)
const left = crossValidate(stories)
const ofSession = (source: string) => source.includes('/')
for (const [name, some] of [
  ['all', left],
  ['written ones', left.filter(({ story }) => !ofSession(story.source))],
  ['of sessions', left.filter(({ story }) => ofSession(story.source))],
] as const) {
  const f1 = CLOSINGS.map((label) => {
    const hits = some.filter((one) => one.label === label && one.story.label === label).length
    return (
      (2 * hits) / some.reduce((sum, one) => sum + Number(one.label === label) + Number(one.story.label === label), 0)
    )
  })
  console.log(
    `left out, ${name}: macro F1 ${(f1.reduce((a, b) => a + b, 0) / f1.length).toFixed(3)} (${f1.map((value) => value.toFixed(2)).join(' ')}) of ${some.length}`,
  )
}
if (values.errors)
  for (const { story, label } of left)
    if (label !== story.label)
      console.log(`${story.label}, said ${label}: ${story.id} ${story.closing.slice(-300).replace(/\s+/g, ' ')}`)
writeFileSync(
  'src/core/goal/closing.min.json',
  `${JSON.stringify(trainClosings(stories, values.keep ? standing : undefined))}\n`,
)
console.log('wrote src/core/goal/closing.min.json')

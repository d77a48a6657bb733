/**
 * npm run bench train-drift -- --data <folder>: trains the drift model and writes its weights; same data, same bytes.
 * npm run bench train-drift -- --corpus <folder of source code> [--corpus …]: rebuilds the word table instead.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Case, loadCases } from './drift/data.ts'
import { buildLexicon } from './drift/lexicon.ts'
import { evaluateMacro } from './drift/metrics.ts'
import { crossValidate, prepareAll, trainModel } from './drift/train.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, corpus: { type: 'string', multiple: true } } })

if (values.corpus) write('src/core/drift/lexicon.min.json', buildLexicon(values.corpus))
else if (values.data) train(loadCases(values.data))
else throw new Error('Usage: npm run bench train-drift -- --data <folder with trajs.jsonl and labels.jsonl>')

function train(given: Case[]) {
  const { cases, made } = prepareAll(given)
  console.log(`${cases.length} trajectories, ${made.length} spliced`)
  const risks = crossValidate(cases, made, console.log)
  const { auc, detection, delay } = evaluateMacro(given, risks)
  console.log(`left out: zone AUC ${auc.toFixed(3)}, detection ${detection.toFixed(3)}, delay ${delay.toFixed(2)}`)
  write('src/core/drift/model.min.json', trainModel(cases, made, given, risks))
}

function write(file: string, value: unknown) {
  writeFileSync(file, `${JSON.stringify(value)}\n`)
  console.log(`wrote ${file}`)
}

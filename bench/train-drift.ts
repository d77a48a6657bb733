/** npm run bench train-drift -- --data <folder>: trains the drift model and writes its weights; same data, same bytes. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { foldsOf, loadCases } from './drift/data.ts'
import { evaluateMacro } from './drift/metrics.ts'
import { spliceForeignRuns } from './drift/splice.ts'
import { crossValidate, prepare, trainModel } from './drift/train.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, to: { type: 'string', default: 'src/core/drift/model.min.json' } },
})
if (!values.data)
  throw new Error('Usage: npm run bench train-drift -- --data <folder with trajs.jsonl and labels.jsonl>')

const given = loadCases(values.data)
const folds = foldsOf(given)
const cases = given.map((one, i) => prepare(one, folds[i]!))
const foldOf = new Map(cases.map((one) => [one.id, one.fold]))
const made = spliceForeignRuns(given, folds).map(({ host, made }) => prepare(made, foldOf.get(host.traj.id)!, 0.5))
console.log(`${cases.length} trajectories, ${made.length} spliced`)

const risks = crossValidate(cases, made, console.log)
const { auc, detection, delay } = evaluateMacro(given, risks)
console.log(`cross-validated: zone AUC ${auc.toFixed(3)}, detection ${detection.toFixed(3)}, delay ${delay.toFixed(2)}`)

writeFileSync(values.to, `${JSON.stringify(trainModel(cases, made, given, risks))}\n`)
console.log(`wrote ${values.to}`)

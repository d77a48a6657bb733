/**
 * npm run bench drift -- --data <folder> [--out scores.jsonl] [--json] [--cv]
 * --cv also trains models on the other folds (see foldsOf); --out then writes their scores instead of the shipped model's.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { model, scoreOf } from '#core/drift/model.ts'
import { scoreAction, startTrail } from '#core/drift/score.ts'
import { chance, type Scorer, specsRule, wordOverlap } from './drift/baselines.ts'
import { fingerprint, hasLabels, loadCases, loadTrajectories, type Trajectory } from './drift/data.ts'
import { detections, evaluateMacro, mean, onGoalPeaks, type Risks } from './drift/metrics.ts'
import { crossValidate, prepareAll } from './drift/train.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    cv: { type: 'boolean', default: false },
  },
})
if (!values.data) {
  console.error('Usage: npm run bench drift -- --data <folder> [--out scores.jsonl] [--json] [--cv]')
  process.exit(1)
}

const grove: Scorer = ({ goal, context, actions }) => {
  let trail = startTrail(goal, context)
  return actions.map((action) => {
    const scored = scoreAction(trail, action)
    trail = scored.trail
    return scored.reading.risk
  })
}

const trajectories = loadTrajectories(values.data)
if (!hasLabels(values.data)) {
  if (values.out) writeScores(values.out, run(grove).risks)
  console.log(`${trajectories.length} trajectories without labels${values.out ? `; scores are in ${values.out}` : ''}.`)
  process.exit(0)
}
const cases = loadCases(values.data)
const seen = model.trainedOn === fingerprint(cases)
const rows = [
  { name: 'random', ...run(chance()) },
  { name: "the specs' scope rule", ...run(specsRule) },
  { name: 'word overlap goal–path', ...run(wordOverlap) },
  { name: seen ? 'Grove as shipped (seen!)' : 'Grove as shipped', ...run(grove) },
]
if (values.cv) rows.push({ name: 'Grove, cross-validated', ...crossValidated() })

if (values.out) writeScores(values.out, rows.at(-1)!.risks)
const results = rows.map(({ name, risks, micros }) => ({ name, ...evaluateMacro(cases, risks), micros }))
const levels = reachedBy(rows.at(-1)!.risks)
if (values.json) console.log(JSON.stringify([...results.slice(0, -1), { ...results.at(-1), levels }]))
else {
  printTable(results)
  printLevels(rows.at(-1)!.name)
}

function run(scorer: Scorer): { risks: Risks; micros: number } {
  const risks: Risks = new Map()
  const before = process.cpuUsage()
  for (const traj of trajectories) risks.set(traj.id, scorer(traj))
  const { user, system } = process.cpuUsage(before)
  return { risks, micros: (user + system) / trajectories.reduce((sum, { actions }) => sum + actions.length, 0) }
}

function crossValidated(): { risks: Risks; micros: number } {
  const { cases: given, made } = prepareAll(cases)
  return { risks: crossValidate(given, made, (line) => console.error(line)), micros: Number.NaN }
}

function writeScores(file: string, risks: Risks) {
  const scoresOf = ({ id }: Trajectory) =>
    (risks.get(id) ?? []).map((score, step) => `${JSON.stringify({ traj_id: id, step, score })}\n`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, trajectories.flatMap(scoresOf).join(''))
}

function printTable(table: typeof results) {
  const sources = table[0]!.by.map(({ source }) => source)
  const head = [...sources.map((source) => `AUC ${source}`), 'AUC macro', 'detection', 'mean delay', 'µs/action']
  console.log(`${''.padEnd(28)}${head.map((title) => title.padStart(12)).join('')}`)
  for (const { name, by, auc, detection, delay, micros } of table) {
    const cells = [...by.map((r) => r.auc.toFixed(3)), auc.toFixed(3), detection.toFixed(2), delay.toFixed(2)]
    const time = Number.isNaN(micros) ? '' : micros.toFixed(0)
    console.log(`${name.padEnd(28)}${[...cells, time].map((cell) => cell.padStart(12)).join('')}`)
  }
  console.log('\nDetection and delay at ≤ 10 % of on-goal trajectories raising any alarm, mean over sources.')
  if (seen)
    console.log('The shipped model was trained on this very set: only the cross-validated row (--cv) says something.')
  if (values.cv) {
    console.log(
      'Cross-validated by repository; where a source has only one, by conversation within it, which is easier.',
    )
  }
}

/** How often on-goal and drifted tasks reach each level of correction, and how many on-goal ones may. */
function reachedBy(risks: Risks) {
  const scores: Risks = new Map([...risks].map(([id, all]) => [id, all.map((risk) => -scoreOf(risk))]))
  const levels = [
    { level: 'nudge', atMost: 7 },
    { level: 'correct', atMost: 6, target: 0.05 },
    { level: 'intervene', atMost: 4 },
    { level: 'halt', atMost: 2, target: 0.01 },
  ]
  return levels.map(({ level, atMost, target }) => ({
    level,
    atMost,
    onGoal: mean(onGoalPeaks(cases, scores).map((worst) => (worst >= -atMost ? 1 : 0))),
    drifted: mean(detections(cases, scores, -atMost - 0.5).map((hit) => (hit.found ? 1 : 0))),
    target,
  }))
}

function printLevels(name: string) {
  console.log(`\n${name}: share of tasks that reach a level`)
  console.log(['level', 'score', 'on goal', 'drifted', 'on goal may'].map((title) => title.padStart(12)).join(''))
  for (const { level, atMost, onGoal, drifted, target } of levels) {
    const may = target === undefined ? '' : `≤ ${target.toFixed(2)}`
    const cells = [level, `≤ ${atMost}`, onGoal.toFixed(3), drifted.toFixed(3), may]
    console.log(cells.map((cell) => cell.padStart(12)).join(''))
  }
}

/** Trains the two stages of the drift model, and scores cases by models that never saw their repository. */
import { FEATURES } from '#core/drift/features.ts'
import { type DriftModel, type Forest, predict } from '#core/drift/model.ts'
import { takeStep, weigh } from '#core/drift/stages.ts'
import { type Marks, startTrail } from '#core/drift/trail.ts'
import { type Binned, type BoostOptions, bin, boost } from './boost.ts'
import { type Case, fingerprint, foldsOf, type Label } from './data.ts'
import { onGoalPeaks, type Risks } from './metrics.ts'
import { spliceForeignRuns } from './splice.ts'

/** A case with its stage-one rows, which do not depend on any model. */
interface Prepared {
  id: string
  source: string
  fold: string
  label: Label
  /** Cases spliced by us count less than given ones. */
  trust: number
  /** Steps that say something about drift; `runs[n]` holds the rows of `steps[n]`. */
  steps: number[]
  runs: number[][][]
  length: number
}

function prepare({ traj, label }: Case, fold: string, trust: number): Prepared {
  let trail = startTrail(traj.goal, traj.context)
  const steps: number[] = []
  const runs: number[][][] = []
  traj.actions.forEach((action, i) => {
    const step = takeStep(trail, action)
    if (!step) return
    trail = { ...trail, notes: step.notes }
    steps.push(i)
    runs.push(step.runs)
  })
  return { id: traj.id, source: traj.source, fold, label, trust, steps, runs, length: traj.actions.length }
}

/** The given cases and the ones spliced from them, each in the fold of its host. */
export function prepareAll(given: Case[]): { cases: Prepared[]; made: Prepared[] } {
  const folds = foldsOf(given)
  const foldOf = new Map(given.map(({ traj }, i) => [traj.id, folds[i]!]))
  return {
    cases: given.map((one, i) => prepare(one, folds[i]!, 1)),
    made: spliceForeignRuns(given, folds).map((one) => prepare(one, foldOf.get(one.traj.id)!, 0.5)),
  }
}

// More agreement with the goal or the trail may only lower the risk: what holds in one repository then holds in the next.
const monotone = FEATURES.map((name) => (/^(goal|link)\.(?!distance)|goalFresh/.test(name) ? -1 : 0))
const common = { rate: 0.08, minWeight: 8, l2: 5, rowShare: 0.6, featureShare: 0.4, seed: 1 }

const RUN_OPTIONS: BoostOptions = { ...common, trees: 150, leaves: 8, monotone }
const STEP_OPTIONS: BoostOptions = { ...common, trees: 120, leaves: 6 }
/** Forests averaged per stage, each from its own seed. */
const SEEDS = 3
/** Parts of the training folds that stage one leaves out in turn, to give stage two an honest view. */
const INNER = 4

/** All stage-one rows in bins, and where each case's rows begin. */
interface Table {
  data: Binned
  start: Map<Prepared, number>
}

function tableOf(cases: Prepared[]): Table {
  const start = new Map<Prepared, number>()
  const rows: number[][] = []
  for (const one of cases) {
    start.set(one, rows.length)
    for (const runs of one.runs) rows.push(...runs)
  }
  return { data: bin(rows), start }
}

function fitRuns(cases: Prepared[], table: Table, seed: number): Forest[] {
  const rows: number[] = []
  const labels: number[] = []
  const weights: number[] = []
  for (const one of cases) {
    let row = table.start.get(one)!
    one.steps.forEach((step, n) => {
      one.runs[n]!.forEach((_, back) => {
        const [label, weight] = runExample(one, step, one.steps[n - back]!, step + back)
        if (weight > 0) {
          rows.push(row)
          labels.push(label)
          weights.push(weight)
        }
        row++
      })
    })
  }
  return Array.from({ length: SEEDS }, (_, i) =>
    boost(table.data, rows, labels, weights, { ...RUN_OPTIONS, seed: seed + i }),
  )
}

/**
 * A run from `start` to `step` as an example of stage one: a foreign run from its true beginning, or the same place in the
 * on-goal copy. Other places of on-goal work are thinned out, being many.
 */
function runExample({ label, trust, steps }: Prepared, step: number, start: number, turn: number): [number, number] {
  const onset = steps.find((s) => s >= label.onset)
  const inZone = start >= label.onset && step < label.onset + label.k
  if (label.kind === 'drift') return [1, start === onset && inZone && label.steps[step] !== 0 ? trust : 0]
  if (!inZone) return [0, turn % 3 === 0 ? 0.15 : 0]
  if (start === onset) return [0, 1]
  return [0, turn % 2 === 0 ? 0.3 : 0]
}

/** Stage two's row per telling action; nothing for the first, which has no past. */
function stepRows(one: Prepared, forests: Forest[]): Array<number[] | undefined> {
  let marks: Marks = { tracks: [], peaks: [] }
  return one.runs.map((runs) => {
    if (runs.length === 0) return undefined
    const weighed = weigh(marks, runs, forests)
    marks = weighed.marks
    return weighed.row
  })
}

/** Stage two learns from what stage one says about cases it was not trained on. */
function fitModel(cases: Prepared[], table: Table): Pick<DriftModel, 'runs' | 'steps'> {
  const folds = [...new Set(cases.map((one) => one.fold))].sort()
  const rows: number[][] = []
  const labels: number[] = []
  const weights: number[] = []
  for (let part = 0; part < INNER; part++) {
    const inPart = (one: Prepared) => folds.indexOf(one.fold) % INNER === part
    const forests = fitRuns(
      cases.filter((one) => !inPart(one)),
      table,
      30,
    )
    for (const one of cases.filter(inPart)) {
      const { label, trust } = one
      stepRows(one, forests).forEach((row, n) => {
        const step = one.steps[n]!
        const inZone = step >= label.onset && step < label.onset + label.k
        const y = label.steps[step]!
        if (!row || y < 0 || (label.kind === 'drift' && !inZone)) return
        rows.push(row)
        labels.push(y)
        weights.push(inZone ? trust : 0.6)
      })
    }
  }
  const data = bin(rows)
  const all = rows.map((_, i) => i)
  const steps = Array.from({ length: SEEDS }, (_, i) =>
    boost(data, all, labels, weights, { ...STEP_OPTIONS, seed: 1 + i }),
  )
  return { runs: fitRuns(cases, table, 1), steps }
}

/** Risk per action. An action that says nothing keeps the risk before it. */
function risksOf(one: Prepared, model: Pick<DriftModel, 'runs' | 'steps'>): number[] {
  const rows = stepRows(one, model.runs)
  const risks: number[] = []
  let risk = 0
  for (let step = 0; step < one.length; step++) {
    const row = rows[one.steps.indexOf(step)]
    if (row) risk = predict(model.steps, row)
    risks.push(risk)
  }
  return risks
}

/** Each fold scored by a model trained on the others. */
export function crossValidate(cases: Prepared[], made: Prepared[], say: (line: string) => void): Risks {
  const table = tableOf([...cases, ...made])
  const risks: Risks = new Map()
  for (const fold of [...new Set(cases.map((one) => one.fold))].sort()) {
    const model = fitModel(
      [...cases, ...made].filter((one) => one.fold !== fold),
      table,
    )
    const held = cases.filter((one) => one.fold === fold)
    for (const one of held) risks.set(one.id, risksOf(one, model))
    say(`${fold}: ${held.length} trajectories scored`)
  }
  return risks
}

// Share of on-goal tasks that may ever see a score of 9, 8, … 1 or less: 7 nudges, 6 corrects, 4 intervenes, 2 halts.
const MAY_REACH = [0.5, 0.25, 0.1, 0.05, 0.035, 0.025, 0.015, 0.01, 0.004]

/** The model as shipped: trained on everything, its score cuts taken from the cross-validated risks. */
export function trainModel(cases: Prepared[], made: Prepared[], given: Case[], risks: Risks): DriftModel {
  const fitted = fitModel([...cases, ...made], tableOf([...cases, ...made]))
  const peaks = [...new Set(given.map((c) => c.traj.source))].map((source) =>
    onGoalPeaks(
      given.filter((c) => c.traj.source === source),
      risks,
    ).sort((a, b) => b - a),
  )
  const cuts = MAY_REACH.map((share) => Math.max(...peaks.map((all) => all[Math.floor(share * all.length)]!)))
  return {
    ...fitted,
    cuts: cuts.map((cut) => Math.ceil(cut * 1e4 + 1) / 1e4),
    usual: usualRow(cases),
    trainedOn: fingerprint(given),
  }
}

function usualRow(cases: Prepared[]): number[] {
  const rows = cases.filter((one) => one.label.kind === 'on').flatMap((one) => one.runs.flat())
  return FEATURES.map((_, k) => {
    const sorted = rows.map((row) => row[k]!).sort((a, b) => a - b)
    return Math.round(sorted[Math.floor(sorted.length / 2)]! * 1e3) / 1e3
  })
}

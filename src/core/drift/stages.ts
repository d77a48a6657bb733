/** From a trail and one more action to the rows that the two stages of the model judge. */
import { LONGEST_RUN, runRows } from './features.ts'
import { type DriftAction, gistOf } from './gist.ts'
import { aimOf, meetGoal } from './goal.ts'
import { type Forest, predict } from './model.ts'
import { type DriftTrail, type Marks, type Note, remember } from './trail.ts'

const MOST_PEAKS = 60

/** Notes with the action added, and stage one's rows. Nothing if the action could belong to any task. */
export function takeStep(trail: DriftTrail, action: DriftAction): { notes: Note[]; runs: number[][] } | undefined {
  const gist = gistOf(action)
  if (!gist) return undefined
  const aim = aimOf(trail.aim)
  const note: Note = { ...gist, goal: Object.values(meetGoal(gist, aim)), link: [] }
  const { rows, link } = runRows([...trail.notes, note], aim)
  return { notes: remember(trail.notes, { ...note, link }), runs: rows }
}

/** Stage one's view of the possible beginnings, and stage two's row. `worst` is how many actions back the likeliest one is. */
export function weigh(
  marks: Marks,
  runs: number[][],
  forests: Forest[],
): { marks: Marks; row: number[]; worst: number } {
  const risks = runs.map((row) => predict(forests, row))
  const peak = Math.max(...risks)
  const worst = risks.indexOf(peak)
  const tracks = [...marks.tracks, []].slice(-LONGEST_RUN).map((track, i, all) => {
    const risk = risks[all.length - 1 - i]
    return risk === undefined ? track : [...track, risk]
  })
  const means = tracks.map(average).reverse()
  const before = marks.peaks.slice(0, Math.max(0, marks.peaks.length - worst))
  const row = [
    ...Array.from({ length: LONGEST_RUN }, (_, back) => risks[Math.min(back, risks.length - 1)]!),
    peak,
    average(risks),
    risks.length,
    marks.peaks.at(-1) ?? -1,
    marks.peaks.at(-2) ?? -1,
    means[worst]!,
    Math.max(...means),
    average(before),
    Math.max(-1, ...before),
    ...runs[0]!,
    ...runs[worst]!,
  ]
  return { marks: { tracks, peaks: [...marks.peaks, peak].slice(-MOST_PEAKS) }, row, worst }
}

function average(xs: number[]): number {
  return xs.length ? xs.reduce((sum, x) => sum + x, 0) / xs.length : 0
}

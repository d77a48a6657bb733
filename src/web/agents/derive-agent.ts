import type { Action } from '#protocol/agent-actions.ts'
import type { AgentSummary } from '#protocol/api/agents.ts'
import { featurePath } from '../features/derive-features.ts'
import { plural, times } from '../ui/format.ts'
import type { Shape, Tone } from '../ui/mark.tsx'

/** After this long without a sign an agent is not said to be at work. */
const AT_WORK_MS = 5 * 60_000

/** How an agent stands, as a shape: waiting for a person, held, off its goal, at work, or not heard of for a while. */
export function agentMark(
  { mode, lastSeenAt, waitsFor }: Pick<AgentSummary, 'mode' | 'lastSeenAt' | 'waitsFor'>,
  now: number,
): { shape: Shape; tone?: Tone } {
  if (waitsFor) return { shape: 'waits' }
  if (mode === 'forced') return { shape: 'refused' }
  if (mode === 'drifted') return { shape: 'turn' }
  return now - lastSeenAt < AT_WORK_MS ? { shape: 'works' } : { shape: 'works', tone: 'rest' }
}

/** Those that wait for a person come first; otherwise in the order that the server gives. */
export function waitingFirst<A extends { sessionId: string; waitsFor?: object }>(agents: readonly A[]): A[] {
  return agents.toSorted((a, b) => Number(b.waitsFor !== undefined) - Number(a.waitsFor !== undefined))
}

/** What an agent waits for, and where it is answered. */
export function waitOf({ sessionId, waitsFor }: Pick<AgentSummary, 'sessionId' | 'waitsFor'>) {
  if (!waitsFor) return undefined
  const { what, count, feature } = waitsFor
  const more = count > 1 ? `, and ${count - 1} more` : ''
  if (feature) return { text: `Waits for you: ${what}${more}`, href: featurePath(feature) }
  const wish = wishOf(what)
  return { text: `Waits for you. ${wish.verb} ${wish.what}${more}`, href: `/agents/${sessionId}` }
}

/** What an agent asks for, as the end of a sentence: a command is run, any other call is what its name says. */
export function wishOf(what: string): { verb: string; what: string } {
  const command = /^\w+: (.+)$/s.exec(what)?.[1]
  return command === undefined ? { verb: 'Wants to', what } : { verb: 'Wants to run', what: command }
}

/** What Grove has done for a piece of work, in a few words; undefined when that was nothing. */
export function contribution({ memories, corrections, stoppedWrites }: Contribution): string | undefined {
  const parts = [
    ...(memories > 0 ? [`recalled ${plural(memories, 'memory', 'memories')}`] : []),
    ...(corrections > 0 ? [`corrected it ${times(corrections)}`] : []),
    ...(stoppedWrites > 0 ? [`stopped ${plural(stoppedWrites, 'write')}`] : []),
  ]
  return parts.length > 0 ? `Grove ${parts.join(', ')}` : undefined
}

type Contribution = Pick<AgentSummary, 'memories' | 'corrections' | 'stoppedWrites'>

export type ActionFilter = 'all' | 'corrected' | 'refused'

export function filterActions(actions: Action[], filter: ActionFilter): Action[] {
  if (filter === 'refused') return actions.filter(({ isRejected }) => isRejected)
  return filter === 'corrected' ? actions.filter(({ level }) => level !== undefined) : actions
}

/** Where the points of a plot lie in its box, and which of them are worth a label. */
export interface PlotPoint {
  x: number
  y: number
  action: Action
  label?: string
}

export function driftPoints(actions: Action[], box: { width: number; height: number }): PlotPoint[] {
  const scored = actions.filter(({ score }) => score !== undefined)
  const step = scored.length > 1 ? box.width / (scored.length - 1) : 0
  return scored.map((action, index) => ({
    x: scored.length > 1 ? index * step : box.width / 2,
    y: box.height - (action.score! / 10) * box.height,
    action,
    ...(action.level && { label: `${action.number} ${action.level}` }),
  }))
}

/** A label with its place: before its mark, below the line that comes down to it, or behind it where the line rises. */
export interface PlacedLabel extends PlotPoint {
  side: 'before' | 'behind'
}

/** Labels that would stand on each other, or on the line, are left out: the table has all of them. */
export function placedLabels(points: PlotPoint[], { letter, width }: { letter: number; width: number }): PlacedLabel[] {
  const gap = 10
  let taken = 0
  return points.flatMap((point, index): PlacedLabel[] => {
    const { x, y, label = '' } = point
    const length = label.length * letter
    const before = points[index - 1]
    const next = points[index + 1]
    if (label === '') return []
    if (x - gap - length >= taken && !(before && before.y > y)) {
      taken = x + gap
      return [{ ...point, side: 'before' }]
    }
    if (x < taken - gap || (next && next.y > y) || x + gap + length > width) return []
    taken = x + gap + length
    return [{ ...point, side: 'behind' }]
  })
}

/** Which numbers stand under the plot: the first, the last, and round ones that leave room between. */
export function axisNumbers(points: PlotPoint[], apart: number): PlotPoint[] {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return []
  const room = Math.max(1, (apart * (points.length - 1)) / Math.max(1, last.x - first.x))
  const by = [5, 10, 20, 50, 100, 200, 500].find((step) => step >= room) ?? 1000
  const round = points.filter(
    ({ x, action }) => action.number % by === 0 && x - first.x >= apart && last.x - x >= apart,
  )
  return points.length === 1 ? [first] : [first, ...round, last]
}

import type { ToolReading } from '#core/action/reading.ts'
import { asksToHandOver, endsInHandingOver, handsOver } from '#core/drift/delivered.ts'
import { complaintsIn, withComplaints, withPass } from '#core/drift/follows.ts'
import type { DriftTrail } from '#core/drift/score.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeWork, followTrail } from '../../session/work.ts'

/** What a command complains of, the agent may well see to next. A look at something that is not there is no complaint. */
export function hearComplaint(
  session: SessionState,
  { kind, command = '', programs, invocations, outcome }: ToolReading,
  output = '',
) {
  const active = activeWork(session)
  if (!active || kind !== 'bash' || LOOKS.has(programs[0] ?? '') || outcome === 'denied') return
  const { cwd } = session.place ?? {}
  const named = complaintsIn(cwd ? output.replaceAll(`${cwd}/`, '') : output, outcome === 'failed')
  if (named) return followTrail(session, withComplaints(active.trail, named, command))
  followTrail(session, withDelivery(session, withPass(active.trail, command, invocations), programs))
}

/** The trail of an agent that has just handed its work over, where the user's newest words ask for that and nothing else. */
function withDelivery({ work }: SessionState, trail: DriftTrail, programs: string[]): DriftTrail {
  const asked = work.instruction?.text.trim() ?? ''
  if (!handsOver(programs)) return trail
  if (asksToHandOver(asked)) return { ...trail, delivered: asked }
  return endsInHandingOver(asked) ? { ...trail, handedOver: true } : trail
}

const LOOKS = new Set([
  ...['ls', 'cat', 'head', 'tail', 'grep', 'rg', 'ag', 'find', 'fd', 'tree', 'stat', 'wc', 'which', 'jq', 'echo'],
  ...['test', '[', 'sed', 'git log', 'git show', 'git diff', 'git status', 'git grep', 'git blame', 'git ls-files'],
])

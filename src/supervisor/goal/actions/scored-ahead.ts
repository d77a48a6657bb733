import type { ToolReading } from '#core/action/reading.ts'
import type { Bounds, DriftTrail, judgeAction } from '#core/drift/score.ts'
import type { ToolUse } from '#core/turn.ts'
import type { SeenUse } from '../../action/tool-call.ts'
import type { SessionState } from '../../session/session-state.ts'

/**
 * An action as it was read when the agent announced it. While the tool ran there was time for it, and the answer after
 * the tool need not wait; what was read holds for the same action, against the same trail and within the same bounds.
 */
interface Announced {
  toolUse: ToolUse
  cwd: string | undefined
  action: ToolReading
  judged?: { trail: DriftTrail; bounds: Bounds; outcome: Judged }
}

type Judged = ReturnType<typeof judgeAction>

/** Agents call a few tools at once, not many. */
const MOST = 8

const announcedIn = new WeakMap<SessionState, Map<string, Announced>>()

export function announce(session: SessionState, announced: Announced): void {
  const all = announcedIn.get(session) ?? new Map<string, Announced>()
  announcedIn.set(session, all.set(announced.toolUse.id, announced))
  if (all.size > MOST) all.delete(all.keys().next().value!)
}

/** What the action does, if it was announced with the same input: a hook of another program may have changed that since. */
export function announcedAction(
  session: SessionState,
  { id, name, input, outcome = 'announced' }: SeenUse,
): ToolReading | undefined {
  const announced = announcedIn.get(session)?.get(id)
  const isSame =
    announced?.toolUse.name === name && announced.cwd === session.place?.cwd && isEqual(announced.toolUse.input, input)
  if (isSame) return { ...announced.action, outcome }
  announcedIn.get(session)?.delete(id)
  return undefined
}

/** How the action is to be read, if nothing has happened since that would make a difference. */
export function announcedReading(
  session: SessionState,
  id: string,
  trail: DriftTrail,
  bounds: Bounds,
): Judged | undefined {
  const judged = announcedIn.get(session)?.get(id)?.judged
  return judged && judged.trail === trail && isEqual(judged.bounds, bounds) ? judged.outcome : undefined
}

function isEqual(a: object, b: object): boolean {
  const [mine, theirs] = [Object.entries(a), Object.entries(b)]
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null
  return (
    mine.length === theirs.length &&
    mine.every(([key, value], at) => {
      const [otherKey, other] = theirs[at]!
      if (key !== otherKey) return false
      return isPlain(value) || isPlain(other) ? value === other : JSON.stringify(value) === JSON.stringify(other)
    })
  )
}

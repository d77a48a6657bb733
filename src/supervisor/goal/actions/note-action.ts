import { recordOf, type ToolReading } from '#core/action/reading.ts'
import { keywordsOf } from '#core/goal/goal.ts'
import type { Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { covers } from '#core/text/covers.ts'
import type { ToolUse } from '#core/turn.ts'
import { lastWords } from '../../action/last-words.ts'
import type { SeenUse } from '../../action/tool-call.ts'
import { failOpen } from '../../fail-open.ts'
import { forgetPutBack } from '../../memory/forget-put-back.ts'
import { forgetAstray, noteScore } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'
import { openTurn } from '../../session/transcript.ts'
import {
  type ActiveWork,
  activeWork,
  followTrail,
  isNoted,
  noteActionId,
  noteChanged,
  noteOnGoalFiles,
} from '../../session/work.ts'
import type { World } from '../../world.ts'
import { hearDeclared } from '../tasks/declared-plan.ts'
import { applyReading } from './answer-action.ts'
import { hearComplaint } from './hear-complaint.ts'
import { changesWithin } from './held-files.ts'
import { markRecovered } from './recovered.ts'
import { GOOD, heardCorrections, judge, whatItDoes } from './score-action.ts'
import { announcedAction } from './scored-ahead.ts'
import { takesBack } from './take-back.ts'

/**
 * Notes an action of the agent, or of a subagent, once its outcome is known. What ran is scored against the goal, and corrected
 * where it has to be; what was denied or failed is only recorded. An action that proxy and hooks both report is noted once.
 * Resolves to the step to store; undefined for an action that was rejected, which becomes a drift event.
 */
export async function noteAction(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
  agentId?: string,
  hear?: () => Promise<boolean>,
): Promise<Step | undefined> {
  const active = activeWork(session)
  if (!active || isNoted(session, toolUse.id)) return undefined
  noteActionId(session, toolUse.id)
  openTurn(session)
  const action = announcedAction(session, toolUse) ?? (await whatItDoes(world, session, toolUse))
  const changes = changesWithin(world, session, action)
  const done = stepOf(world, active.task, toolUse, { ...action, changes }, agentId)
  const ran = action.outcome === 'ran'
  const step = ran ? await noteDeed(world, session, active, { action, toolUse, agentId, hear, done }) : done
  if (agentId === undefined) hearComplaint(session, action, toolUse.output)
  return step
}

interface Deed {
  action: ToolReading
  toolUse: SeenUse
  agentId: string | undefined
  hear: (() => Promise<boolean>) | undefined
  /** The step as it is kept when nothing speaks against it. */
  done: Step
}

async function noteDeed(
  world: World,
  session: SessionState,
  active: ActiveWork,
  { action, toolUse, agentId, hear, done }: Deed,
): Promise<Step | undefined> {
  hearDeclared(session, toolUse)
  // A person was asked about it and it ran: their word counts more than any score.
  if (session.drift.askedAbout === toolUse.id) return allowedByPerson(world, session, done)
  let judged = await judge(world, session, active, action, toolUse.id, agentId)
  // Before anything is held against the agent: the user may have asked for just this, while it worked.
  const hasHeard = judged !== undefined && judged.reading.score < GOOD && (await hear?.()) === true
  const { task, trail: before } = (hasHeard ? activeWork(session) : undefined) ?? active
  if (hasHeard) judged = await judge(world, session, { task, trail: before }, action, toolUse.id, agentId)
  const step = { ...done, taskId: task.id }
  noteTakenBack(session, action)
  await forgetEarlier(world, session, action)
  noteChanged(session, action.changes)
  if (!judged) return step

  const { trail, reading } = judged
  // The scorer hands the trail back untouched when an action says nothing either way.
  const neutral = trail === before
  followTrail(session, trail)
  const heard = heardCorrections(session)
  const kept = await applyReading(world, session, { task, trail }, { step, action, reading, neutral })
  // What was rejected, or done against a correction, is no part of the work: more of the same must not look at home beside it.
  if (!kept || (kept.level === 'correct' && heard > 0))
    followTrail(session, { ...before, risk: trail.risk, score: trail.score })
  return kept
}

async function allowedByPerson(world: World, session: SessionState, step: Step): Promise<Step> {
  const { task } = activeWork(session)!
  noteOnGoalFiles(session, step.changes ?? [])
  noteChanged(session, step.changes ?? [])
  await markRecovered(world, session, task, { mode: 'normal', escalation: 0 })
  noteScore(session, 10)
  return { ...step, driftScore: 10, driftType: 'none' }
}

/** Removing what was made astray, or putting back what was there, settles it. */
function noteTakenBack(session: SessionState, action: ToolReading) {
  const { removes = [], restores = [] } = action
  forgetAstray(session, (path) => {
    const isThere = (place: string) => place === '.' || covers([place], path)
    return restores.some(isThere) || (removes.some(isThere) && takesBack(session, action, path))
  })
}

async function forgetEarlier(world: World, session: SessionState, { earlierWork }: ToolReading) {
  const { restored } = earlierWork ?? {}
  if (!restored) return
  await failOpen(world.log, 'forget what was put back', undefined, () => forgetPutBack(world.memory, session, restored))
}

/** The step with what the agent said before it. */
export function withWords(step: Step, said: string | undefined): Step {
  if (!said) return step
  return { ...step, reasoning: lastWords(said), keyDecision: DECIDES.test(said) }
}

export async function keepStep(world: World, step: Step): Promise<void> {
  await world.store.steps.append(step)
  // Only what ran is published to the live feed; a call that failed or was denied is stored all the same.
  if (step.outcome) return
  const { sessionId, taskId, id: stepId, tool, files, driftScore: score = 10 } = step
  world.publish({ type: 'step', sessionId, taskId, stepId, tool, files, score })
}

const MOST_KEYWORDS = 8

function stepOf(world: World, task: Task, { id }: ToolUse, action: ToolReading, agentId?: string): Step {
  const record = recordOf(action)
  const { outcome, changes, earlierWork } = action
  const ran =
    outcome === 'failed' || outcome === 'denied'
      ? { outcome }
      : { ...(changes.length > 0 && { changes }), ...(earlierWork && { earlierWork }) }
  return {
    id,
    sessionId: task.sessionId,
    taskId: task.id,
    ...(agentId && { agentId }),
    ...record,
    keywords: keywordsOf([...record.files, record.query ?? '', record.excerpt ?? ''].join(' ')).slice(0, MOST_KEYWORDS),
    keyDecision: false,
    at: world.clock.now(),
    ...ran,
  }
}

const DECIDES =
  /\b(?:decided?|instead of|rather than|chose|choose|trade-?off|because|the (?:best|right|simplest) (?:way|approach))\b/i

import { commandLineOf } from '#core/action/tools.ts'
import { cap, neutralise } from '#core/context/fence.ts'
import { type Approval, NO_INTENT } from '#core/intent/approval.ts'
import { type Denial, staleFile } from '#core/intent/denial.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { Contribution } from '../../handle-hook.ts'
import { forgetWindow, openWindow } from '../after-tool/tool-windows.ts'
import type { AnyCallEvent, Call, CallEvent } from '../before-tool/call.ts'
import type { Expectation } from '../before-tool/targets.ts'
import { lockable, shownOf } from '../stale-files/lock-and-compare.ts'
import { staleFiles } from '../stale-files/seen-files.ts'
import type { GuardWorld } from '../world.ts'
import { detailOf, whatOf } from './approval-detail.ts'
import { file, noteAsked, type Question, refused, use, waitForAnswer } from './approvals.ts'
import { isAttended } from './attended.ts'
import { noteWaiting, waitIsOver } from './waiting-calls.ts'

/** A person said yes, with a word to the agent. */
export function isYes(said: Denial | Contribution): said is Contribution {
  return !isRefusal(said) && said.ask === undefined && said.deny === undefined
}

/** Puts the call before a person and waits. Undefined: they said yes. */
export async function askPerson(
  world: GuardWorld,
  call: Call,
  intentId: string,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  const { targets } = expected
  // A person is not asked about what would be refused anyway.
  const stale = await staleFiles(world, call, lockable(targets))
  if (stale.length > 0) return staleFile(stale.map((path) => shownOf(path, targets)))
  const { project, sessionId } = call
  const detail = await detailOf(world, call, expected)
  const isAsked = await isAtTerminal(world, project, call.event)
  if (!isAsked) await beginWait(world, call, expected)
  const approval = await file(world, {
    ...actionQuestion(project, call.event, intentId),
    what: whatOf(call, expected),
    detail,
  })
  if (isAsked) {
    if (await use(world, approval.id)) return wordOf(approval)
    if (approval.status === 'rejected') return refused(approval, 0)
    await noteAsked(world, call.toolUseId, { approvalId: approval.id, sessionId })
    const why =
      intentId === NO_INTENT ? 'No intent is selected' : `The intent ${intentId} needs your approval (.intentignore)`
    return { ask: `${why}: ${approval.what}` }
  }
  const { approvalWaitMs } = world.settings(project)
  const answer = (await waitForAnswer(world, approval.id, approvalWaitMs)) ?? approval
  const isApproved = await use(world, approval.id)
  await endWait(world, call, isApproved)
  return isApproved ? wordOf(answer) : refused(answer, approvalWaitMs)
}

/** Recorded before a person is asked: from then on the hook may be killed, and the client would run the call. */
async function beginWait(world: GuardWorld, call: Call, expected: Expectation): Promise<void> {
  await noteWaiting(world, call.project, call, expected.targets)
  if (call.effect.kind !== 'files') await openWindow(world, call, undefined, expected)
}

async function endWait(world: GuardWorld, { toolUseId }: Call, isApproved: boolean): Promise<void> {
  await waitIsOver(world, toolUseId)
  if (!isApproved) await forgetWindow(world, toolUseId)
}

/** What the person said with their yes is for the agent too. */
function wordOf({ note }: Approval): Contribution | undefined {
  return note ? { context: `A person has approved this call and says: ${cap(neutralise(note), 500)}` } : undefined
}

/** The question whether this call may be made for an intent in `.intentignore`. */
export function actionQuestion(project: GuardedProject, event: AnyCallEvent, intentId: string): Question {
  const { session_id: sessionId, agent_id: agentId, tool_name: tool, tool_input: input } = event
  const subject = commandLineOf(tool, input) ?? JSON.stringify(input)
  return { kind: 'action', sessionId, ...(agentId && { agentId }), project, intentId, tool, subject }
}

export async function isAtTerminal(
  { settings, transcripts }: GuardWorld,
  project: GuardedProject,
  event: CallEvent,
): Promise<boolean> {
  const { askIn } = settings(project)
  if (askIn !== 'auto') return askIn === 'terminal'
  return isAttended(transcripts, event.transcript_path)
}

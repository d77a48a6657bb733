import { isGroveTool, isHarmless } from '#core/action/tools.ts'
import { NO_INTENT } from '#core/intent/approval.ts'
import { type Denial, peopleOnly, putBackFirst, unreadCommand } from '#core/intent/denial.ts'
import type { Intent } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { dayOf } from '#core/text/day.ts'
import { isRefusal, refusalText } from '#protocol/refusal.ts'
import { callOf } from '../../action/tool-call.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import { openWindow } from '../after-tool/tool-windows.ts'
import { acceptFirst, firstToPutBack, mayPutBack, undo } from '../after-tool/violations.ts'
import { changesDetail } from '../approvals/approval-detail.ts'
import { file, use } from '../approvals/approvals.ts'
import { askPerson, isYes } from '../approvals/ask-person.ts'
import { askForScope } from '../approvals/scope-request.ts'
import { chosenQuietly, intentFor } from '../intents/chosen-intent.ts'
import { lockAndCompare, lockable } from '../stale-files/lock-and-compare.ts'
import type { GuardWorld } from '../world.ts'
import type { Call, CallEvent } from './call.ts'
import { asksGrove, isForPeople } from './commands-for-people.ts'
import { expectation, ownPart } from './expected-writes.ts'
import { declaresReadOnly } from './read-only-tools.ts'
import { boundTargets, scopeDenial } from './scope-check.ts'
import type { Expectation } from './targets.ts'
import { withoutIntent } from './without-intent.ts'

/** The gatekeeper: intent, scope, staleness, approval, in this order; the first no is the answer. */
export async function beforeTool(
  world: GuardWorld,
  project: GuardedProject,
  event: CallEvent,
  { since, isElsewhere }: { since: number; isElsewhere: boolean },
): Promise<Contribution | undefined> {
  const { tool_name: tool } = event
  if (isGroveTool(tool, 'request_scope')) return askForScope(world, project, event)
  if (isHarmless(tool) || world.settings(project).isReadOnlyTool(tool)) return undefined
  if (tool.startsWith('mcp__') && (await declaresReadOnly(world, project, tool, since))) return undefined
  const asked = callOf(event)
  const cwd = event.cwd ?? project.root
  const effect = await world.tools.effect(asked, { cwd, root: project.root })
  const call: Call = {
    sessionId: event.session_id,
    ...(event.agent_id && { agentId: event.agent_id }),
    project,
    cwd,
    tool,
    ...(event.tool_use_id && { toolUseId: event.tool_use_id }),
    effect,
    asked,
    event,
    isElsewhere,
  }
  const expected = ownPart(world, call, await expectation(world, call), isElsewhere)
  const reachesOut = call.effect.kind === 'shell' && call.effect.script.outward.length > 0
  if (expected.readOnly && !reachesOut && !asksGrove(call.effect)) {
    // A call that only reads passes, but the tree is compared all the same: the reading may be wrong.
    if (call.effect.kind === 'shell') await openWindow(world, call, await chosenQuietly(world, call), expected)
    return undefined
  }
  const said = await decide(world, call, expected)
  return said && isRefusal(said) ? deny(world, call, said) : said
}

async function deny(world: GuardWorld, { sessionId, asked }: Call, denial: Denial): Promise<Contribution> {
  const { code, message } = denial
  world.tools.deny(asked)
  const now = world.clock.now()
  const more = (count = 0) => count + 1
  await world.states.update(SLOTS.stoppedWrites, dayOf(now), now, more)
  await world.states.update(SLOTS.stoppedInSession, sessionId, now, more)
  world.notify({ type: 'guard:denied', sessionId, code, message })
  return { deny: refusalText(denial) }
}

const NOTHING: ReadonlySet<string> = new Set()

async function decide(
  world: GuardWorld,
  call: Call,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  if (isForPeople(call.effect)) return peopleOnly()
  const chosen = await intentFor(world, call)
  const forgiven = call.effect.kind === 'shell' ? await mayPutBack(world, call, call.effect.script) : NOTHING
  const targets = expected.targets.filter(({ absolute }) => !forgiven.has(absolute))
  const first = forgiven.size > 0 ? undefined : await comesFirst(world, call)
  if (first) return first
  if (isRefusal(chosen)) return withoutIntent(world, call, { ...expected, targets }, chosen, forgiven.size > 0)
  const { intent } = chosen
  if (call.effect.kind === 'shell' && call.effect.script.isUnread && !call.isElsewhere) return unreadCommand(intent)
  const out = await scopeDenial(world, call.project, intent, targets)
  if (out) return out
  const approval = await approvalFor(world, call, intent, expected)
  if (approval && !isYes(approval)) return approval
  // Taken last, because the lease holds from here until the tool has run.
  const stale = await lockAndCompare(world, call, expected.targets)
  if (stale) return stale
  if (call.effect.kind !== 'files') await openWindow(world, call, chosen, expected, lockable(expected.targets))
  return approval
}

/** Unapproved changes must be restored, or accepted by a person, before anything else is written. */
async function comesFirst(world: GuardWorld, call: Call): Promise<Denial | undefined> {
  const open = await firstToPutBack(world, call)
  if (!open) return undefined
  const { sessionId, agentId, project } = call
  const paths = open.files.map(({ path }) => path)
  const approval = await file(world, {
    ...{ kind: 'action', sessionId, ...(agentId && { agentId }), project, intentId: NO_INTENT },
    // One question, whichever tools are refused until it is answered.
    tool: 'keep',
    subject: `keep ${open.key}`,
    what: `keep what was changed without permission: ${paths.join(', ')}`,
    detail: await changesDetail(world, open.files),
  })
  if (await use(world, approval.id)) {
    await acceptFirst(world, open.key)
    return undefined
  }
  return putBackFirst(paths, open.files.map(undo), approval.id)
}

/** An intent in `.intentignore` writes, and reaches out, only with a person's word; tests and builds run. Undefined: it may. */
async function approvalFor(
  world: GuardWorld,
  call: Call,
  intent: Intent,
  expected: Expectation,
): Promise<Denial | Contribution | undefined> {
  if (!(await world.intents.ignored(call.project)).includes(intent.id)) return undefined
  if (call.effect.kind === 'shell') {
    const { outward, routine } = call.effect.script
    const isHarmless = outward.length === 0 && (routine || !expected.undecided)
    if (isHarmless && (await boundTargets(world, call.project, expected.targets)).length === 0) return undefined
  }
  return askPerson(world, call, intent.id, expected)
}

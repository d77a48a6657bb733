import { NO_INTENT } from '#core/intent/approval.ts'
import type { HookEventOf, KnownHookEvent } from '#protocol/hook-event.ts'
import { refusalText } from '#protocol/refusal.ts'
import { callOf } from '../../action/tool-call.ts'
import { failOpen } from '../../fail-open.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import { expectation } from '../before-tool/expected-writes.ts'
import type { GuardWorld } from '../world.ts'
import { detailOf, whatOf } from './approval-detail.ts'
import { file, inbox, refused, use, waitForAnswer } from './approvals.ts'
import { isAttended } from './attended.ts'

type Prompt = HookEventOf<'PermissionRequest'>

/** Tools whose prompts ask for a choice or a text, which a yes from the inbox cannot give. */
const WANT_MORE: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode'])

/** The hook client itself gives up a little later. */
const MOST_MS = 570_000

/** A prompt that stands in a terminal and in the inbox. */
interface Open {
  sessionId: string
  agentId: string | undefined
  call: string
  /** The call is gone; an answer is no longer needed. */
  needless: AbortController
}

/**
 * Prompts of the client itself. It shows its prompt and asks its hooks side by side, and the first answer counts; so a
 * waiting hook does not keep the terminal from answering. A no there ends the hook; after a yes it goes on until the
 * call has run. A headless run would wait for the hook alone: nothing is asked there.
 */
export function clientPrompts(world: GuardWorld) {
  const open = new Set<Open>()
  if (world.isDaemon) void failOpen(world.log, 'withdraw old prompts', undefined, () => withdrawLeft(world))

  return {
    async ask(event: Prompt, gone: AbortSignal | undefined): Promise<Contribution | undefined> {
      if (!world.isDaemon || WANT_MORE.has(event.tool_name)) return undefined
      const cwd = event.cwd ?? '/'
      const project = { root: cwd, orchestration: cwd, undeclared: true as const }
      if (world.settings(project).askIn === 'terminal') return undefined
      if (!(await isAttended(world.transcripts, event.transcript_path, gone))) return undefined

      const prompt = { ...agentOf(event), call: callText(event), needless: new AbortController() }
      gone?.addEventListener('abort', () => prompt.needless.abort())
      if (gone?.aborted) return undefined
      open.add(prompt)
      const id = `prm-${world.newId()}`
      try {
        const { tool_name: tool, agent_id: agentId } = event
        const effect = await world.tools.effect(callOf(event), { cwd, root: cwd })
        const expected = await expectation(world, { project, cwd, effect })
        const call = { tool, effect, event }
        const { description } = event.tool_input
        await file(
          world,
          {
            ...{ kind: 'prompt', sessionId: event.session_id, ...(agentId && { agentId }), project, tool },
            ...{ intentId: NO_INTENT, subject: prompt.call, what: whatOf(call, expected) },
            // Only the guard compares what was changed afterwards.
            detail: await detailOf(world, call, { ...expected, undecided: false }),
            ...(typeof description === 'string' && { reason: description }),
          },
          id,
        )
        const said = await waitForAnswer(world, id, MOST_MS, prompt.needless.signal)
        if (said?.status === 'approved' && (await use(world, id))) return { permit: true }
        if (said?.status === 'rejected') return { permit: refusalText(refused(said, MOST_MS)) }
        return undefined
      } finally {
        open.delete(prompt)
        await leave(world, id, prompt.needless.signal.aborted ? 'withdrawn' : 'expired')
      }
    },

    /** A session that goes on has been answered. */
    noteEvent(event: KnownHookEvent): void {
      for (const prompt of open) if (isOver(prompt, event)) prompt.needless.abort()
    },
  }
}

function agentOf({ session_id: sessionId, agent_id: agentId }: KnownHookEvent): Pick<Open, 'sessionId' | 'agentId'> {
  return { sessionId, agentId }
}

function callText({ tool_name: tool, tool_input: input }: Pick<Prompt, 'tool_name' | 'tool_input'>): string {
  return JSON.stringify([tool, input])
}

/** At PermissionRequest the client names no call, so it is known by its tool and what that is given. */
function isOver({ sessionId, agentId, call }: Open, event: KnownHookEvent): boolean {
  if (event.session_id !== sessionId) return false
  switch (event.hook_event_name) {
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return event.agent_id === agentId && callText(event) === call
    case 'Stop':
    case 'SubagentStop':
      return event.agent_id === agentId
    default:
      return event.hook_event_name === 'SessionEnd'
  }
}

/** Out of the inbox, unless it was answered there. */
async function leave(world: GuardWorld, id: string, status: 'withdrawn' | 'expired'): Promise<void> {
  const now = world.clock.now()
  let left: string | undefined
  await world.states.update(SLOTS.approval, id, now, (approval) => {
    left = approval?.status === 'pending' ? approval.sessionId : undefined
    if (left === undefined) return approval
    return { ...approval!, status, ...(status === 'expired' && { answeredAt: now }) }
  })
  if (left !== undefined) world.notify({ type: 'approval:answered', sessionId: left, approvalId: id, approved: false })
}

/** Prompts that a killed daemon left: their hooks ended with it, so an answer would reach no agent. */
async function withdrawLeft(world: GuardWorld): Promise<void> {
  for (const { id, kind, status } of await inbox(world))
    if (kind === 'prompt' && status === 'pending') await leave(world, id, 'withdrawn')
}

import type { Approval } from '#core/intent/approval.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { GuardEvent, LiveEvent } from '#protocol/live.ts'
import { inbox } from '#supervisor/guard/approvals/approvals.ts'

interface Needs {
  states: StateStore
  log: Log
  publish: (event: GuardEvent) => void
}

export interface InboxWatch {
  /** Takes note of what this process has published by itself, so that it is not published again. */
  noted(event: LiveEvent): void
  start(): void
  stop(): void
}

const PAUSE_MS = 1000

/**
 * Requests are made and answered in other processes too: by the MCP server, by `grove intent approve`, by hooks that
 * found no daemon. All of them write to one store, so the daemon polls it and publishes what is new.
 */
export function watchInbox({ states, log, publish }: Needs): InboxWatch {
  const told = new Map<string, Told>()
  let timer: NodeJS.Timeout | undefined
  let isFailing = false

  function noted(event: LiveEvent) {
    if (event.type === 'approval:asked') told.set(event.approvalId, 'open')
    if (event.type === 'approval:answered') told.set(event.approvalId, 'answered')
  }

  async function look(isFirst: boolean) {
    const all = await inbox({ states })
    const gone = new Set(told.keys())
    for (const approval of all) {
      gone.delete(approval.id)
      const before = told.get(approval.id)
      told.set(approval.id, stateOf(approval))
      // Requests that were there before this process started are not announced.
      const isOld = isFirst && before === undefined
      if (!isOld) for (const event of news(before, approval)) publish(event)
    }
    for (const id of gone) told.delete(id)
  }

  function next(isFirst: boolean, after: number) {
    timer = setTimeout(async () => {
      try {
        await look(isFirst)
        isFailing = false
      } catch (err) {
        // It is read every second; a store that is gone for an hour is one line.
        if (!isFailing) log.warn({ err }, 'the inbox could not be read')
        isFailing = true
      }
      if (timer) next(false, PAUSE_MS)
    }, after).unref()
  }

  return {
    noted,
    start: () => next(true, 0),
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

type Told = 'open' | 'answered'

function stateOf({ status }: Approval): Told {
  return status === 'pending' ? 'open' : 'answered'
}

function news(before: Told | undefined, approval: Approval): GuardEvent[] {
  const { id: approvalId, sessionId, what, status } = approval
  const now = stateOf(approval)
  const asked = { type: 'approval:asked' as const, sessionId, approvalId, what }
  const answered = {
    type: 'approval:answered' as const,
    sessionId,
    approvalId,
    approved: status === 'approved' || status === 'used',
  }
  if (before === now) return []
  if (now === 'open') return [asked]
  return before === undefined ? [asked, answered] : [answered]
}

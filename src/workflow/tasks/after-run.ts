import type { TurnEnd } from '#core/ports/agent-driver.ts'
import type { FreeText } from '#core/workflow/free-text.ts'
import { Held } from '../hold-error.ts'
import { Aborted, type RunResult } from '../run/facts.ts'
import { takeReport } from '../take-report.ts'
import type { TaskContext } from './context.ts'

const HOUR = 3_600_000
const RAW_CHARS = 8000

/** Throws the hold for a run that did not end well. */
export function checkEnd({ world, feature, handle }: TaskContext, end: TurnEnd): void {
  const { timeoutMinutes } = feature.session.settings
  switch (end.how) {
    case 'done':
    case 'deferred':
      return
    case 'interrupted':
      if (handle.signal.aborted) throw new Aborted()
      throw new Held({
        kind: 'unparsed',
        message: 'Claude was interrupted. Say how it should continue.',
        detail: end.text.slice(0, RAW_CHARS),
      })
    case 'timed-out':
      throw new Held({
        kind: 'timed_out',
        message: `Claude worked for ${timeoutMinutes} ${timeoutMinutes === 1 ? 'minute' : 'minutes'} without finishing.`,
        detail: end.text.slice(0, RAW_CHARS),
      })
    case 'limit': {
      const now = world.clock.now()
      const reset = world.usageResetAt()
      const until = reset !== undefined && reset > now ? reset : now + HOUR
      throw new Held({
        kind: 'usage_limit',
        message: 'Claude’s usage limit has been reached.',
        detail: end.text.slice(0, RAW_CHARS),
        until: new Date(until).toISOString(),
      })
    }
    case 'auth':
      throw failed('Claude Code is not logged in.', end)
    case 'billing':
      throw failed('The account has no credit left.', end)
    case 'failed':
      if (handle.signal.aborted) throw new Aborted()
      throw failed('The run of Claude failed.', end)
  }
}

function failed(message: string, { text }: TurnEnd): Held {
  return new Held({ kind: 'agent_failed', message, detail: text.slice(0, RAW_CHARS) })
}

/** The judge reads an answer without a report; false when that changed nothing. */
export async function readFreely(
  { world, feature }: TaskContext,
  { text, unclosed }: RunResult,
  wanted: FreeText['wanted'],
): Promise<boolean> {
  const { session } = feature
  const report = await world.readReport(session.id, { wanted, text, unclosed })
  // An existing plan is changed by a proposal only, not by a list in an answer.
  if (!report || (report.type === 'plan' && session.planHash !== '')) return false
  const { isError } = await takeReport(world, feature, report, 'judge')
  return isError !== true
}

/** The answer could not be understood: hold, and show it to the person. */
export function notUnderstood({ text, end }: RunResult, wanted: string): Held {
  return new Held({
    kind: 'unparsed',
    message: `Claude’s answer contained no ${wanted} that Grove could read.`,
    detail: (text || end.text).slice(-RAW_CHARS),
  })
}

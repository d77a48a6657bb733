import type { TurnEnd } from '#core/ports/agent-driver.ts'
import type { OutputLineOf } from './output.ts'

/** What else is known of a turn when its result line comes. */
export interface TurnFacts {
  /** We have ended it. */
  stopped?: 'interrupted' | 'timed-out' | undefined
  /** `error` of the assistant line that stood for a failed call of the API. */
  apiError?: string | undefined
  costUsd: number
}

/** How a turn ended, by its result line. */
export function turnEnd(result: OutputLineOf<'result'>, facts: TurnFacts): TurnEnd {
  const { deferred_tool_use: deferred, structured_output: structured, api_error_status: status } = result
  const how = howItEnded(result, facts)
  return {
    how,
    text: result.result || (result.errors ?? []).filter((error) => typeof error === 'string').join('\n'),
    ...(structured !== undefined && { structured }),
    ...(how === 'deferred' &&
      deferred && { deferred: { toolUseId: deferred.id, tool: deferred.name, input: deferred.input } }),
    ...(typeof status === 'number' && { status }),
    costUsd: facts.costUsd,
    turns: result.num_turns,
  }
}

function howItEnded(result: OutputLineOf<'result'>, { stopped, apiError }: TurnFacts): TurnEnd['how'] {
  if (result.deferred_tool_use && result.stop_reason === 'tool_deferred') return 'deferred'
  const aborted = result.terminal_reason?.startsWith('aborted') ?? false
  if (!result.is_error && !aborted && !result.subtype.startsWith('error')) return 'done'
  if (stopped) return stopped
  if (aborted) return 'interrupted'
  return byError(apiError) ?? byStatus(result.api_error_status) ?? 'failed'
}

function byError(error: string | undefined): TurnEnd['how'] | undefined {
  if (error === 'rate_limit') return 'limit'
  if (error === 'billing_error') return 'billing'
  if (error === 'authentication_failed' || error === 'oauth_org_not_allowed') return 'auth'
  return undefined
}

/** For a client that does not name the error. */
function byStatus(status: number | undefined): TurnEnd['how'] | undefined {
  if (status === 429) return 'limit'
  if (status === 402) return 'billing'
  if (status === 401 || status === 403) return 'auth'
  return undefined
}

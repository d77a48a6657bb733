import { callsIn, countCall, nextHour } from '#core/workflow/hourly.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import type { Feature } from '../feature.ts'
import { Held } from '../hold-error.ts'
import type { WorkflowWorld } from '../world.ts'

/** One counter for all sessions of this home: it limits what is spent, not what one of them does. */
export async function countOrHold(world: WorkflowWorld, feature: Feature): Promise<void> {
  const now = world.clock.now()
  const { maxCallsPerHour, tokenBudget } = feature.session.settings
  const { inputTokens, outputTokens } = feature.session.usage
  if (tokenBudget !== null && inputTokens + outputTokens > tokenBudget) {
    const spent = inputTokens + outputTokens
    throw new Held({ kind: 'budget', message: `${count(spent)} tokens are used; the budget is ${count(tokenBudget)}.` })
  }
  const counted = await world.states.get(SLOTS.agentCalls, 'hour')
  const calls = callsIn(counted, now)
  if (calls >= maxCallsPerHour) {
    throw new Held({
      kind: 'hourly_limit',
      message: `${calls === 1 ? '1 run' : `${calls} runs`} in this hour: the limit is ${maxCallsPerHour}.`,
      until: new Date(nextHour(now)).toISOString(),
    })
  }
  const next = await world.states.update(SLOTS.agentCalls, 'hour', now, (count) => countCall(count, now))
  const isNear = next.calls === Math.ceil(maxCallsPerHour * 0.8)
  if (isNear) world.log.warn({ calls: next.calls, limit: maxCallsPerHour }, 'the hourly limit of Claude runs is near')
  await feature.update((files) => ({
    files: {
      ...files,
      status: {
        ...files.status,
        callsThisHour: next.calls,
        maxCallsPerHour,
        nextHourReset: new Date(nextHour(now)).toISOString(),
      },
    },
    events: [],
  }))
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import type { Judge } from '#core/ports/judge.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { run } from '#exec/spawn.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { budgetFor } from '#supervisor/judge/budget.ts'

/** The configured judge, on a session's account. A model's client is loaded only where a model is configured. */
export async function judgesOf(
  { judge, proxy, claude }: Config,
  { states, clock, log }: { states: StateStore; clock: Clock; log: Log },
): Promise<(sessionId: string) => Judge> {
  if (judge.kind === 'heuristic') return () => heuristicJudge
  const { chooseJudge } = await import('#llm/choose.ts')
  const choose = chooseJudge(
    {
      kind: judge.kind,
      model: judge.model,
      apiKey: judge.apiKey,
      timeoutMs: judge.timeoutSeconds * 1000,
      concurrency: judge.concurrency,
      baseUrl: proxy.target,
      claudeBin: claude.bin,
      run,
      env: environment(),
    },
    log,
  )
  const budget = { session: judge.sessionBudgetUsd, day: judge.dayBudgetUsd }
  return (sessionId) => choose(budgetFor(states, clock.now, budget, sessionId))
}

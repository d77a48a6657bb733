import type { Judge } from '#core/ports/judge.ts'
import type { RunProgram } from '#core/ports/programs.ts'
import type { Log } from '#core/ports/runtime.ts'
import { askAnthropic } from './anthropic.ts'
import type { Question } from './ask.ts'
import { askClaudeCli } from './claude-cli.ts'
import { withFallback } from './fallback.ts'
import { heuristicJudge } from './heuristic.ts'
import { limiter } from './limit.ts'
import { type JudgeBudget, modelJudge } from './model-judge.ts'
import { mostOf } from './prices.ts'

export interface JudgeSettings {
  kind: 'heuristic' | 'anthropic' | 'claude-cli'
  model: string
  apiKey?: string | undefined
  timeoutMs: number
  concurrency: number
  /** Where the API is: the upstream itself, so that our own calls do not pass through our own proxy. */
  baseUrl: string
  claudeBin: string
  run: RunProgram
  /** The environment `claude` is started in. */
  env: NodeJS.ProcessEnv
}

/** The judge that the settings ask for; rules answer wherever a model cannot. */
export function chooseJudge(settings: JudgeSettings, log: Log): (budget: JudgeBudget) => Judge {
  const { kind, model, timeoutMs, concurrency, apiKey, baseUrl, claudeBin, run, env } = settings
  if (kind === 'heuristic') return () => heuristicJudge
  if (kind === 'anthropic' && !apiKey) {
    log.warn({}, 'the judge is set to anthropic, but there is no key for it; rules alone will judge')
    return () => heuristicJudge
  }
  const limit = limiter(concurrency)
  const ask =
    kind === 'anthropic'
      ? askAnthropic({ apiKey: apiKey!, model, baseUrl })
      : askClaudeCli({ bin: claudeBin, model, run, env })
  const mostUsd = (question: Question) => mostOf(model, question)
  return (budget) =>
    withFallback(modelJudge({ name: kind, ask, budget, timeoutMs, mostUsd, limit }), heuristicJudge, log)
}

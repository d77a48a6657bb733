import type { Judge } from '#core/ports/judge.ts'
import type { Log } from '#core/ports/runtime.ts'

/** Asks the model; when it is down, slow, over budget or gives unusable answers, the rules answer. */
export function withFallback(model: Judge, rules: Judge, log: Log): Judge {
  const either =
    <Question, Verdict>(what: string, ask: (judge: Judge, question: Question) => Promise<Verdict>) =>
    async (question: Question): Promise<Verdict> => {
      try {
        return await ask(model, question)
      } catch (error) {
        log.warn({ reason: (error as Error).message, what }, 'the judge gave no answer; going by rules')
        return ask(rules, question)
      }
    }
  return {
    name: model.name,
    extractIntent: either('goal', (judge, asked) => judge.extractIntent(asked)),
    analyseTask: either('task', (judge, asked) => judge.analyseTask(asked)),
    checkDrift: either('drift', (judge, asked) => judge.checkDrift(asked)),
    checkRecovery: either('recovery', (judge, asked) => judge.checkRecovery(asked)),
    forcedRecovery: either('forced recovery', (judge, asked) => judge.forcedRecovery(asked)),
    extractReasoning: either('reasoning', (judge, asked) => judge.extractReasoning(asked)),
    readTodo: either('comment', (judge, asked) => judge.readTodo(asked)),
    readReport: either('report', (judge, asked) => judge.readReport(asked)),
    summarise: either('summary', (judge, asked) => judge.summarise(asked)),
  }
}

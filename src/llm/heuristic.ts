import { sessionSummary } from '#core/context/clear.ts'
import { extractGoal } from '#core/goal/goal.ts'
import { onAnswer, onInstruction } from '#core/goal/orchestrate.ts'
import { reasoningFrom } from '#core/memory/reasoning.ts'
import type { DriftQuestion, Judge } from '#core/ports/judge.ts'
import { stem, words } from '#core/text/words.ts'

/** The default judge: deterministic, no network, no cost. Each answer is the pure core's own. */
export const heuristicJudge: Judge = {
  name: 'heuristic',

  async extractIntent({ instruction }) {
    return extractGoal(instruction)
  },

  async analyseTask({ current, instruction, answer, wroteFiles }) {
    const ending = onAnswer(current, { text: answer, wroteFiles })
    const action = ending === 'continue' ? onInstruction(current, instruction, false) : ending
    return { action, goal: extractGoal(instruction).goal, reasoning: 'read from the words alone' }
  },

  async checkDrift(question) {
    // Each action has been scored as it happened; words alone may only add a doubt where nothing fits at all.
    const score = shareOnGoal(question) === 0 && question.actions.length >= 4 ? 6 : 8
    return {
      score,
      diagnostic:
        score >= 8
          ? 'The recent actions fit the goal.'
          : `Most of the recent actions share no words with the goal: ${question.actions.at(-1) ?? ''}`,
      recoverySteps: [`Return to the goal: ${question.goal}`],
    }
  },

  async checkRecovery({ plan, action }) {
    const wanted = new Set(words(plan[0] ?? '').map(stem))
    const aligned = words(action).some((word) => word.length > 2 && wanted.has(stem(word)))
    return { aligned, reason: aligned ? 'it does what the first step asks' : 'it does something else' }
  },

  async forcedRecovery({ goal, actions }) {
    return {
      instruction: `Return to the goal before anything else: ${goal}`,
      mandatoryAction: `Undo or leave what you did last (${actions.at(-1) ?? 'the last action'}), then open a file that the goal is about.`,
    }
  },

  async extractReasoning(work) {
    return reasoningFrom(work)
  },

  async summarise(state) {
    return { summary: sessionSummary(state) }
  },
}

/** The share of recent actions that name something the goal names; undefined when there is nothing to compare. */
function shareOnGoal({ goal, instruction, scope, relevant, actions }: DriftQuestion): number | undefined {
  const known = new Set(
    [goal, instruction, ...scope, ...relevant]
      .flatMap(words)
      .filter((word) => word.length > 2)
      .map(stem),
  )
  if (actions.length === 0 || known.size === 0) return undefined
  return actions.filter((action) => words(action).some((word) => known.has(stem(word)))).length / actions.length
}

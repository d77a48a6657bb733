import { sessionSummary } from '#core/context/clear.ts'
import { extractGoal } from '#core/goal/goal.ts'
import { onAnswer, onInstruction } from '#core/goal/orchestrate.ts'
import { reasoningFrom } from '#core/memory/reasoning.ts'
import type { Judge } from '#core/ports/judge.ts'
import { stem, words } from '#core/text/words.ts'
import { reportByRules } from '#core/workflow/free-text.ts'
import { isRealConcern, readTodo } from '#core/workflow/todo.ts'

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

  async checkDrift() {
    // Each action has been scored as it happened; words alone have nothing to add to that.
    return { score: 8, diagnostic: '', recoverySteps: [], byRules: true }
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

  async readTodo({ type, text }) {
    const read = readTodo(type, text)
    return { ...read, isReal: isRealConcern(read) }
  },

  async readReport(said) {
    return reportByRules(said)
  },
}

import { z } from 'zod'
import type { Judge } from '#core/ports/judge.ts'
import { type Ask, type Question, UnusableAnswer } from './ask.ts'
import * as prompts from './prompts.ts'
import { reportOf } from './report.ts'

/** Charged for each question: asked before it, told the cost afterwards. */
export interface JudgeBudget {
  /** False when the budget is used up. */
  allows(): Promise<boolean>
  spent(costUsd: number): Promise<void>
}

export interface ModelJudgeOptions {
  name: 'anthropic' | 'claude-cli'
  ask: Ask
  budget: JudgeBudget
  timeoutMs: number
  /** The most that an answer to a question can cost. */
  mostUsd: (question: Question) => number
  /** Runs a question when one of the few slots is free. */
  limit: <T>(work: () => Promise<T>) => Promise<T>
}

/** A judge that asks a model: strict answers, one attempt at repair, a time limit, a budget. Trouble is thrown, never guessed away. */
export function modelJudge({ name, ask, budget, timeoutMs, mostUsd, limit }: ModelJudgeOptions): Judge {
  const put = <Schema extends z.ZodType>(question: Question<Schema>): Promise<z.output<Schema>> =>
    limit(async () => {
      const first = await once(question)
      const read = parse(question.schema, first)
      if (read.success) return read.data
      const again = await once({ ...question, prompt: repair(question.prompt, first, read.error) })
      const repaired = parse(question.schema, again)
      if (repaired.success) return repaired.data
      throw new UnusableAnswer(`the judge's answer has the wrong form: ${repaired.error}`)
    })

  const once = async (question: Question): Promise<string> => {
    if (!(await budget.allows())) throw new UnusableAnswer('the judge has used up its budget')
    const signal = AbortSignal.timeout(timeoutMs)
    const { text, costUsd } = await ask(question, signal).catch(async (error: unknown) => {
      await budget.spent(costOfFailure(error, signal, question))
      throw error
    })
    await budget.spent(costUsd)
    return text
  }

  /** An answer that was given up on may still be written, and is paid for. */
  const costOfFailure = (error: unknown, { aborted }: AbortSignal, question: Question): number =>
    error instanceof UnusableAnswer ? error.costUsd : aborted ? mostUsd(question) : 0

  return {
    name,
    extractIntent: (asked) => put(prompts.intentQuestion(asked)),
    analyseTask: (asked) => put(prompts.taskQuestion(asked)),
    checkDrift: (asked) => put(prompts.driftQuestion(asked)),
    checkRecovery: (asked) => put(prompts.recoveryQuestion(asked)),
    forcedRecovery: (asked) => put(prompts.forcedQuestion(asked)),
    extractReasoning: (asked) => put(prompts.reasoningQuestion(asked)),
    summarise: (asked) => put(prompts.summaryQuestion(asked)),
    readTodo: async (asked) => {
      const type = asked.type.toLowerCase() as Lowercase<typeof asked.type>
      return { type, ...(await put(prompts.todoQuestion(asked))) }
    },
    readReport: async (asked) => reportOf(asked, await put(prompts.reportQuestion(asked))),
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string) {
  let json: unknown
  try {
    // Removes emoji, which the prompt forbids: the text reaches terminals, files and other agents.
    json = JSON.parse(unfenced(text).replace(/\p{Emoji_Presentation}\uFE0F?\s?/gu, ''))
  } catch (error) {
    return { success: false as const, error: (error as Error).message }
  }
  const read = schema.safeParse(json)
  return read.success
    ? { success: true as const, data: read.data }
    : { success: false as const, error: z.prettifyError(read.error) }
}

/** Models like to wrap JSON into a code fence or a sentence. */
function unfenced(text: string): string {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  return start === -1 || end < start ? text : text.slice(start, end + 1)
}

function repair(prompt: string, answer: string, error: string): string {
  return `${prompt}\n\nYour last answer could not be used:\n${answer.slice(0, 2000)}\n\nWhat is wrong with it: ${error}\nAnswer again, with the JSON object only.`
}

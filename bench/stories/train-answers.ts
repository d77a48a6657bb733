import { type AnswerModel, answerWanted, BUCKETS } from '#core/goal/answer-model.ts'
import { realInstruction } from '#core/goal/instruction.ts'
import { featuresOf } from '#core/goal/question/by-model.ts'
import type { InstructionStory } from './data.ts'

/** A prompt of the project's own, and whether it wants an answer and no change. */
export interface Prompt {
  said: string
  question: boolean
}

export interface Example {
  sentences: number[][]
  isQuestion: boolean
}

const ROUNDS = 160
const RATE = 0.15
const DECAY = 0.0004

export function promptExample({ said, question }: Prompt): Example {
  return { sentences: featuresOf(said), isQuestion: question }
}

export function storyExample({ instruction, question }: InstructionStory): Example {
  return { sentences: featuresOf(realInstruction(instruction) ?? ''), isQuestion: question }
}

/** Prompts of several sentences out of those of one: a change among them is a change, and what surrounds it is neither. */
export function composed(prompts: readonly Prompt[], around: readonly string[]): Prompt[] {
  const found: Prompt[] = []
  for (const [at, { said, question }] of prompts.entries()) {
    const other = prompts[(at * 7 + 3) % prompts.length]!
    const beside = around[at % around.length]!
    const end = (text: string) => (/[.?!。？！]$/.test(text) ? text : `${text}.`)
    found.push({ said: at % 2 === 0 ? `${end(beside)} ${said}` : `${end(said)} ${beside}`, question })
    found.push({ said: `${end(said)} ${other.said}`, question: question && other.question })
  }
  return found
}

/**
 * Two rows of weights, learned together from the verdict on the whole text by full gradients, each weight with its own step
 * (AdaGrad): the same prompts give the same weights. Weights that stand already are where it begins and what it falls back to.
 */
export function trainAnswers(examples: readonly Example[], standing?: AnswerModel): AnswerModel {
  const size = BUCKETS + 1
  const startOf = (known: readonly number[] | undefined) =>
    Float64Array.from({ length: size }, (_, at) => (known ? (known[at] ?? 0) / 100 : at === BUCKETS ? -1 : 0))
  const start = [startOf(standing?.asks), startOf(standing?.changes)] as const
  const rows = [start[0].slice(), start[1].slice()] as const
  const seen = [new Float64Array(size).fill(1e-4), new Float64Array(size).fill(1e-4)] as const
  for (let round = 0; round < ROUNDS; round++) {
    const gradients = [new Float64Array(size), new Float64Array(size)] as const
    for (const { sentences, isQuestion } of examples) {
      const said = rows.map((row) => sentences.map((features) => sure(features, row)))
      const none = said.map((all) => all.reduce((product, one) => product * (1 - one), 1))
      const asked = 1 - none[0]!
      const unchanged = none[1]!
      const likely = Math.min(1 - 1e-6, Math.max(1e-6, asked * unchanged))
      // How the loss changes with the likelihood, and that with each sentence.
      const slope = (isQuestion ? -1 / likely : 1 / (1 - likely)) / examples.length
      for (const [at, features] of sentences.entries()) {
        const towards = [
          slope * unchanged * none[0]! * said[0]![at]!,
          slope * asked * -unchanged * said[1]![at]!,
        ] as const
        for (const [which, gradient] of gradients.entries()) {
          for (const feature of features) gradient[feature]! += towards[which]!
          gradient[BUCKETS]! += towards[which]!
        }
      }
    }
    for (const [which, row] of rows.entries())
      for (let at = 0; at < size; at++) {
        const gradient = gradients[which]![at]! + (at < BUCKETS ? DECAY * (row[at]! - start[which]![at]!) : 0)
        if (gradient === 0) continue
        seen[which]![at]! += gradient * gradient
        row[at]! -= (RATE * gradient) / Math.sqrt(seen[which]![at]!)
      }
  }
  const rounded = (row: Float64Array) => [...row].map((value) => Math.round(value * 100))
  const trainedOn = `${examples.length} prompts${standing ? ' and what was known' : ''}`
  return { trainedOn, asks: rounded(rows[0]), changes: rounded(rows[1]) }
}

function sure(features: readonly number[], row: Float64Array): number {
  let sum = row[BUCKETS]!
  for (const at of features) sum += row[at]!
  return 1 / (1 + Math.exp(-sum))
}

const LIKELY = 0.4

/** What models say of prompts in folders that they were not trained on. */
export function leaveOneOut(own: readonly Example[], sets: readonly { name: string; examples: readonly Example[] }[]) {
  return sets.map(({ name, examples }) => {
    const others = sets.filter((set) => set.name !== name).flatMap((set) => set.examples)
    const model = trainAnswers([...own, ...others])
    const told = examples.map(({ sentences, isQuestion }) => ({
      isQuestion,
      said: answerWanted(sentences, model).likely >= LIKELY,
    }))
    const hits = told.filter(({ isQuestion, said }) => isQuestion && said).length
    const of = told.filter(({ isQuestion }) => isQuestion).length
    return { name, precision: hits / told.filter(({ said }) => said).length, recall: hits / of, of }
  })
}

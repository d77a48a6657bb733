import { closedness, type MentionModel } from '#core/goal/mention-model.ts'
import { BUCKETS, mentionsIn } from '#core/goal/mentions.ts'
import { sentencesOf, withoutPasted } from '#core/goal/prose.ts'
import { meets } from '#core/goal/targets.ts'
import type { InstructionStory } from './data.ts'

/** A sentence of the project's own, with the places in it that it closes and those that it does not. */
export interface LimitSentence {
  said: string
  closed: string[]
  open: string[]
}

export interface Example {
  features: readonly number[]
  isClosed: boolean
}

const ROUNDS = 100
const RATE = 0.15
const DECAY = 0.0008

/** What a reader says about paths tells what the words around their names mean: who names only forbidden ones has closed them. */
export function storyExamples({ earlier, instruction, probes, question }: InstructionStory): Example[] {
  if (question) return []
  const forbidden = probes.filter(({ verdict }) => verdict === 'forbidden').map(({ path }) => path)
  const open = probes.filter(({ verdict }) => verdict !== 'forbidden').map(({ path }) => path)
  return [...earlier, instruction].flatMap((text, at) => {
    const isLast = at === earlier.length
    const sentences = sentencesOf(withoutPasted(text))
    return sentences.flatMap((sentence, index) =>
      mentionsIn(sentence, sentences[index - 1]).flatMap(({ target, features }): Example[] => {
        const closes = forbidden.some((path) => meets(target, path))
        const opens = open.some((path) => meets(target, path))
        // What was closed before may be open by now.
        if (closes === opens || (opens && !isLast)) return []
        return [{ features, isClosed: closes }]
      }),
    )
  })
}

export function ownExamples({ said, closed, open }: LimitSentence): Example[] {
  const sentences = sentencesOf(said)
  return sentences.flatMap((sentence, index) =>
    mentionsIn(sentence, sentences[index - 1]).flatMap(({ target, features }): Example[] => {
      const names =
        target.is === 'path' ? [target.path] : target.is === 'words' ? [...target.words, ...target.sorts] : []
      const isIn = (places: string[]) =>
        places.some(
          (place) => meets(target, place) || names.some((name) => place.toLowerCase().startsWith(name.toLowerCase())),
        )
      return isIn(closed) ? [{ features, isClosed: true }] : isIn(open) ? [{ features, isClosed: false }] : []
    }),
  )
}

/** Logistic regression by full gradients, each weight with its own step (AdaGrad): the same stories give the same weights. */
export function trainLimits(examples: readonly Example[]): MentionModel {
  const size = BUCKETS + 1
  const row = new Float64Array(size)
  const seen = new Float64Array(size).fill(1e-4)
  for (let round = 0; round < ROUNDS; round++) {
    const gradients = new Float64Array(size)
    for (const { features, isClosed } of examples) {
      let sum = row[BUCKETS]!
      for (const at of features) sum += row[at]!
      const error = (1 / (1 + Math.exp(-sum)) - Number(isClosed)) / examples.length
      for (const at of features) gradients[at]! += error
      gradients[BUCKETS]! += error
    }
    for (let at = 0; at < size; at++) {
      const gradient = gradients[at]! + (at < BUCKETS ? DECAY * row[at]! : 0)
      if (gradient === 0) continue
      seen[at]! += gradient * gradient
      row[at]! -= (RATE * gradient) / Math.sqrt(seen[at]!)
    }
  }
  return { trainedOn: `${examples.length} mentions`, weights: [...row].map((value) => Math.round(value * 100)) }
}

const SURE = 0.8

/** What models say of mentions in folders that they were not trained on. */
export function leaveOneOut(own: readonly Example[], sets: readonly { name: string; examples: readonly Example[] }[]) {
  return sets.map(({ name, examples }) => {
    const others = sets.filter((set) => set.name !== name).flatMap((set) => set.examples)
    const model = trainLimits([...own, ...others])
    const told = examples.map(({ features, isClosed }) => ({ isClosed, said: closedness({ features }, model) >= SURE }))
    const hits = told.filter(({ isClosed, said }) => isClosed && said).length
    const of = told.filter(({ isClosed }) => isClosed).length
    return { name, precision: hits / told.filter(({ said }) => said).length, recall: hits / of, of }
  })
}

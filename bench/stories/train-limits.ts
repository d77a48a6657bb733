import { goesBack } from '#core/goal/limits/by-reader.ts'
import { meets } from '#core/goal/meets.ts'
import { closedness, type MentionModel } from '#core/goal/mention-model.ts'
import { BUCKETS, type Mention, mentionsAcross, mentionsIn } from '#core/goal/mentions.ts'
import { sentencesOf, withoutPasted } from '#core/goal/prose.ts'
import type { InstructionStory } from './data.ts'

/** A sentence of the project's own: the places in it that it closes, those that it keeps the work to, and those that are open. */
export interface LimitSentence {
  said: string
  closed: string[]
  open: string[]
  only?: string[]
}

/** The code in general, where a sentence of one's own names it. */
const ALL_CODE = '<code>'

/** What is said of one mention; where nothing may close it, or keep the work to it, that is no example. */
export interface Example {
  features: readonly number[]
  isClosed?: boolean
  isKept?: boolean
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
    return mentionsOf(sentencesOf(withoutPasted(text))).flatMap(
      ({ target, features, mayClose, mayKeep }): Example[] => {
        const closes = forbidden.some((path) => meets(target, path))
        const opens = open.some((path) => meets(target, path))
        // What was closed before may be open by now.
        if (closes === opens || (opens && !isLast)) return []
        // Who has forbidden nothing has kept the work to no place; who has may have done so by other words.
        const isKept = mayKeep && forbidden.length === 0 ? { isKept: false } : {}
        return [{ features, ...(mayClose && { isClosed: closes }), ...isKept }]
      },
    )
  })
}

/** The mentions of each sentence, and those of one that the next goes back to. */
function mentionsOf(sentences: readonly string[]): Mention[] {
  return sentences.flatMap((sentence, index) => {
    const before = sentences[index - 1]
    const own = mentionsIn(sentence, before)
    return before !== undefined && goesBack(sentence) ? [...own, ...mentionsAcross(before, sentence)] : own
  })
}

export function ownExamples({ said, closed, open, only = [] }: LimitSentence): Example[] {
  return mentionsOf(sentencesOf(said)).flatMap(({ target, features, mayClose, mayKeep }): Example[] => {
    const names = target.is === 'path' ? [target.path] : target.is === 'words' ? [...target.words, ...target.sorts] : []
    const isIn = (places: string[]) =>
      target.is === 'code'
        ? places.includes(ALL_CODE)
        : places.some(
            (place) => meets(target, place) || names.some((name) => place.toLowerCase().startsWith(name.toLowerCase())),
          )
    const isClosed = isIn(closed)
    if (!isClosed && !isIn(open) && !isIn(only)) return []
    return [{ features, ...(mayClose && { isClosed }), ...(mayKeep && { isKept: isIn(only) }) }]
  })
}

/** Logistic regression by full gradients, each weight with its own step (AdaGrad): the same stories give the same weights. */
export function trainLimits(examples: readonly Example[]): MentionModel {
  const closing = examples.flatMap(({ features, isClosed }) =>
    isClosed === undefined ? [] : [{ features, is: isClosed }],
  )
  const keeping = examples.flatMap(({ features, isKept }) => (isKept === undefined ? [] : [{ features, is: isKept }]))
  return {
    trainedOn: `${closing.length} and ${keeping.length} mentions`,
    closes: rowOf(closing),
    keeps: rowOf(keeping),
  }
}

function rowOf(examples: readonly { features: readonly number[]; is: boolean }[]): number[] {
  const size = BUCKETS + 1
  const row = new Float64Array(size)
  const seen = new Float64Array(size).fill(1e-4)
  for (let round = 0; round < ROUNDS; round++) {
    const gradients = new Float64Array(size)
    for (const { features, is } of examples) {
      let sum = row[BUCKETS]!
      for (const at of features) sum += row[at]!
      const error = (1 / (1 + Math.exp(-sum)) - Number(is)) / examples.length
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
  return [...row].map((value) => Math.round(value * 100))
}

const SURE = 0.8

/** What models say of mentions in folders that they were not trained on. */
export function leaveOneOut(own: readonly Example[], sets: readonly { name: string; examples: readonly Example[] }[]) {
  return sets.map(({ name, examples }) => {
    const others = sets.filter((set) => set.name !== name).flatMap((set) => set.examples)
    const model = trainLimits([...own, ...others])
    const told = examples
      .filter(({ isClosed }) => isClosed !== undefined)
      .map(({ features, isClosed }) => ({ isClosed, said: closedness({ features }, model) >= SURE }))
    const hits = told.filter(({ isClosed, said }) => isClosed && said).length
    const of = told.filter(({ isClosed }) => isClosed).length
    return { name, precision: hits / told.filter(({ said }) => said).length, recall: hits / of, of }
  })
}

import { MAX_TOKENS, type Question } from './ask.ts'

const CHARS_PER_TOKEN = 3

/** Dollars per million tokens, input and output. A model we do not know is counted as the dearest, so a budget always holds. */
const PRICES: [RegExp, number, number][] = [
  [/haiku-5-5/, 0.1, 0.5],
  [/haiku/, 1, 5],
  [/sonnet-5-5/, 2, 10],
  [/sonnet/, 3, 15],
  [/opus-5-5/, 4, 20],
  [/opus/, 5, 25],
]

export function costOf(model: string, input: number, output: number): number {
  const [, inPrice, outPrice] = PRICES.find(([name]) => name.test(model)) ?? [undefined, 15, 75]
  return (input * inPrice + output * outPrice) / 1_000_000
}

/** What a question costs when its answer is as long as it may be. */
export function mostOf(model: string, { system, prompt }: Question): number {
  return costOf(model, (system.length + prompt.length) / CHARS_PER_TOKEN, MAX_TOKENS)
}

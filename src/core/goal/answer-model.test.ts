import { describe, expect, it } from 'vitest'
import { answerWanted, BUCKETS } from './answer-model.ts'
import { wantsAnswer } from './question/wants-answer.ts'

describe('wants an answer and no change, in words that no rule knows', () => {
  it.each([
    'para que sirve esta carpeta, no la entiendo',
    'bu modülün ne işe yaradığını anlatır mısın?',
    'I need to know how the totals come about. Read the billing code and report your findings.',
    'Gå igenom modulen och berätta vad du tycker',
    '帮我扫描一下整个项目，把原因说清楚',
    'can this scanner read tags that were written by another vendor',
    'me explica como essa fila funciona',
    'what would a rebase look like? clean or messy? don’t do it yet',
    'rank the queries by cost, no fixes please',
    'read the trace and find out at which step it failed, ainda sem código',
    'propose the edits and wait for my approval before you apply them',
    'Wo sehe ich die Ausgabe davon?',
  ])('%s', (text) => {
    expect(wantsAnswer(text, [])).toBeDefined()
  })
})

describe('wants a change, although it sounds like a question', () => {
  it.each([
    'A capture that fails should be tried twice more before we give up.',
    'başlığı biraz küçültür müsün?',
    'el botón del menú ya no responde',
    'Find out why the import stops and repair it',
    'would be nice if the chart had a legend',
    '标题可以再大一点吗',
    'review src/stock.ts and correct whatever is wrong',
    'analyze the image and shrink it',
    'Follow https://example.com/howto to set up a job that pings all hosts every hour.',
    'the preview is not opening. review the project and find the problem. debug and test.',
    'potřebuju tlačítko které to celé vypne',
    'I have a suggestion: perhaps we should log each opcode. How does that sound?',
    'shouldn’t this be a constant?',
  ])('%s', (text) => {
    expect(wantsAnswer(text, [])).toBeUndefined()
  })
})

it('one sentence that asks for a change outweighs all that ask for an answer', () => {
  const [asking, changing] = [[1], [2]]
  const row = (on: number) =>
    Array.from({ length: BUCKETS + 1 }, (_, at) => (at === on ? 600 : at === BUCKETS ? -300 : 0))
  const model = { trainedOn: '', asks: row(1), changes: row(2) }
  expect(answerWanted([asking], model).likely).toBeGreaterThan(0.8)
  expect(answerWanted([asking, asking, changing], model).likely).toBeLessThan(0.1)
  expect(answerWanted([], model).likely).toBe(0)
})

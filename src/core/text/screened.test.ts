import { describe, expect, it } from 'vitest'
import { EDGE, gramOf, screened } from './screened.ts'

const code = (sign: string) => sign.charCodeAt(0)
const gram = (text: string) => {
  const [first = 0, second = 0, third = 0] = [...text].map(code)
  return gramOf(first, second, third)
}
/** The letters of `cat` and `dog`, as words. */
const needs = String.fromCharCode(gram('cat'), gramOf(EDGE, code('c'), code('a')), gram('dog'), gram('dog'))

describe('an expression that is compiled when a text may match', () => {
  const texts = ['', 'a cat', 'a CAT and a dog, a dog', 'scat', 'hot dogs', 'nothing of it', 'cat'.repeat(2000)]

  it.each(texts)('does to %j what an ordinary one does', (text) => {
    const both = (flags: string) => [/\bcat\b|dog/gi, screened('\\bcat\\b|dog', flags, needs)] as const
    const answers = (expression: RegExp) => [
      text.replace(expression, (found) => `<${found}>`),
      [...text.matchAll(expression)].map(({ 0: found, index }) => [found, index]),
      text.match(expression),
      text.search(expression),
      text.split(expression),
      text.split(expression, 1),
      expression.test(text),
      expression.lastIndex,
      expression.exec(text)?.index,
      expression.lastIndex,
    ]
    const [ordinary, other] = both('gi')
    expect(answers(other)).toEqual(answers(ordinary))
    expect(other.source).toBe(ordinary.source)
  })

  it('begins again at the beginning when nothing is left to be found', () => {
    const expression = screened('dog', 'g', needs)
    expression.lastIndex = 3
    expect(expression.exec('no such animal')).toBeNull()
    expect(expression.lastIndex).toBe(0)
  })

  it('leaves letters alone whose small form is another letter', () => {
    expect(screened('maſ', 'iu', String.fromCharCode(gram('mas'), gram('mas'))).test('MAſ')).toBe(true)
  })
})

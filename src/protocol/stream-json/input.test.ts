import { expect, it } from 'vitest'
import { compactCommand, inertMessage } from './inert-message.ts'
import { answerLine, userLine } from './input.ts'

it('writes one line, whatever is in the text', () => {
  const line = userLine('id', [{ type: 'text', text: 'a\nb\u2028c\u2029d\u0000' }])
  expect(line.match(/[\n\u2028\u2029]/g)).toEqual(['\n'])
  expect(JSON.parse(line).message.content[0].text).toBe('a\nb\u2028c\u2029d\u0000')
  expect(JSON.parse(answerLine('r', { behavior: 'allow' })).response).toMatchObject({
    request_id: 'r',
    subtype: 'success',
  })
})

it.each(['/clear', '  /clear', 'look at @src/a.ts', '!ls', '#note', '@x'])(
  'puts our own %j before a closing block',
  (text) => {
    expect(inertMessage([], text).map((block) => block.text)).toEqual([text, '(end of message)'])
  },
)

it('puts texts of others before our own, unchanged, and no empty block among them', () => {
  expect(inertMessage(['/clear', '', '@secret'], 'Judge this.').map((block) => block.text)).toEqual([
    '/clear',
    '@secret',
    'Judge this.',
  ])
  expect(inertMessage(['@secret'], '').map((block) => block.text)).toEqual(['@secret', '(end of message)'])
})

it('asks to compact in one line that names no file', () => {
  expect(compactCommand('the plan\nand @a')).toBe('/compact the plan and (at)a')
  expect(compactCommand('')).toBe('/compact')
})

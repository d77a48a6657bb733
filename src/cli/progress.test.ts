import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { progress } from './progress.ts'

function terminal(more: object): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = Object.assign(new PassThrough(), more) as unknown as NodeJS.WriteStream
  return { stream, text: () => String((stream as unknown as PassThrough).read() ?? '') }
}

it('draws one line that fits the terminal, and leaves none behind', () => {
  const { stream, text } = terminal({ isTTY: true, columns: 60 })
  const bar = progress(stream)
  bar.show(1, 4, `1 of 4 ${'x'.repeat(100)}`)
  const line = text().replace('\r\x1b[2K', '')
  expect(line).toHaveLength(59)
  expect(line).toMatch(/^\[######\.{18}\] {2}25 % 1 of 4 x+$/)
  bar.end()
  expect(text()).toBe('\r\x1b[2K')
})

it('copes with a terminal that does not know its width', () => {
  const { stream, text } = terminal({ isTTY: true, columns: 0 })
  progress(stream).show(4, 4, 'done')
  expect(text()).toContain('100 % done')
})

it('is silent where nobody watches', () => {
  const { stream, text } = terminal({ isTTY: false })
  const bar = progress(stream)
  bar.show(1, 4, 'x')
  bar.end()
  expect(text()).toBe('')
})

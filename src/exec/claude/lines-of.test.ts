import { expect, it } from 'vitest'
import { linesOf } from './lines-of.ts'

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, size: number, longest?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesOf(inPieces(text, size), longest)) lines.push(line)
  return lines
}

it.each([1, 2, 3, 7, 1000])('reads whole lines from pieces of %i bytes', async (size) => {
  expect(await read('{"a":"é\u2028b"}\n\n  \n{"c":1}\r\ntorn', size)).toEqual(['{"a":"é\u2028b"}', '{"c":1}\r', 'torn'])
})

it('leaves out a line that is longer than any the client prints', async () => {
  expect(await read(`a\n${'x'.repeat(50)}\nb\n`, 7, 20)).toEqual(['a', 'b'])
})

it('does not read on before the caller is done with a line', async () => {
  let read = 0
  const source = (async function* () {
    for (; read < 5; read++) yield Buffer.from(`line ${read}\n`)
  })()
  for await (const line of linesOf(source)) {
    if (line === 'line 1') break
  }
  expect(read).toBe(1)
})

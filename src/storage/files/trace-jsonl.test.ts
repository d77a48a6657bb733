import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceRecord } from '#core/trace/record.ts'
import { readLine, readRecord } from '#core/trace/view.ts'
import { tempHome } from '../../../test/support/home.ts'
import { bundleProgram, type TestProgram } from '../testing/processes.ts'
import { appendRecord, linesFrom, newestLines, recordsAt } from './trace-jsonl.ts'

const record = (id: string, more = ''): TraceRecord => ({
  version: '0.1.0',
  id,
  timestamp: '2026-05-01T10:00:00.000Z',
  tool: { name: 'grove', version: more },
  files: [],
})

async function gather<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const line of lines) all.push(line)
  return all
}

describe('the ledger', () => {
  it('is only added to, one line per record', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    appendRecord(file, record('one'))
    appendRecord(file, record('two'))
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(record('one'))}\n${JSON.stringify(record('two'))}\n`)
  })

  it('loses only the line that was torn', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    appendRecord(file, record('one'))
    await appendFile(file, '{"version":"0.1.0","id":"to')
    appendRecord(file, record('three'))
    const lines = await gather(linesFrom(file, 0))
    expect(lines.map(({ text }) => readRecord(text)?.id)).toEqual(['one', undefined, 'three'])
  })

  it('finds a whole record behind a torn one in the same line', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    await writeFile(file, `{"version":"0.1.0","id":"to${JSON.stringify(record('two'))}\n`)
    const [line] = await gather(linesFrom(file, 0))
    expect(readRecord(line!.text)?.id).toBe('two')
    expect(readLine(line!.text).sound).toBe(false)
  })

  it('reads the same lines forwards and backwards, and finds each at its place', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    const size = fc.oneof(fc.nat(300), fc.constantFrom(1024 * 1024 - 40, 1024 * 1024, 2_500_000))
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 6 }), fc.boolean(), async (sizes, ended) => {
        const lines = sizes.map((length, i) => JSON.stringify(record(`r${i}`, 'ä'.repeat(length / 2))))
        await writeFile(file, lines.join('\n') + (ended ? '\n' : ''))
        const forwards = await gather(linesFrom(file, 0))
        const backwards = await gather(newestLines(file))
        expect(forwards.map(({ text }) => text)).toEqual(lines)
        expect(backwards.reverse()).toEqual(forwards.map(({ offset, bytes, text }) => ({ offset, bytes, text })))
        expect((await recordsAt(file, forwards)).map((one) => one?.id)).toEqual(sizes.map((_, i) => `r${i}`))
      }),
      { numRuns: 15 },
    )
  })

  it('is empty where there is none', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'none.jsonl')
    expect(await gather(newestLines(file))).toEqual([])
    expect(await gather(linesFrom(file, 0))).toEqual([])
  })
})

describe('32 writers at once', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await bundleProgram(new URL('../testing/trace-child.ts', import.meta.url))
  })
  afterAll(() => program?.remove())
  const names = Array.from({ length: 32 }, (_, index) => `writer-${index}`)

  it('never tear a line of each other, however long', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    const ends = await Promise.all(names.map((name) => program.run(file, name, '25', '300000')))
    expect(ends.map(({ code }) => code)).toEqual(names.map(() => 0))
    const ids = (await gather(linesFrom(file, 0))).map(({ text }) => readRecord(text)?.id)
    expect(ids.sort()).toEqual(names.flatMap((name) => Array.from({ length: 25 }, (_, i) => `${name}-${i}`)).sort())
  })

  it('lose nothing they said was there when they are killed, and damage nobody else', async ({ onTestFinished }) => {
    const file = join(await tempHome(onTestFinished), 'agent_trace.jsonl')
    const said: string[] = []
    const ends = names.map((name, i) => {
      const child = program.start(file, name, '100000', '300000')
      let heard = 0
      createInterface({ input: child.stdout! }).on('line', (index) => {
        said.push(`${name}-${index}`)
        // Each at another moment of its work.
        if (++heard === 5 + i) child.kill('SIGKILL')
      })
      return once(child, 'close')
    })
    await Promise.all(ends)
    appendRecord(file, record('afterwards'))
    const lines = (await gather(linesFrom(file, 0))).map(({ text }) => readRecord(text)?.id)
    const whole = new Set(lines.filter((id) => id !== undefined))
    expect(said.filter((id) => !whole.has(id))).toEqual([])
    expect(lines.at(-1)).toBe('afterwards')
    // A write that was cut off by the kill is one line of its own at most.
    expect(lines.filter((id) => id === undefined).length).toBeLessThanOrEqual(names.length)
  })
})

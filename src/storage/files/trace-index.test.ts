import { readdirSync } from 'node:fs'
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lineHash } from '#core/trace/lines.ts'
import { recordOf, type TraceRecord } from '#core/trace/record.ts'
import { tempHome } from '../../../test/support/home.ts'
import { nameHash, openTraceIndex } from './trace-index.ts'
import { appendRecord, recordsAt } from './trace-jsonl.ts'

const change = (n: number, lines = 30): TraceRecord =>
  recordOf(
    {
      id: `id-${n}`,
      at: 1_750_000_000_000 + n,
      grove: { version: '1' },
      session: `s${n % 7}`,
      tool: 'Write',
      intent: `INT-${n % 11}`,
      files: [
        {
          path: `src/file${n % 100}.ts`,
          change: 'create',
          after: Array.from({ length: lines }, (_, i) => `const value${n}_${i} = ${i}`).join('\n'),
          mutation: { class: 'INTENT_EVOLUTION', why: 'a new file' },
        },
      ],
    },
    (text) => `sha256:${text.length}`,
  )

async function ledger(whenFinished: (work: () => Promise<void>) => void, count: number) {
  const home = await tempHome(whenFinished)
  const file = join(home, 'agent_trace.jsonl')
  await writeFile(file, Array.from({ length: count }, (_, n) => `${JSON.stringify(change(n))}\n`).join(''))
  const cache = join(home, 'cache')
  return { file, cache, open: () => openTraceIndex(file, cache), kept: () => readdirSync(cache) }
}

describe('the index of a ledger', () => {
  it('knows place, time, intent, files and lines of every record', async ({ onTestFinished }) => {
    const { file, open } = await ledger(onTestFinished, 3)
    const { entries, lines, damaged } = await open()
    expect({ lines, damaged }).toEqual({ lines: 3, damaged: [] })
    expect(entries[2]).toMatchObject({
      at: 1_750_000_000_002,
      intent: nameHash('INT-2'),
      session: nameHash('s2'),
      files: [{ path: nameHash('src/file2.ts'), ranges: [{ start: 1 }] }],
    })
    expect(entries[2]!.files[0]!.ranges[0]!.hash(29)).toBe(lineHash('const value2_29 = 29'))
    expect((await recordsAt(file, entries)).map((record) => record?.id)).toEqual(['id-0', 'id-1', 'id-2'])
  })

  it('is kept, and extended by what has come since', async ({ onTestFinished }) => {
    const { file, open, kept } = await ledger(onTestFinished, 1500)
    expect((await open()).entries).toHaveLength(1500)
    expect(kept()).toHaveLength(1)
    appendRecord(file, change(1500))
    const again = await open()
    expect(again.entries).toHaveLength(1501)
    expect((await recordsAt(file, again.entries.slice(-2))).map((record) => record?.id)).toEqual(['id-1499', 'id-1500'])
  })

  it('is made again when the ledger is another one', async ({ onTestFinished }) => {
    const { file, open } = await ledger(onTestFinished, 1500)
    await open()
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll('INT-3', 'INT-8'))
    expect((await open()).entries.some(({ intent }) => intent === nameHash('INT-3'))).toBe(false)
    await truncate(file, 10_000)
    const short = await open()
    expect(short.entries.length).toBeLessThan(30)
    expect(short.damaged).toHaveLength(1)
  })

  it('names damaged lines, and does not keep one that may only be unfinished', async ({ onTestFinished }) => {
    const { file, open } = await ledger(onTestFinished, 2)
    await appendFile(file, '<<<<<<< HEAD\n')
    await appendFile(file, `${JSON.stringify(change(2))}\n{"version":"0.1.0","id":"unfin`)
    const index = await open()
    expect(index.damaged.map(({ line }) => line)).toEqual([3, 5])
    expect(index.entries).toHaveLength(3)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feed, newTranscriptReader, readTranscriptLine, type TranscriptLine } from './transcript.ts'

const common = {
  uuid: 'u',
  parentUuid: null,
  isSidechain: false,
  sessionId: 's',
  timestamp: 't',
  cwd: '/p',
  gitBranch: 'main',
}
const lines = [
  { type: 'user', ...common, message: { role: 'user', content: 'Füge é hinzu 🌳' }, promptId: 'p' },
  { type: 'user', ...common, message: { role: 'user', content: [] }, toolUseResult: { stdout: '' } },
  { type: 'assistant', ...common, message: { id: 'msg_1', model: 'm', content: [], usage: {} }, requestId: 'r' },
  { type: 'attachment', ...common, attachment: { type: 'hook_success', content: 'x' } },
  { type: 'system', ...common, subtype: 'compact_boundary', logicalParentUuid: 'l' },
]
const encoder = new TextEncoder()

describe('a transcript line', () => {
  it.each(lines)('%j keeps every field', (line) => {
    const newer = { ...line, added_later: 1 }
    expect(readTranscriptLine(newer)).toEqual(newer)
  })

  it('of another type is kept', () => {
    const line = { type: 'agent-name', agentName: 'a' }
    expect(readTranscriptLine(line)).toEqual({ type: 'unknown', raw: line })
  })
})

describe('reading a growing transcript', () => {
  it('gives the same lines however the bytes are cut', () => {
    const file = encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('\n'))
    fc.assert(
      fc.property(fc.array(fc.nat(file.length)), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), file.length]
        const chunks = edges.slice(1).map((end, i) => file.slice(edges[i], end))
        expect(readAll(chunks)).toEqual({ lines, broken: 0, waiting: false })
      }),
    )
  })

  it('waits for the end of a half-written last line', () => {
    const [half, rest] = ['{"type":"tea",', '"cups":2}\n'].map((text) => encoder.encode(text)) as [
      Uint8Array,
      Uint8Array,
    ]
    const first = feed(newTranscriptReader, half)
    expect(first.lines).toEqual([])
    expect(feed(first.reader, rest).lines).toEqual([{ type: 'unknown', raw: { type: 'tea', cups: 2 } }])
  })

  it('counts broken lines and goes on', () => {
    const text = `{"type":"us{"type":"user"}\n${JSON.stringify(lines[0])}\r\nnot json\n\n`
    expect(readAll([encoder.encode(text)])).toEqual({ lines: [lines[0]], broken: 2, waiting: false })
  })

  it('is not confused by a caller that reuses its buffer', () => {
    const buffer = encoder.encode('{"type":')
    const { reader } = feed(newTranscriptReader, buffer)
    buffer.fill(0)
    expect(feed(reader, encoder.encode('"x"}\n')).lines).toEqual([{ type: 'unknown', raw: { type: 'x' } }])
  })
})

function readAll(chunks: Uint8Array[]) {
  let reader = newTranscriptReader
  const lines: TranscriptLine[] = []
  for (const chunk of chunks) {
    const step = feed(reader, chunk)
    reader = step.reader
    lines.push(...step.lines)
  }
  return { lines, broken: reader.broken, waiting: reader.pending.length > 0 }
}

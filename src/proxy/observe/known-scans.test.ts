import { describe, expect, it } from 'vitest'
import { scanRequest } from '#protocol/request-scan.ts'
import { BodyMemory } from '../bodies/body-memory.ts'
import { KnownScans } from './known-scans.ts'

const body = (model: string, ...said: string[]) =>
  Buffer.from(JSON.stringify({ model, messages: said.map((content) => ({ role: 'user', content })), tools: [] }))

const places = (scan: ReturnType<typeof scanRequest>) =>
  scan && [...scan.keys].map(([key, { start, end }]) => [key, start, end])

/** Scans whose bodies nobody reads any more once they are scanned. */
function keeping() {
  const scans = new KnownScans(new BodyMemory())
  return {
    scan(conversation: string, body: Buffer) {
      const scan = scans.scan(conversation, body)
      scans.release(conversation, body)
      return scan
    },
  }
}

describe('scans of one conversation', () => {
  it('know the messages of the request before', () => {
    const scans = keeping()
    const first = scans.scan('a', body('m', 'one'))!
    const second = scans.scan('a', body('m', 'one', 'two'))!
    expect(second.arrays.get('messages')![0]).toBe(first.arrays.get('messages')![0])
  })

  it('are not taken for those of another, nor for side requests to another model', () => {
    const scans = keeping()
    const first = scans.scan('a', body('m', 'one'))!
    scans.scan('a', body('small', 'title'))
    scans.scan('b', body('m', 'something else'))
    const second = scans.scan('a', body('m', 'one', 'two'))!
    expect(second.keys.get('tools')!.content).toBe(first.keys.get('tools')!.content)
    expect(scans.scan('b', body('m', 'one'))!.keys.get('tools')!.content).not.toBe(first.keys.get('tools')!.content)
  })

  it('find what is there after a body that was no JSON, and after a rewind', () => {
    const scans = keeping()
    scans.scan('a', body('m', 'one', 'two', 'three'))
    expect(scans.scan('a', body('m', 'one', 'two', 'three').subarray(0, 40))).toBeUndefined()
    for (const now of [body('m', 'one', 'two'), body('m', 'other'), body('m')]) {
      expect(places(scans.scan('a', now))).toEqual(places(scanRequest(now)))
    }
  })

  it('go on being right when many conversations push each other out', () => {
    const scans = keeping()
    const long = 'x'.repeat(1024 * 1024)
    for (let turn = 0; turn < 2; turn++) {
      for (let one = 0; one < 50; one++) {
        const now = body('m', long, String(one), String(turn))
        expect(places(scans.scan(String(one), now))).toEqual(places(scanRequest(now)))
      }
    }
  })

  const lending = () => {
    const memory = new BodyMemory()
    const arrived = (text: Buffer) => {
      const lent = memory.take(text.length)
      text.copy(lent)
      return lent
    }
    return { scans: new KnownScans(memory), arrived }
  }

  it('give back the body that a newer one takes the place of, while that one is still under way', () => {
    const { scans, arrived } = lending()
    const first = arrived(body('m', 'one'))
    scans.scan('a', first)
    scans.release('a', first)
    const second = arrived(body('m', 'one', 'two'))
    expect(second.buffer).not.toBe(first.buffer)
    scans.scan('a', second)
    expect(arrived(body('m', 'three')).buffer).toBe(first.buffer)
  })

  it('leave a body alone that is still read, and give it back afterwards', () => {
    const { scans, arrived } = lending()
    const first = arrived(body('m', 'one'))
    scans.scan('a', first)
    scans.scan('a', arrived(body('m', 'one', 'two')))
    expect(arrived(body('m', 'three')).buffer).not.toBe(first.buffer)
    scans.release('a', first)
    expect(arrived(body('m', 'four')).buffer).toBe(first.buffer)
  })
})

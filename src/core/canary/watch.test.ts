import { describe, expect, it } from 'vitest'
import type { FindingKind } from './finding.ts'
import {
  newWatch,
  noticeStop,
  noticeToolRan,
  noticeTranscript,
  noticeTurn,
  type SeenTurn,
  type TranscribedAnswer,
  type Watch,
} from './watch.ts'

type Event = Partial<SeenTurn> | { transcript: TranscribedAnswer[] } | { ran: string } | 'stop'

let answers = 0
function turn(changes: Partial<SeenTurn>): SeenTurn {
  return {
    ...{ asker: 'main', at: 100, offersAgent: true, results: [], begins: false, folder: true, instruction: true },
    answer: { id: `msg_${++answers}`, toolUses: [], ends: true },
    ...changes,
  }
}

/** What is found in a run of events, in their order. */
function found(events: Event[], mainBefore = false): FindingKind[] {
  let watch: Watch = newWatch({ mainBefore })
  const kinds: FindingKind[] = []
  for (const event of events) {
    if (typeof event === 'object' && 'ran' in event) {
      watch = noticeToolRan(watch, event.ran)
      continue
    }
    const noticed =
      event === 'stop'
        ? noticeStop(watch)
        : 'transcript' in event
          ? noticeTranscript(watch, event.transcript)
          : noticeTurn(watch, turn(event))
    watch = noticed.watch
    kinds.push(...noticed.findings.map(({ kind }) => kind))
  }
  return kinds
}

const answer = (id: string, ...toolUses: string[]) => ({ answer: { id, toolUses, ends: toolUses.length === 0 } })
const told = (id: string, at = 200): TranscribedAnswer => ({ id, at })

describe('results of tool calls', () => {
  it('that a side request asked for show that it was none', () => {
    expect(
      found([
        { asker: 'side', ...answer('a', 't1') },
        { asker: 'side', results: ['t1'] },
      ]),
    ).toEqual(['main-missed'])
  })

  it('that an agent hook sends back itself are its own', () => {
    expect(
      found([
        { asker: 'agent-hook', ...answer('a', 't1') },
        { asker: 'agent-hook', results: ['t1'] },
      ]),
    ).toEqual([])
    expect(found([{ asker: 'agent-hook', ...answer('a', 't1') }, { results: ['t1'] }])).toEqual(['main-missed'])
  })

  it('of the main conversation may be repeated by a compaction, and those of an unseen answer say nothing', () => {
    expect(found([answer('a', 't1'), { asker: 'compaction', results: ['t1'] }, { results: ['t0'] }])).toEqual([])
  })
})

describe('the agent tool', () => {
  const offer = { asker: 'side' } as const

  it('offered three times without a main request is one that was missed', () => {
    expect(found([offer, offer])).toEqual([])
    expect(found([offer, offer, offer])).toEqual(['no-main'])
  })

  it('says nothing where the main conversation is known, here or to an earlier process', () => {
    expect(found([{}, offer, offer, offer])).toEqual([])
    expect(found([offer, offer, offer], true)).toEqual([])
  })

  it('of helpers and of requests without it is not counted', () => {
    const helper = { asker: 'subagent' } as const
    const title = { asker: 'side', offersAgent: false } as const
    expect(found([helper, helper, helper, title, title, title])).toEqual([])
  })
})

describe('the first turn', () => {
  const first = { begins: true, folder: false, instruction: false }
  const later = { folder: false, instruction: false }

  it('that ends without folder or instruction is not understood', () => {
    expect(found([first])).toEqual(['no-folder', 'no-instruction'])
    expect(found([{ ...first, folder: true }])).toEqual(['no-instruction'])
  })

  it('is judged after three requests at the latest', () => {
    const working = answer('a', 't1')
    expect(
      found([
        { ...first, ...working },
        { ...later, ...working },
      ]),
    ).toEqual([])
    expect(
      found([
        { ...first, ...working },
        { ...later, ...working },
        { ...later, ...working },
      ]),
    ).toEqual(['no-folder', 'no-instruction'])
  })

  it('may tell later in it, and is judged once', () => {
    expect(found([{ ...first, ...answer('a', 't1') }, { folder: true, instruction: true }, later])).toEqual([])
    expect(found([first, later, later])).toHaveLength(2)
  })

  it('whose beginning was missed is not judged', () => {
    expect(found([later, first])).toEqual([])
  })
})

describe('answers in the transcript', () => {
  it('that the proxy took for a side request were the main conversation’s', () => {
    expect(found([{ asker: 'side', ...answer('a') }, { transcript: [told('a')] }])).toEqual(['main-missed'])
  })

  it('that never came by are noticed when a later one has', () => {
    expect(found([answer('a'), { transcript: [told('a'), told('b')] }])).toEqual([])
    expect(
      found([answer('a'), { transcript: [told('a'), told('b')] }, answer('c'), { transcript: [told('c')] }]),
    ).toEqual(['unseen-answer'])
  })

  it('may be told before the proxy has noted them', () => {
    const events = [answer('a'), { transcript: [told('b')] }, answer('b'), answer('c'), { transcript: [told('c')] }]
    expect(found(events)).toEqual([])
  })

  it('from before the proxy was there are not its matter', () => {
    const events = [answer('b'), { transcript: [told('a', 50), told('b')] }, answer('c'), { transcript: [told('c')] }]
    expect(found(events)).toEqual([])
    expect(found([{ transcript: [told('a'), told('b')] }])).toEqual([])
  })
})

describe('tool calls that hooks tell of', () => {
  it('and whose results come by without the call are noticed', () => {
    expect(found([answer('a'), { ran: 't1' }, { results: ['t1'] }])).toEqual(['unseen-tool-use'])
  })

  it('may run while the answer still streams', () => {
    expect(found([answer('a'), { ran: 't1' }, answer('b', 't1'), { results: ['t1'] }])).toEqual([])
  })

  it('from before the proxy was there are not its matter', () => {
    expect(found([{ ran: 't1' }, { results: ['t1'] }])).toEqual([])
  })

  it('are noticed at the end of the next turn when nothing of them comes by', () => {
    const unseen = ['t1', 't2', 't3'].map((ran) => ({ ran }))
    expect(found([answer('a'), ...unseen, 'stop'])).toEqual([])
    expect(found([answer('a'), ...unseen, 'stop', 'stop'])).toEqual(['unseen-tool-use'])
    expect(found([answer('a'), { ran: 't1' }, 'stop', 'stop'])).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { FindingKind } from './finding.ts'
import {
  newWatch,
  noticeStop,
  noticeToolRan,
  noticeToolStarts,
  noticeTranscript,
  noticeTurn,
  type SeenTurn,
  type TranscribedAnswer,
  type Watch,
} from './watch.ts'

type Event =
  | Partial<SeenTurn>
  | { transcript: TranscribedAnswer[]; isUnderstood?: boolean }
  | { starts: string }
  | { ran: string }
  | 'stop'

let answers = 0
function turn(changes: Partial<SeenTurn>): SeenTurn {
  return {
    ...{ asker: 'main', at: 100, offersAgent: true, results: [], begins: false, folder: true, instruction: true },
    settled: [],
    repeats: false,
    answer: { id: `msg_${++answers}`, toolUses: [], complete: true },
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
    if (typeof event === 'object' && 'starts' in event) {
      watch = noticeToolStarts(watch, event.starts)
      continue
    }
    const noticed =
      event === 'stop'
        ? noticeStop(watch)
        : 'transcript' in event
          ? noticeTranscript(watch, { answers: event.transcript, isUnderstood: event.isUnderstood ?? true })
          : noticeTurn(watch, turn(event))
    watch = noticed.watch
    kinds.push(...noticed.findings.map(({ kind }) => kind))
  }
  return kinds
}

const answer = (id: string, ...toolUses: string[]) => ({ answer: { id, toolUses, complete: true } })
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

describe('tool calls of the main conversation', () => {
  const ran = (id: string) => ({ settled: [{ id, ran: true }], results: [id] })

  it('that do not come back with their results, twice running, are not understood', () => {
    expect(found([answer('a', 't1'), answer('b', 't2'), answer('c', 't3')])).toEqual(['no-results'])
  })

  it('may be left behind once by a user who goes back, and are settled by any of their results', () => {
    const events = [answer('a', 't1', 't2'), { ...ran('t2'), ...answer('b', 't3') }, answer('c', 't4'), ran('t4')]
    expect(found(events)).toEqual([])
  })

  it('may be lost in a compaction, or with an answer that broke off', () => {
    const broken = { answer: { id: 'b', toolUses: ['t2'], complete: false } }
    const compaction = { asker: 'compaction' } as const
    expect(found([answer('a', 't1'), compaction, answer('b', 't2'), compaction, answer('c', 't3')])).toEqual([])
    expect(found([broken, broken, broken, {}])).toEqual([])
  })

  it('are of no account in a request that is made once more', () => {
    const again = (id: string) => ({ repeats: true, ...answer(id, `t${id}`) })
    expect(found([answer('a', 't1'), again('b'), again('c'), again('d')])).toEqual([])
  })

  it('of helpers are their own matter', () => {
    const helper = { asker: 'subagent', ...answer('h', 'x1') } as const
    expect(found([{}, helper, helper, helper])).toEqual([])
  })

  it('that hooks tell of before they run, and never after, are noticed the second time', () => {
    const [one, two] = [
      { ...ran('t1'), ...answer('b', 't2') },
      { ...ran('t2'), ...answer('c') },
    ]
    const starts = [{ starts: 't1' }, one, { starts: 't2' }, two]
    expect(found([answer('a', 't1'), ...starts])).toEqual(['missing-event'])
    expect(found([answer('a', 't1'), { ran: 't1' }, ...starts])).toEqual([])
    expect(found([answer('a', 't1'), one, two])).toEqual([])
  })

  it('that hooks call otherwise are noticed the second time', () => {
    const one = { ...ran('t1'), ...answer('b', 't2') }
    const two = { ...ran('t2'), ...answer('c') }
    expect(found([answer('a', 't1'), { ran: 'x1' }, one, { ran: 'x2' }, two])).toEqual(['unseen-tool-use'])
    // One call that the client made by itself, beside calls that are known.
    expect(found([answer('a', 't1'), { ran: 'x1' }, { ran: 't1' }, one, { ran: 't2' }, two])).toEqual([])
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

  it('offered to helpers alone says the same: somebody must have sent them', () => {
    const helper = { asker: 'subagent' } as const
    expect(found([helper, helper])).toEqual([])
    expect(found([helper, helper, helper])).toEqual(['no-main'])
    expect(found([{}, helper, helper, helper])).toEqual([])
    expect(found([helper, helper, helper], true)).toEqual([])
  })
  it('of requests without it is not counted', () => {
    const title = { asker: 'side', offersAgent: false } as const
    expect(found([title, title, title])).toEqual([])
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
    const working = { ...answer('a', 't1'), settled: [{ id: 't1', ran: true }] }
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

describe('a transcript', () => {
  const strange = { transcript: [], isUnderstood: false }

  it('in which two turns have left no answer is not understood', () => {
    expect(found([strange, 'stop'])).toEqual([])
    expect(found([strange, 'stop', strange, 'stop', strange, 'stop'])).toEqual(['unreadable-transcript'])
  })

  it('that was understood once, here or by an earlier process, or never read, says nothing', () => {
    expect(found(['stop', 'stop', 'stop'])).toEqual([])
    expect(found([{ transcript: [] }, strange, 'stop', 'stop'])).toEqual([])
    expect(found([strange, 'stop', 'stop'], true)).toEqual([])
  })
})

describe('answers in the transcript', () => {
  it('that the proxy took for a helper’s were the main conversation’s', () => {
    expect(found([{ asker: 'subagent', ...answer('a') }, { transcript: [told('a')] }])).toEqual(['main-missed'])
  })

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

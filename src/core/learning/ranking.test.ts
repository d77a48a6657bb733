import { describe, expect, it } from 'vitest'
import { fading, isDecayDue } from './decay.ts'
import type { Learning } from './learning.ts'
import { bestFirst, findAmong, isSameFile, type LearningFilters, relevances } from './query.ts'
import { choose } from './ranking.ts'
import { addEvents, hitRate, NO_STATS, type StatsEvent, statusOf } from './stats.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = 400 * DAY

const learning = (id: string, more: Partial<Learning> = {}): Learning => ({
  id,
  category: 'pitfall',
  summary: `Something about ${id}`,
  detail: `What there is to say about ${id}.`,
  scope: 'project',
  confidence: 'high',
  criteriaMet: ['stable_fact'],
  tags: [id],
  contextFiles: [],
  at: NOW - DAY,
  status: 'active',
  ...more,
})
const event = (type: 'surfaced' | 'dismissed', id: string, at = NOW - 2 * DAY): StatsEvent => ({
  type,
  at,
  learning: id,
  session: 's',
})
const use = (id: string, at = NOW - 2 * DAY): StatsEvent => ({
  type: 'referenced',
  at,
  learning: id,
  session: 's',
  how: '',
})
const times = (count: number, one: StatsEvent) => Array.from({ length: count }, () => one)
const none = { files: [], tags: [] }

describe('relevance', () => {
  const database = learning('a', {
    summary: 'Run the migrations before the seed script',
    tags: ['database', 'seed'],
    contextFiles: ['db/seed.ts'],
  })
  const widget = learning('b', { summary: 'The widget needs SameSite none cookies', tags: ['cookies', 'embedding'] })
  const of = (query: object) => {
    const found = relevances([database, widget], { ...none, ...query })
    return found.map(({ relevance }) => relevance)
  }

  it('is highest for the same tag, then for the same file, then for words', () => {
    const [tag] = of({ tags: ['database'] })
    const [file] = of({ files: ['packages/api/db/seed.ts'] })
    const [words] = of({ title: 'Why do migrations fail?' })
    const [part] = of({ tags: ['data'] })
    expect([tag, file, part, words].every((one) => one! > 0)).toBe(true)
    expect(tag).toBeGreaterThan(file!)
    expect(file).toBeGreaterThan(part!)
    expect(part).toBeGreaterThan(0)
    expect(of({ tags: ['database'] })[1]).toBe(0)
  })

  it('is found in title, description and prompt alike', () => {
    for (const field of ['title', 'description', 'prompt']) {
      const [first, second] = of({ [field]: 'Fix the seed script so that migrations run before' })
      expect(first).toBeGreaterThan(second!)
    }
  })

  it('is nothing when nothing is known', () => {
    expect(of({})).toEqual([0, 0])
  })

  it('knows a file by the end of its path', () => {
    expect(isSameFile('db/seed.ts', '/home/x/app/db/seed.ts')).toBe(true)
    expect(isSameFile('seed.ts', 'db/seed.ts')).toBe(false)
    expect(isSameFile('b/seed.ts', 'db/seed.ts')).toBe(false)
  })

  it('is filtered by status, scope and age, and cut to what was asked for', () => {
    const all = [learning('x', { at: 5 }), learning('y', { scope: 'personal' }), learning('z', { status: 'archived' })]
    const kept = (filters: LearningFilters) =>
      findAmong(all, none, filters)
        .map(({ learning: { id } }) => id)
        .sort()
    expect(kept({})).toEqual(['x', 'y'])
    expect(kept({ status: 'any' })).toEqual(['x', 'y', 'z'])
    expect(kept({ scopes: ['personal'] })).toEqual(['y'])
    expect(kept({ createdAfter: 6 })).toEqual(['y'])
    const found = all.map((one, at) => ({ learning: one, relevance: at / 10 }))
    expect(bestFirst(found, { maxResults: 2 }).map(({ learning: { id } }) => id)).toEqual(['z', 'y'])
  })
})

describe('what is shown', () => {
  const found = (...ids: [string, number][]) => ids.map(([id, relevance]) => ({ learning: learning(id), relevance }))
  const shown = (
    ids: [string, number][],
    events: StatsEvent[] = [],
    strategy: 'conservative' | 'moderate' | 'aggressive' = 'moderate',
  ) =>
    choose(found(...ids), addEvents(NO_STATS, events), NOW, { maxInjections: 5, strategy }).map(
      ({ learning: { id } }) => id,
    )

  it('is what fits best', () => {
    expect(
      shown([
        ['a', 0.3],
        ['b', 0.9],
        ['c', 0.6],
      ]),
    ).toEqual(['b', 'c', 'a'])
  })

  it('is what helped before', () => {
    const events = [...times(4, event('surfaced', 'a')), ...times(4, event('surfaced', 'b')), ...times(4, use('b'))]
    expect(
      shown(
        [
          ['a', 0.6],
          ['b', 0.6],
        ],
        events,
      ),
    ).toEqual(['b', 'a'])
  })

  it('is rather the newer, or the one used lately', () => {
    const old = { learning: learning('old', { at: NOW - 300 * DAY }), relevance: 0.6 }
    const young = { learning: learning('young'), relevance: 0.6 }
    const order = (events: StatsEvent[]) =>
      choose([old, young], addEvents(NO_STATS, events), NOW, { maxInjections: 5, strategy: 'moderate' }).map(
        (one) => one.learning.id,
      )
    expect(order([])).toEqual(['young', 'old'])
    const used = [event('surfaced', 'old'), use('old'), event('surfaced', 'young'), event('dismissed', 'young')]
    expect(order(used)).toEqual(['old', 'young'])
  })

  it('is no less for having been put right by a person', () => {
    expect(
      shown(
        [
          ['a', 0.6],
          ['b', 0.5],
        ],
        [{ type: 'corrected', at: NOW, learning: 'a' }],
      ),
    ).toEqual(['a', 'b'])
  })

  it('is what fits, and at most one that fits nothing', () => {
    const some: [string, number][] = [
      ['fits', 0.7],
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['d', 0],
      ['e', 0],
    ]
    expect(shown(some, [], 'conservative')).toEqual(['fits'])
    expect(shown(some, [], 'moderate')).toEqual(['fits', 'a'])
    expect(shown(some, [], 'aggressive')).toEqual(['fits', 'a'])
  })

  it('is never more than allowed', () => {
    const many = Array.from({ length: 20 }, (_, at): [string, number] => [`l${at}`, 0.9])
    expect(shown(many)).toHaveLength(5)
  })
})

describe('decay', () => {
  const settings = { passiveDurationDays: 90, immunityHitRate: 0.8 }
  const faded = (one: Learning, events: StatsEvent[] = []) =>
    fading([one], addEvents(NO_STATS, events), NOW, settings).length === 1
  const old = learning('old', { at: NOW - 100 * DAY })

  it('takes what nobody used for ninety days', () => {
    expect(faded(old)).toBe(true)
    expect(faded(learning('young', { at: NOW - 80 * DAY }))).toBe(false)
  })

  it('waits longer for what was used since, and for what was restored', () => {
    expect(faded(old, [event('surfaced', 'old'), event('surfaced', 'old'), use('old', NOW - 20 * DAY)])).toBe(false)
    expect(faded(old, [{ type: 'restored', at: NOW - DAY, learning: 'old' }])).toBe(false)
    expect(faded(old, times(9, event('surfaced', 'old')))).toBe(true)
  })

  it('gives what a person wrote without a date its time from when it was first shown', () => {
    const undated = learning('own', { at: 0 })
    expect(faded(undated)).toBe(false)
    expect(faded(undated, [event('surfaced', 'own', NOW - 80 * DAY), event('surfaced', 'own', NOW - DAY)])).toBe(false)
    expect(faded(undated, [event('surfaced', 'own', NOW - DAY), event('surfaced', 'own', NOW - 100 * DAY)])).toBe(true)
  })

  it('spares what is nearly always used, however long ago', () => {
    const long = NOW - 200 * DAY
    expect(faded(old, [event('surfaced', 'old', long), use('old', long)])).toBe(false)
  })

  it('leaves alone what is not active any more', () => {
    expect(faded({ ...old, status: 'archived' })).toBe(false)
    expect(faded(old, [{ type: 'superseded', at: 5, learning: 'old', by: 'new' }])).toBe(false)
  })

  it('is looked at once a day', () => {
    expect([undefined, NOW - DAY, NOW - DAY + 1].map((last) => isDecayDue(last, NOW))).toEqual([true, true, false])
    expect(isDecayDue(NOW + DAY, NOW)).toBe(true)
  })
})

describe('the sums', () => {
  it('know the hit rate, and that nothing is known before anything was shown', () => {
    const { learnings } = addEvents(NO_STATS, [...times(4, event('surfaced', 'a')), use('a')])
    expect(hitRate(learnings.a)).toBe(0.25)
    expect(hitRate(learnings.b)).toBeUndefined()
  })

  it("let a person's word in the file win over the log", () => {
    const stats = addEvents(NO_STATS, [{ type: 'restored', at: 5, learning: 'a' }])
    expect(statusOf({ id: 'a', status: 'archived' }, stats)).toBe('archived')
    expect(statusOf({ id: 'a', status: 'active' }, stats)).toBe('active')
  })

  it('are the same whether added at once or bit by bit', () => {
    const events = [event('surfaced', 'a'), use('a'), event('dismissed', 'b'), ...times(3, event('surfaced', 'b'))]
    const bits = events.reduce((stats, one) => addEvents(stats, [one]), NO_STATS)
    expect(bits).toEqual(addEvents(NO_STATS, events))
  })
})

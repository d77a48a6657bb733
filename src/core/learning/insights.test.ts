import { describe, expect, it } from 'vitest'
import { insights } from './insights.ts'
import type { Criterion, Learning } from './learning.ts'
import { addEvents, NO_STATS, type StatsEvent, type Turned } from './stats.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = 400 * DAY
const learning = (id: string, more: Partial<Learning> = {}): Learning => ({
  id,
  category: 'pitfall',
  summary: `Something about ${id}`,
  detail: 'What there is to say about it.',
  scope: 'project',
  confidence: 'high',
  criteriaMet: ['stable_fact'],
  tags: ['x'],
  contextFiles: [],
  at: NOW - DAY,
  status: 'active',
  ...more,
})
const kept = (id: string, ...criteria: Criterion[]) => ({ id, category: 'pitfall' as const, criteria })
const turned = (summary: string, stage: Turned['stage'] = 'write-gate'): Turned => ({ summary, stage, reasons: ['no'] })
const reflected = (accepted: ReturnType<typeof kept>[], rejected: Turned[] = [], at = 1): StatsEvent => ({
  type: 'reflected',
  at,
  session: 's',
  accepted,
  rejected,
})
const shown = (id: string, count: number): StatsEvent[] =>
  Array.from({ length: count }, () => ({ type: 'surfaced', at: 2, learning: id, session: 's' }))
const used = (id: string, count: number): StatsEvent[] =>
  Array.from({ length: count }, () => ({ type: 'referenced', at: NOW - DAY, learning: id, session: 's', how: '' }))
const ids = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`)
const kinds = (learnings: Learning[], events: StatsEvent[]) =>
  insights(learnings, addEvents(NO_STATS, events), NOW).findings.map(({ kind }) => kind)

describe('insights', () => {
  it('wait with their word on a criterion until what it let in was shown', () => {
    const all = reflected(ids(12).map((id) => kept(id, 'behavior_changing')))
    const learnings = ids(12).map((id) => learning(id))
    expect(kinds(learnings, [all])).toEqual([])
    const misshapen: StatsEvent = {
      type: 'rejected',
      at: 1,
      session: 's',
      rejected: ids(20).map((id) => turned(id, 'schema')),
    }
    expect(kinds(learnings, [all, misshapen, ...shown('l0', 9)])).not.toContain('rubber-stamping')
    expect(kinds(learnings, [all, misshapen, ...shown('l0', 10)])).toContain('rubber-stamping')
  })

  it('tell what was turned down lately, and why', () => {
    const events = ids(30).map((id, at): StatsEvent => {
      const rejected = [turned(id)]
      return at % 2 ? reflected([], rejected, at) : { type: 'rejected', at, session: 's', rejected }
    })
    const report = insights([], addEvents(NO_STATS, events), NOW)
    expect(report).toMatchObject({ reflections: 15, candidates: { produced: 30, rejected: 30 } })
    expect(report.turnedDown).toHaveLength(20)
    expect(report.turnedDown[0]).toEqual({ summary: 'l29', stage: 'write-gate', reasons: ['no'], at: 29 })
  })

  it('have nothing to say about little', () => {
    expect(kinds([], [])).toEqual([])
    expect(kinds([learning('a')], [reflected([kept('a', 'behavior_changing')]), ...shown('a', 2)])).toEqual([])
  })

  it('see one criterion claimed for everything and helping nobody', () => {
    const events = [reflected(ids(12).map((id) => kept(id, 'behavior_changing'))), ...shown('l0', 5), ...shown('l1', 5)]
    expect(
      kinds(
        ids(12).map((id) => learning(id)),
        events,
      ),
    ).toContain('rubber-stamping')
    const [first] = insights([], addEvents(NO_STATS, events), NOW).findings
    expect(first?.what).toBe(
      '100 % of all candidates claim behavior_changing, but when they were shown, none were used.',
    )
    const helpful = [...events, ...used('l0', 5), ...used('l1', 5)]
    expect(
      kinds(
        ids(12).map((id) => learning(id)),
        helpful,
      ),
    ).not.toContain('rubber-stamping')
    const mixed = reflected(ids(12).map((id, at) => kept(id, at % 2 ? 'stable_fact' : 'behavior_changing')))
    expect(kinds([], [mixed])).not.toContain('rubber-stamping')
  })

  it('see a gate that is too strict: topics turned down that were kept later, or nearly everything turned down', () => {
    const topics = ['Run migrations before the seed script', 'Cookies of the widget need SameSite none']
    const later = topics.map((summary, at) => learning(`k${at}`, { summary }))
    expect(
      kinds(later, [
        reflected(
          [],
          topics.map((topic) => turned(topic)),
        ),
      ]),
    ).toContain('gate-too-strict')
    const mendedAtOnce = later.map((one) => ({ ...one, at: 60_000 }))
    expect(
      kinds(mendedAtOnce, [
        reflected(
          [],
          topics.map((topic) => turned(topic, 'schema')),
        ),
      ]),
    ).toEqual([])
    const many = ids(12).map((id) => turned(`Topic ${id}`))
    expect(kinds([], [reflected([], many)])).toContain('gate-too-strict')
    expect(
      kinds(
        [],
        [
          reflected(
            [],
            many.map((one) => ({ ...one, stage: 'duplicate' as const })),
          ),
        ],
      ),
    ).toEqual([])
  })

  it('see a gate that is too loose: everything kept, hardly anything used', () => {
    const all = ids(12).map((id, at) => kept(id, at % 2 ? 'stable_fact' : 'decision_rationale'))
    const events = [reflected(all), ...shown('l0', 10), ...used('l0', 1)]
    expect(
      kinds(
        ids(12).map((id) => learning(id)),
        events,
      ),
    ).toEqual(['gate-too-loose'])
  })

  it('see categories that never help', () => {
    const process = learning('p', { category: 'process' })
    expect(kinds([process], shown('p', 10))).toEqual(['category-never-helps'])
    expect(kinds([process], [...shown('p', 10), ...used('p', 1)])).toEqual([])
    expect(kinds([process], [...shown('p', 10), { type: 'archived', at: 3, learning: 'p' }])).toEqual([])
  })

  it('see parts of the project whose learnings nobody used for long', () => {
    const old = ids(3).map((id) => learning(id, { at: NOW - 80 * DAY, contextFiles: [`src/billing/${id}.ts`] }))
    const report = insights(old, NO_STATS, NOW)
    expect(report.findings).toMatchObject([{ kind: 'stale-area', what: expect.stringContaining('src/billing') }])
    expect(kinds(old, used('l0', 1))).toEqual([])
    const undated = old.map((one) => ({ ...one, at: 0 }))
    expect(kinds(undated, [])).toEqual([])
  })

  it('see agents that mostly skip, or give up', () => {
    const skipped: StatsEvent = { type: 'skipped', at: 1, session: 's', reason: 'x', decider: 'agent' }
    const tripped: StatsEvent = { type: 'tripped', at: 1, session: 's' }
    expect(
      kinds(
        [],
        Array.from({ length: 9 }, () => skipped),
      ),
    ).toEqual(['mostly-skipped'])
    const small: StatsEvent = { ...skipped, decider: 'rule' }
    expect(
      kinds(
        [],
        Array.from({ length: 9 }, () => small),
      ),
    ).toEqual([])
    const mixed = [...Array.from({ length: 5 }, () => tripped), ...Array.from({ length: 4 }, () => skipped)]
    expect(kinds([], mixed)).toEqual(['agents-give-up'])
  })

  it('come with figures, and each with something to do', () => {
    const report = insights(
      [learning('a'), learning('b', { status: 'archived' })],
      addEvents(NO_STATS, [...shown('a', 4), ...used('a', 1)]),
      NOW,
    )
    expect(report).toMatchObject({ learnings: { active: 1, archived: 1 }, surfaced: 4, referenced: 1, hitRate: 0.25 })
    expect(report.byCategory.find(({ category }) => category === 'pitfall')).toMatchObject({
      learnings: 2,
      surfaced: 4,
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCandidate } from './validate.ts'

const good = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only the migrations create.',
  scope: 'team',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['Database', '#seed script'],
  context_files: ['./db/seed.ts', 'db\\migrate.ts'],
  ticket_id: 'app-7',
}
const reasonsOf = (change: object) => {
  const read = readCandidate({ ...good, ...change })
  return 'rejection' in read ? read.rejection.reasons : []
}

describe('a candidate', () => {
  it('is taken as it was meant', () => {
    expect(readCandidate(good)).toEqual({
      candidate: {
        category: 'pitfall',
        summary: good.summary,
        detail: good.detail,
        scope: 'team',
        confidence: 'high',
        criteriaMet: ['behavior_changing'],
        tags: ['database', 'seed-script'],
        contextFiles: ['db/seed.ts', 'db/migrate.ts'],
        ticketId: 'app-7',
      },
    })
  })

  it('may be shorter in a script whose signs say more', () => {
    expect(reasonsOf({ summary: '报表不显示完整身份证号', detail: '去年被监管罚过款,只显示后四位' })).toEqual([])
    expect(reasonsOf({ detail: '被罚过款' })).toEqual(['detail must have 20 to 2000 characters, it has 4'])
  })

  it('brings no secret along in the name of its ticket, and corrects only what can be a learning', () => {
    const key = `sk-ant-api03-${'Ab3dEf6hIj9'.repeat(9)}`
    const read = readCandidate({ ...good, ticket_id: `app-7 ${key}`, supersedes: 'lrn_1\n### Other' })
    expect(JSON.stringify(read)).not.toContain('Ab3dEf6hIj9')
    expect(read).not.toHaveProperty('candidate.supersedes')
    expect(readCandidate({ ...good, supersedes: ' lrn_4be1c0ffee00 ' })).toMatchObject({
      candidate: { supersedes: 'lrn_4be1c0ffee00' },
    })
  })

  it('of an unknown scope is for the project, and of an unknown confidence so-so', () => {
    const { scope: _, confidence: __, ...rest } = good
    expect(readCandidate(rest)).toMatchObject({ candidate: { scope: 'project', confidence: 'medium' } })
    expect(readCandidate({ ...good, scope: 'galaxy' })).toMatchObject({ candidate: { scope: 'project' } })
  })

  it.each([
    ['category', { category: 'opinion' }, 'category must be one of pattern, pitfall'],
    ['category', { category: undefined }, 'category must be one of'],
    ['summary', { summary: 'Too short' }, 'summary must have 10 to 200 characters, it has 9'],
    ['summary', { summary: 'x'.repeat(201) }, 'it has 201'],
    ['summary', { summary: 42 }, 'it has 0'],
    ['detail', { detail: 'Not enough said.' }, 'detail must have 20 to 2000 characters, it has 16'],
    ['detail', { detail: 'x'.repeat(2001) }, 'it has 2001'],
    ['both', { detail: 'Run the migrations, before the seed script!' }, 'detail must say more than the summary'],
    ['tags', { tags: [] }, 'tags must be a list of 1 to 10 words, it has 0'],
    ['tags', { tags: ['', ' ', 7] }, 'it has 0'],
    ['tags', { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, 'it has 11'],
    ['tags', { tags: 'database' }, 'tags must be a list'],
    ['criteria', { criteria_met: [] }, 'criteria_met must name at least one of behavior_changing'],
    ['criteria', { criteria_met: ['useful'] }, 'found ["useful"]'],
  ])('without a sound %s is rejected, and told why', (_, change, reason) => {
    expect(reasonsOf(change).join('\n')).toContain(reason)
  })

  it('is told everything that is wrong at once', () => {
    expect(reasonsOf({ category: 'x', summary: '', tags: [] })).toHaveLength(3)
  })

  it('counts characters, not bytes', () => {
    expect(reasonsOf({ summary: '🥛'.repeat(200) })).toEqual([])
  })

  it('may be anything at all: it is taken or told why, and never steers a terminal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ ...mapValues(good, () => fc.anything()) })), (raw) => {
        const read = readCandidate(raw)
        if ('rejection' in read) expect(read.rejection.reasons.length).toBeGreaterThan(0)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone
        else expect(read.candidate.summary + read.candidate.detail).not.toMatch(/[\x00-\x08\x1b\x7f]/)
      }),
    )
  })
})

function mapValues<T extends object, V>(value: T, map: () => V): Record<keyof T, V> {
  return Object.fromEntries(Object.keys(value).map((key) => [key, map()])) as Record<keyof T, V>
}

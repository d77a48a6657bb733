import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Candidate, Criterion } from './learning.ts'
import { judge } from './write-gate.ts'

const candidate = (summary: string, detail: string, ...criteriaMet: Criterion[]): Candidate => ({
  category: 'pitfall',
  summary,
  detail,
  scope: 'project',
  confidence: 'high',
  criteriaMet,
  tags: ['x'],
  contextFiles: [],
})
const unasked = { userAskedToRemember: false }
const REPORT = 'it reports what was done: say what the next session should do differently, when, and why'
const GENERAL = 'too general: name the file, command, setting, library or behaviour it is about'
const UNRELATED = 'it says neither when it matters, nor why, nor what to do instead'
const seed = [
  'Run the migrations before the seed script',
  'It inserts into tables that only `npm run migrate` creates.',
] as const

describe('the write gate', () => {
  it('believes a claim that the text bears out, and only that', () => {
    expect(judge(candidate(...seed, 'behavior_changing', 'explicit_request'), unasked)).toEqual({
      criteria: ['behavior_changing'],
    })
  })

  it.each([
    [
      'I learned about the codebase',
      'I learned a lot about how the codebase and the project are structured.',
      [REPORT, GENERAL, UNRELATED],
    ],
    ['Always write good tests', 'Testing is important, so one should always write good tests for the code.', [GENERAL]],
    [
      'Read the existing code carefully',
      'It is important to understand the existing code well before making a change.',
      [GENERAL],
    ],
    [
      'Follow best practices',
      'Clean and simple code of good quality makes the team work better.',
      [GENERAL, UNRELATED],
    ],
  ])('keeps nothing that would fit any project, and says what is missing: %s', (summary, detail, reasons) => {
    expect(judge(candidate(summary, detail, 'behavior_changing', 'stable_fact'), unasked)).toEqual({ reasons })
  })

  it('takes no report of what was just done for a lasting fact', () => {
    const report = candidate(
      'The seed script was fixed',
      'I fixed the seed script in db/seed.ts and updated the Postgres fixtures.',
      'stable_fact',
    )
    expect(judge(report, unasked)).toEqual({ reasons: [REPORT, GENERAL, UNRELATED] })
  })

  it('takes a lasting fact for one although it is about something temporary', () => {
    const detail = 'The mock file system does not support streams; the tests make a folder with `mkdtemp`.'
    const fact = candidate('Upload tests need a real temporary folder', detail, 'stable_fact')
    expect(judge(fact, unasked)).toHaveProperty('criteria')
    const passing = candidate(
      'The proxy has a temporary workaround',
      `It answers 200 in proxy.ts. ${detail}`,
      'stable_fact',
    )
    expect(judge(passing, unasked)).toHaveProperty('reasons')
  })

  it('wants a choice and its reason from a decision', () => {
    const detail = 'The queue in workers/queue.ts uses Redis streams.'
    expect(judge(candidate('Jobs run on Redis streams', detail, 'decision_rationale'), unasked)).toHaveProperty(
      'reasons',
    )
    const why = `${detail} We chose them over RabbitMQ because operations already runs Redis.`
    expect(judge(candidate('Jobs run on Redis streams', why, 'decision_rationale'), unasked)).toHaveProperty('criteria')
  })

  it('believes in a request when a prompt of the session asked, or the text says who did', () => {
    const [summary, detail] = [
      'Release notes are in German',
      'Every file in release-notes/ is German, without exception.',
    ]
    expect(judge(candidate(summary, detail, 'explicit_request'), unasked)).toHaveProperty('reasons')
    expect(judge(candidate(summary, detail, 'explicit_request'), { userAskedToRemember: true })).toHaveProperty(
      'criteria',
    )
    expect(
      judge(
        candidate(
          'The heading is blue',
          'The user asked for it, and it was changed in the style sheet.',
          'explicit_request',
        ),
        unasked,
      ),
    ).toHaveProperty('reasons')
    const said = `${detail} The user asked for it.`
    expect(judge(candidate(summary, said, 'explicit_request'), unasked)).toHaveProperty('criteria')
  })

  it.each([
    [
      'Migrationen brauchen ein getestetes down-Skript',
      'Der Auftraggeber will es so: sein Betrieb rollt Releases ohne uns zurück.',
    ],
    [
      '公開APIのエラーコードは変えずに追加だけにする',
      '取引先からの依頼で、数値で分岐しているため一度変えたとき受注が止まった。',
    ],
  ])('believes in a request in any language: %s', (summary, detail) => {
    expect(judge(candidate(summary, detail, 'explicit_request'), unasked)).toEqual({ criteria: ['explicit_request'] })
  })

  it('lets through what people would keep', () => {
    const file = join(import.meta.dirname, '../../../test/corpus/learnings/pairs.jsonl')
    const pairs = readFileSync(file, 'utf8').trimEnd().split('\n')
    const all = pairs.flatMap((line) => {
      const { a, b } = JSON.parse(line) as Record<'a' | 'b', { summary: string; detail: string }>
      return [a, b]
    })
    const turned = all.filter(({ summary, detail }) => {
      return 'reasons' in judge(candidate(summary, detail, 'behavior_changing'), unasked)
    })
    expect(turned.length / all.length).toBeLessThan(0.02)
  })
})

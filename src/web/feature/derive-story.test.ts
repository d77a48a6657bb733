import { describe, expect, it } from 'vitest'
import type { EventRecord, WorkflowEvent } from '#protocol/workflow/events.ts'
import { storyLines } from './derive-story.ts'

const told = (...payloads: object[]) =>
  storyLines(
    payloads.map((payload, index) => ({
      id: String(index),
      payload: payload as WorkflowEvent,
      createdAt: new Date(index * 1_000).toISOString(),
    })) as EventRecord[],
  ).map(({ text, costUsd }) => (costUsd === undefined ? text : `${text} $${costUsd.toFixed(2)}`))

const ended = (how: string, costUsd: number) => ({ type: 'agent.ended', how, costUsd })
const found = { type: 'review.findings', iteration: 2, issues: [{ category: 'security' }] }

describe('the story', () => {
  it('tells what a turn cost beside what it brought, newest first', () => {
    expect(told({ type: 'session.created' }, found, ended('done', 0.2), ended('done', 0.1))).toEqual([
      'Review 2 found 1 issue: 1 security $0.30',
      'The session began',
    ])
  })

  it('tells of a turn that brought nothing, or ended in another way', () => {
    expect(told({ type: 'session.created' }, ended('done', 0.1), found, ended('timed-out', 0.2))).toEqual([
      'Claude was stopped: it took too long $0.20',
      'Review 2 found 1 issue: 1 security',
      'Claude’s turn ended $0.10',
      'The session began',
    ])
  })

  it('says once what the breaker and the stop after it both say', () => {
    const message = 'The same error in 5 runs in a row'
    expect(
      told(
        { type: 'breaker.changed', to: 'OPEN', context: message, trigger: 'same_error' },
        { type: 'session.changed', status: 'active', hold: { kind: 'breaker_open', message } },
      ),
    ).toEqual([message])
  })

  it('says once that a person has completed the feature', () => {
    expect(
      told(
        { type: 'final.decided', action: 'merge', feedback: '' },
        { type: 'session.changed', status: 'completed', hold: null },
      ),
    ).toEqual(['You completed the feature'])
    expect(told({ type: 'session.changed', status: 'completed', hold: null })).toEqual(['The feature is complete'])
  })

  it('says that a feature was archived, and not again what it waits for', () => {
    const hold = { kind: 'usage_limit', message: 'Claude’s usage limit has been reached.' }
    const archived = { type: 'session.changed', status: 'active', reason: 'archivedAt:true', hold }
    expect(told(archived, { ...archived, reason: 'archivedAt:false' })).toEqual([
      'Brought back to the list',
      'Archived',
    ])
    expect(
      told({ type: 'final.decided', action: 'merge', feedback: '' }, { ...archived, status: 'completed', hold: null }),
    ).toEqual(['Archived', 'You completed the feature'])
  })

  it('names the memories that Claude was given, long ones by their beginning', () => {
    const long = `Keep scans ${'that were made without a connection '.repeat(4)}`
    expect(told({ type: 'memory.given', titles: ['Two tabs', long] })).toEqual([
      '2 memories given to Claude: Two tabs; Keep scans that were made without a connection that were mad…',
    ])
    expect(told({ type: 'memory.given', titles: ['Two tabs'] })).toEqual(['1 memory given to Claude: Two tabs'])
  })
})

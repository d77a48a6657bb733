import { expect, it } from 'vitest'
import type { EventRecord } from '#protocol/workflow/events.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import { changesText, eventText, inShort, linesWith } from './feature-record-text.ts'

const line = (more: Partial<OutputLine>): OutputLine => ({
  number: 1,
  at: '2026-11-20T01:00:00.000Z',
  spawnId: 's',
  kind: 'text',
  text: 'Done.',
  ...more,
})

it('tells in a story only the beginning of what Grove has told Claude', () => {
  expect(inShort(line({ kind: 'prompt', text: 'You plan this feature.\n\n1. Explore.' }))).toBe(
    'Grove: You plan this feature. …',
  )
  expect(inShort(line({ kind: 'prompt', text: 'Go on.' }))).toBe('Grove: Go on.')
  expect(inShort(line({ kind: 'prompt', spawnId: '', text: 'Keep it small.\nNo new files.' }))).toBe(
    'A person: Keep it small.\nNo new files.',
  )
  expect(inShort(line({ text: 'First.\nSecond.' }))).toBe('First.\nSecond.')
  expect(inShort(line({ kind: 'tool', tool: 'Bash', text: 'npm test' }))).toBe('Bash: npm test')
})

it('shows of a long text the lines that were searched for', () => {
  const found = linesWith('TOKEN')
  expect(found(line({ text: 'One.\nA token expires.\nThree.' }))).toBe('A token expires.')
  expect(found(line({ text: 'The words\nstand apart.' }))).toBe('The words')
})

it('says of an event what it was, and what was said', () => {
  const event = (eventType: string, payload: object) =>
    eventText({ eventType, payload, createdAt: '2026-11-20T01:24:12.000Z' } as unknown as EventRecord)
  expect(event('question.answered', { answer: { value: ['A', 'B'], text: 'both' } })).toBe(
    '2026-11-20 01:24:12  question answered: A, B, both',
  )
  expect(event('stage_transition', { from: 1, to: 2 })).toBe('2026-11-20 01:24:12  stage transition')
})

it('compares versions of a plan step by step', () => {
  const step = (title: string) => ({ title }) as never
  const fields = [{ field: 'title', before: 'Write', after: 'Write it' }]
  const changes = [
    { stepId: 'a', change: 'changed' as const, before: step('Write'), after: step('Write it'), fields },
    { stepId: 'b', change: 'removed' as const, before: step('Delete'), after: null, fields: [] },
  ]
  expect(changesText({ from: 1, to: 2, changes })).toBe(
    'From version 1 to 2\n  ~ a: Write it\n      title: Write → Write it\n  - b: Delete',
  )
  expect(changesText({ from: 1, to: 1, changes: [] })).toBe('Version 1 is the first.')
})

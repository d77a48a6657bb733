import { expect, it } from 'vitest'
import { differencesBetween } from './differences.ts'
import type { Recording } from './recording.ts'

const request = (body: Record<string, unknown>, headers: Record<string, string> = {}): Recording => ({
  story: 'hello',
  hints: false,
  asker: 'main',
  path: '/v1/messages',
  headers,
  body,
})

it('tells which keys, values and headers a version brought or dropped, and how often', () => {
  const before = [request({ tools: [{ name: 'Read' }, { name: 'Task' }] }, { 'x-claude-code-class': 'main' })]
  const now = [request({ tools: [{ name: 'Read' }, { name: 'Agent' }], effort: 'high' })]
  expect(differencesBetween(before, now)).toEqual([
    'body.effort "high": 0 before, 1 now',
    'body.tools[].name "Agent": 0 before, 1 now',
    'body.tools[].name "Task": 1 before, 0 now',
    'headers.x-claude-code-class "main": 1 before, 0 now',
  ])
})

it('says nothing of ids and times, which no two runs share', () => {
  const run = (id: string, took: string) =>
    request({ content: [{ type: 'tool_use', id }] }, { 'x-claude-code-prev-tool-durations': took })
  expect(differencesBetween([run('toolu_1', 'Read=16')], [run('toolu_2', 'Read=51')])).toEqual([])
})

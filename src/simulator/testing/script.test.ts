import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario, parseScenario } from './script.ts'

describe('a scenario', () => {
  it('can be as short as its answers', () => {
    const scenario = parseScenario('replies:\n  - reply: Hello\n  - reply: Bye\n', 'short.yaml')
    expect(scenario.replies.map(({ reply }) => reply)).toEqual([{ text: 'Hello' }, { text: 'Bye' }])
  })

  it('takes one tool call or several, one string or several, header numbers and a default', () => {
    const scenario = parseScenario(
      [
        'replies:',
        '  - when: { last_user: fix, has_tool: Read }',
        '    reply: { tool_use: { name: Read } }',
        '  - reply: { error: { status: 429, type: rate_limit_error, message: Slow down }, headers: { retry-after: 1 } }',
        '    repeat: 2',
        'default: Anything else',
      ].join('\n'),
      'a.yaml',
    )
    expect(scenario.replies[0]?.when).toEqual({ last_user: { contains: ['fix'] }, has_tool: ['Read'] })
    expect(scenario.replies[0]?.reply.tool_use).toEqual([{ name: 'Read', input: {} }])
    expect(scenario.replies[1]?.reply.headers).toEqual({ 'retry-after': '1' })
    expect(scenario.replies[1]?.repeat).toBe(2)
    expect(scenario.default).toEqual({ text: 'Anything else' })
  })

  it('is found by its name or by a path', () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-scenario-'))
    const file = join(folder, 'mine.yaml')
    writeFileSync(file, 'replies: [{ reply: Mine }]')
    expect(loadScenario(file)).toMatchObject({ name: 'mine.yaml', replies: [{ reply: { text: 'Mine' } }] })
    rmSync(folder, { recursive: true })
    expect(() => loadScenario('nothing-like-it')).toThrow(/no scenario "nothing-like-it". Known: .*multi-tool/)
  })

  it.each(readdirSync(join(import.meta.dirname, 'scenarios')))('%s ships in good order', (file) => {
    expect(loadScenario(basename(file, '.yaml')).description).toBeTruthy()
  })
})

describe('a mistake in a scenario is named with file, line and key', () => {
  it.each([
    ['a misspelt key', 'replies:\n  - reply: Hi\n    wen: { nth: 1 }', 'bad.yaml:3: replies[0].wen: unknown key'],
    [
      'a wrong type',
      'replies:\n  - when:\n      nth: first\n    reply: Hi',
      'bad.yaml:3: replies[0].when.nth: expected number, received string',
    ],
    [
      'a fault inside a single tool call',
      'replies:\n  - reply:\n      tool_use:\n        name: Read\n        inputs: {}',
      'bad.yaml:5: replies[0].reply.tool_use[0].inputs: unknown key',
    ],
    [
      'a missing reply',
      'replies:\n  - when: { nth: 1 }',
      'bad.yaml:2: replies[0].reply: expected object, received undefined',
    ],
    [
      'a reply that says nothing',
      'replies:\n  - reply: { drip: 5 }',
      'bad.yaml:2: replies[0].reply: says nothing: give it one of thinking, text, tool_use, content, events, error, raw',
    ],
    [
      'a reply that says two things',
      'replies:\n  - reply:\n      text: Hi\n      raw: { body: Ho }',
      'bad.yaml:2: replies[0].reply: gives several answers at once: events, error, raw stand alone',
    ],
    [
      'a reply with two ends',
      'replies:\n  - reply: { text: Hi, reset_after: 1, close_after: 2 }',
      'bad.yaml:2: replies[0].reply: can end in one way only: reset_after, close_after or hang_after',
    ],
    [
      'a bad pattern',
      'replies:\n  - reply: Hi\n    when:\n      model: { matches: "(" }',
      'bad.yaml:4: replies[0].when.model.matches: is not a valid regular expression',
    ],
    [
      'a choice that is none',
      'replies:\n  - reply: Hi\n    repeat: always',
      'bad.yaml:3: replies[0].repeat: expected number, received string, or expected "forever"',
    ],
    ['broken YAML', 'replies:\n  - reply: "Hi', 'bad.yaml:2: Missing closing "quote'],
  ])('%s', (_, text, message) => {
    expect(() => parseScenario(text, 'bad.yaml')).toThrow(message)
  })
})

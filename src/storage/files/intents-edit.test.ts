import { describe, expect, it } from 'vitest'
import type { Intent } from '#core/intent/intent.ts'
import { withIntent, withScope, withStatus } from './intents-edit.ts'
import { readIntents } from './intents-yaml.ts'

const file = `# The team's intents. Ask before you add one.
version: 2   # ours, not Grove's

active_intents:
  # the first one
  - id: INT-001
    name: "Refresh tokens"      # since May
    status: in_progress  # Ada works on it


    owned_scope:
      - src/auth/**   # all of it
      - "!src/auth/legacy/**"
    constraints: [ 'no new dependencies' ]
    acceptance_criteria:
      - tests pass
    ticket: AUTH-7

  - id: 2
    name: Billing
    owned_scope: [src/billing]
# the end
`
/** The team's own key holds nothing up, and is named in case it was mistyped. */
const UNKNOWN = expect.objectContaining({ message: expect.stringContaining('the key ticket is not known') })
const third: Intent = {
  id: 'INT-003',
  name: 'Search: "fast" & exact #1',
  status: 'planned',
  ownedScope: ['src/search/**', '!src/search/*.test.ts'],
  constraints: ['yes'],
  acceptanceCriteria: ['p95: under 20 ms'],
  dependencies: ['INT-001'],
}

/** The lines that are in one text and not in the other. */
function newLines(before: string, after: string): string[] {
  const known = before.split('\n')
  return after.split('\n').filter((line) => {
    const at = known.indexOf(line)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}

describe('editing the intents', () => {
  it('changes a status and nothing else', () => {
    const after = withStatus(file, 'INT-001', 'done')!
    expect(after).toBe(file.replace('status: in_progress ', 'status: done '))
    expect(readIntents(after).intents[0]).toMatchObject({ status: 'done' })
  })

  it('adds a status where there was none', () => {
    const after = withStatus(file, '2', 'blocked: by INT-001')!
    expect(newLines(file, after)).toEqual(['    status: "blocked: by INT-001"'])
    expect(readIntents(after).intents[1]).toMatchObject({ id: '2', status: 'blocked: by INT-001' })
  })

  it('adds to a scope below its last line, whose comment stays', () => {
    const after = withScope(file, 'INT-001', ['docs/auth.md', '!docs/x'])!
    expect(newLines(file, after)).toEqual(['      - "docs/auth.md"', '      - "!docs/x"'])
    expect(readIntents(after).intents[0]!.ownedScope).toEqual([
      'src/auth/**',
      '!src/auth/legacy/**',
      'docs/auth.md',
      '!docs/x',
    ])
  })

  it.each([
    ['a list in one line', 'owned_scope: [src/billing]', ['src/billing', 'src/vat']],
    ['an empty list', 'owned_scope: []', ['src/vat']],
    ['a list with a comma at its end', 'owned_scope: [ src/billing, ]', ['src/billing', 'src/vat']],
    ['one glob without a list', 'owned_scope: src/billing', ['src/billing', 'src/vat']],
    ['a key without value', 'owned_scope:', ['src/vat']],
    ['no scope at all', 'owner: Ada', ['src/vat']],
  ])('adds to %s', (_what, line, expected) => {
    const before = file.replace('owned_scope: [src/billing]', line)
    const after = withScope(before, '2', ['src/vat'])!
    expect(readIntents(after)).toMatchObject({ problems: [UNKNOWN], intents: [{}, { id: '2', ownedScope: expected }] })
    expect(after).toContain('# the end')
  })

  it('adds an intent at the end of the list, whatever its texts hold', () => {
    const after = withIntent(file, third)
    expect(readIntents(after)).toEqual({ problems: [UNKNOWN], intents: [...readIntents(file).intents, third] })
    expect(newLines(after, file)).toEqual([])
  })

  it.each([
    ['an empty file', ''],
    ['a list that is empty', '# ours\nactive_intents: []  # none yet\nother: 1\n'],
    ['a key without a list', 'other: 1\nactive_intents:\n'],
    ['a file without the key', 'other: 1\n'],
    ['a file that does not end with a line end', 'active_intents:\n- id: a\n  name: b'],
  ])('adds an intent to %s', (_what, before) => {
    const { intents, problems } = readIntents(withIntent(before, third))
    expect(problems).toEqual([])
    expect(intents.at(-1)).toEqual(third)
    expect(withIntent(before, third)).toContain(before.includes('other') ? 'other: 1' : 'active_intents')
  })

  it('says when there is no such intent', () => {
    expect(withStatus(file, 'INT-009', 'done')).toBeUndefined()
    expect(withScope(file, 'INT-009', ['x'])).toBeUndefined()
  })
})

describe('reading the intents', () => {
  it('reads lists and single texts, numbers as ids, and goes on where it does not know a key', () => {
    expect(readIntents(file)).toMatchObject({
      problems: [UNKNOWN],
      intents: [
        { id: 'INT-001', name: 'Refresh tokens', constraints: ['no new dependencies'] },
        { id: '2', status: 'planned', ownedScope: ['src/billing'], dependencies: [] },
      ],
    })
  })

  it('takes globs without quotes for what they are', () => {
    const text =
      'active_intents:\n  - id: a\n    name: b\n    owned_scope:\n      - **/*.ts\n      - *.md\n      - !src/gen/**\n'
    expect(readIntents(text)).toMatchObject({
      problems: [],
      intents: [{ ownedScope: ['**/*.ts', '*.md', '!src/gen/**'] }],
    })
  })

  it.each([
    ['a list where a text belongs', 'active_intents:\n  - id: [1]\n    name: x\n', 2, 9, '`id` must be a text'],
    ['a missing name', 'active_intents:\n  - id: a\n', 2, 5, '`name` must be a text'],
    ['a text where an intent belongs', 'active_intents:\n  - just words\n', 2, 5, 'an intent must be a map'],
    ['an id used twice', 'active_intents:\n - {id: a, name: b}\n - {id: a, name: c}\n', 3, 9, 'used twice'],
    [
      'a map in the scope',
      'active_intents:\n- id: a\n  name: b\n  owned_scope:\n  - x\n  - y: z\n',
      6,
      5,
      'must hold texts only',
    ],
    ['another list', 'intents: []\n', 1, 1, 'expected a list under `active_intents:`'],
    ['no map at all', '- a\n', 1, 1, 'expected a list under `active_intents:`'],
    ['broken YAML', 'active_intents:\n  - id: "a\n', 3, 1, ''],
  ])('tells line and column of %s', (_what, text, line, column, words) => {
    const [problem] = readIntents(text).problems
    expect(problem).toMatchObject({ line, column, message: expect.stringContaining(words) })
  })

  it.each(['', '# nothing\n', 'active_intents:\n', 'active_intents: []\n'])(
    'finds nothing wrong with none: %j',
    (text) => {
      expect(readIntents(text)).toEqual({ intents: [], problems: [] })
    },
  )
})

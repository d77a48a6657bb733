import { describe, expect, it } from 'vitest'
import { criterionStates } from './evidence.ts'
import { branchName, isSafeId, slug } from './naming.ts'
import { isRealConcern, readTodo, todoKey } from './todo.ts'

describe('a comment that asks for a decision', () => {
  it('has impact, options and priority', () => {
    const text =
      'TODO: Add rate limiting before production\nImpact: Security - prevents brute force\nOptions: (A) a package [recommended] (B) own code (C) later\nPriority: High'
    expect(readTodo('TODO', text)).toEqual({
      type: 'todo',
      description: 'Add rate limiting before production',
      impact: 'Security - prevents brute force',
      category: 'security',
      priority: 'high',
      options: [
        { label: 'a package', recommended: true },
        { label: 'own code', recommended: false },
        { label: 'later', recommended: false },
      ],
    })
  })

  it('may be a single line', () => {
    expect(readTodo('FIXME', 'FIXME: this crashes on empty input')).toMatchObject({
      type: 'fixme',
      category: 'bug',
      priority: 'medium',
      options: [],
    })
  })

  it('is real unless it says nothing', () => {
    expect(isRealConcern({ description: 'handle the timeout' })).toBe(true)
    expect(isRealConcern({ description: '' })).toBe(false)
    expect(isRealConcern({ description: '!!!' })).toBe(false)
  })

  it('is the same when its line moves', () => {
    expect(todoKey({ path: 'a.ts', text: 'TODO: x  y\nmore' })).toBe(todoKey({ path: 'a.ts', text: 'TODO: X y' }))
    expect(todoKey({ path: 'a.ts', text: 'TODO: x' })).not.toBe(todoKey({ path: 'b.ts', text: 'TODO: x' }))
  })
})

describe('names', () => {
  it.each([
    'Add user auth',
    '../../etc/passwd',
    '--help',
    'שלום',
    '',
    '\0',
    `${'x'.repeat(10_000)}`,
    'Ünïcode & “quotes”',
    'con',
    '-rf',
  ])('are safe for folders and addresses: %j', (title) => {
    expect(isSafeId(slug(title))).toBe(true)
  })

  it('of branches follow the pattern', () => {
    const facts = { slug: 'login', sessionId: 'abc', date: '2026-01-10' }
    expect(branchName('feature/{slug}', facts)).toBe('feature/login')
    expect(branchName('x/{session-id}/{date}', facts)).toBe('x/abc/2026-01-10')
    expect(branchName('topic', facts)).toBe('topic/login')
  })
})

describe('evidence', () => {
  const run = (kind: 'test' | 'lint' | 'types', result: string) => ({
    id: `${kind}-${result}`,
    kind,
    command: ['npm', kind],
    result,
    ranAt: '',
  })
  const facts = {
    runs: [run('test', 'failed'), run('test', 'passed'), run('lint', 'failed')],
    commands: ['test', 'lint'] as const,
    steps: [{ id: 's', criteria: ['All tests pass'] }],
    acceptsFailure: false,
    reviewClear: false,
  }
  const criterion = (text: string, type: 'automated' | 'manual' | 'review' = 'automated') => ({
    text,
    type,
    checked: true,
  })

  it('is the newest run of the project’s own command', () => {
    const states = criterionStates(
      [
        criterion('All tests pass'),
        criterion('No lint errors'),
        criterion('No type errors'),
        criterion('Works on phones', 'manual'),
        criterion('Errors are explained', 'review'),
        { ...criterion('x'), checked: false },
      ],
      { ...facts, commands: [...facts.commands] },
    )
    expect(states.map(({ state }) => state)).toEqual(['passed', 'failed', 'no_command', 'for_people', 'open'])
    expect(states[0]).toMatchObject({ runId: 'test-passed', steps: ['s'] })
  })

  it('of a failure that a person has accepted says so', () => {
    expect(
      criterionStates([criterion('No lint errors')], { ...facts, commands: ['lint'], acceptsFailure: true }),
    ).toMatchObject([{ state: 'accepted' }])
  })
})

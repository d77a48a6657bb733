import { describe, expect, it } from 'vitest'
import { type Commit, memoryOfCommit, revertedBy, unteachable } from './import-commit.ts'

const commit = (more: Partial<Commit> = {}): Commit => ({
  sha: 'a'.repeat(40),
  author: 'Ada',
  at: 5,
  title: 'Reject expired tokens at the gateway (#42)',
  body: '',
  files: ['src/auth/token.ts'],
  ...more,
})

it('knows what a commit takes back', () => {
  const sha = 'a'.repeat(40)
  const commit = { sha: 'b', author: 'Ada', at: 1, title: 'Revert "x"', files: ['a.ts'] }
  expect(revertedBy({ ...commit, body: `This reverts commit ${sha}.\n\nIt broke the build.` })).toEqual([sha])
  expect(revertedBy({ ...commit, body: 'This reverts to the old way.' })).toEqual([])
})

describe('a commit', () => {
  it.each([
    { author: 'dependabot[bot]' },
    { author: 'renovate' },
    { title: "Merge branch 'main' into feature" },
    { title: 'Merge pull request #7 from x/y' },
    { title: 'chore(release): bump version' },
    { title: 'v1.2.3' },
    { title: 'Update CHANGELOG' },
    { title: 'wip' },
    { title: 'fix' },
    { title: 'Fixes.' },
    { title: 'fix: tests' },
    { title: 'more fixes and cleanup' },
    { title: 'Initial commit' },
    { title: 'Update README.md' },
    { title: 'asdf' },
    { title: '...' },
    { files: [] },
    { files: Array.from({ length: 81 }, (_, n) => `f${n}`) },
  ])('teaches nothing: %j', (more) => {
    expect(unteachable(commit(more))).toBeDefined()
  })

  it.each([
    { title: 'Release database connections when a request is aborted' },
    { title: 'Merge sort instead of quick sort for stability' },
    { title: 'Bumping into walls no longer kills the player' },
    { title: 'Fix parser' },
    { title: 'fix: retry handshake' },
    { title: 'rateLimiter' },
    { title: '修复登录重定向循环' },
    { title: 'fix', body: 'The retry slept in seconds where the timer takes milliseconds.' },
    { author: 'Bob Otter' },
  ])('may teach something: %j', (more) => {
    expect(unteachable(commit(more))).toBeUndefined()
  })

  it('becomes a memory with what its author said about the why', () => {
    const body = [
      'The gateway compared seconds with milliseconds,\nso sessions never ended.',
      '- We chose to convert at the edge, because three callers rely on milliseconds.',
      '- Tokens must stay opaque to clients.',
      'Fixes: #41\nSigned-off-by: Ada\nCo-authored-by: Bob\nhttps://example.com/x',
    ].join('\n\n')
    expect(memoryOfCommit(commit({ body }), 'p', 'git_1')).toMatchObject({
      id: 'git_1',
      projectId: 'p',
      user: 'Ada',
      goal: 'Reject expired tokens at the gateway',
      reasoningTrace: [
        'The gateway compared seconds with milliseconds, so sessions never ended.',
        'We chose to convert at the edge, because three callers rely on milliseconds.',
        'Tokens must stay opaque to clients.',
      ],
      decisions: [{ choice: 'We chose to convert at the edge', reason: 'three callers rely on milliseconds' }],
      constraints: ['Tokens must stay opaque to clients.'],
      linkedCommit: 'a'.repeat(40),
      createdAt: 5,
      trigger: 'import',
    })
  })
})

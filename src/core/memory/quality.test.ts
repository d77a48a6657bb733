import { describe, expect, it } from 'vitest'
import type { Memory } from './memory.ts'
import { checkQuality } from './quality.ts'

const memory = (more: Partial<Memory> = {}): Memory => ({
  id: 'm',
  projectId: 'p',
  instruction: 'Fix the token refresh',
  goal: 'Fix the token refresh',
  reasoningTrace: ['`refreshToken` compared seconds with milliseconds'],
  decisions: [],
  constraints: [],
  files: ['src/auth/token.ts'],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: 1,
  ...more,
})

const kept = (more: Partial<Memory>) => {
  const verdict = checkQuality(memory(more))
  if (!verdict.keep) throw new Error(`turned away: ${verdict.why}`)
  return verdict.memory
}

describe('before it is kept', () => {
  it('what names files, reasons or decisions comes in', () => {
    expect(checkQuality(memory())).toEqual({ keep: true, memory: memory() })
    expect(checkQuality(memory({ files: [], reasoningTrace: [], constraints: ['Tokens must stay opaque'] })).keep).toBe(
      true,
    )
  })

  it('a sentence stands in it once', () => {
    const line = 'The client of the mail API has no timeout, so a retry may send twice.'
    const { reasoningTrace, constraints } = kept({
      reasoningTrace: [line],
      constraints: [line, 'Tokens must stay opaque'],
    })
    expect([...reasoningTrace, ...constraints]).toEqual([line, 'Tokens must stay opaque'])
  })

  it.each([
    ['nothing was done', { files: [], reasoningTrace: [] }],
    [
      'only phrases that fit any work were said',
      { files: [], reasoningTrace: ['Investigated the auth flow', 'Made changes'] },
    ],
    ['only a lockfile changed', { files: ['package-lock.json'], goal: 'Refresh the dependencies' }],
    [
      'only generated code changed',
      { files: ['proto/user.pb.go', 'src/api/__generated__/types.ts'], goal: 'Refresh the client of the users API' },
    ],
    ['a typo was mended', { goal: 'Fix typo in README', instruction: 'fix the typo', files: ['README.md'] }],
    ['the linter was run', { goal: 'Run prettier', instruction: 'run prettier', files: ['src/a.ts'] }],
    ['it was only put into form', { goal: 'format the code with prettier', instruction: 'prettier', files: ['a.ts'] }],
    ['imports were tidied', { goal: 'Sort the imports', instruction: 'Sort the imports', files: ['src/a.ts'] }],
    ['its title says nothing', { goal: 'WIP', instruction: 'WIP' }],
    ['its title is a dot', { goal: '.', instruction: '.' }],
    ['it was given up at once', { trigger: 'abandoned' as const, files: [], reasoningTrace: ['Looked at src/a.ts'] }],
  ])('turned away when %s', (_what, more) => {
    expect(checkQuality(memory(more)).keep).toBe(false)
  })

  it.each([
    'Fix typo-tolerant search ranking',
    'Add a lint rule for floating promises',
    'Correct the spelling suggestions of the search box',
    'Remove whitespace handling from the lexer, it breaks heredocs',
  ])('%s is no small edit', (goal) => {
    expect(checkQuality(memory({ goal, instruction: goal, files: ['src/a.ts'] })).keep).toBe(true)
  })

  it('a small edit with a reason comes in', () => {
    const decisions = [{ choice: 'Spell it "licence"', reason: 'the law does' }]
    expect(checkQuality(memory({ goal: 'Fix typo in README', instruction: 'fix the typo', decisions })).keep).toBe(true)
  })

  it('vague lines and repetitions stay outside', () => {
    const lines = [
      'Investigated the auth flow',
      'Updated the code',
      'The cache was stale because writes went around it',
      'the cache was stale because writes went around it.',
      'Changed src/auth/token.ts: refreshToken',
    ]
    expect(kept({ reasoningTrace: lines }).reasoningTrace).toEqual([lines[2], lines[4]])
  })

  it('a reason counts in every language it is likely to be given in', () => {
    const lines = [
      'Der Cache war alt, weil daran vorbei geschrieben wurde',
      'Le cache doit rester vide',
      '缓存是旧的，因为写入绕过了它',
    ]
    expect(kept({ reasoningTrace: [...lines, 'Den Code angesehen'] }).reasoningTrace).toEqual(lines)
  })

  it('secrets stay outside, wherever they stand', () => {
    const key = 'sk-ant-api03-Zx8Qk2LmN4pRs6TuVw0yAb1Cd3Ef5Gh7Ij9Kl'
    const text = JSON.stringify(
      kept({
        instruction: `Use ${key}`,
        goal: `Use ${key}`,
        reasoningTrace: [`Put ${key} into \`src/config.ts\``],
        decisions: [{ choice: `Keep ${key}`, reason: `of ${key}` }],
        constraints: [`Never print ${key}`],
        tags: [key],
        files: [`src/${key}.ts`, `src\\n${key}`],
        user: key,
        updatedBy: key,
        branch: key,
        linkedCommit: key,
        parentId: key,
        sessionId: key,
        supersededBy: key,
      }),
    )
    expect(text).not.toContain(key)
  })

  it('paths that mean nothing elsewhere stay outside', () => {
    const files = [
      './src/a.ts',
      'src\\b.ts',
      '/home/ada/x.ts',
      '~/y.ts',
      '../z.ts',
      'C:\\w.ts',
      'src/a.ts',
      'a\nb.ts',
      '',
    ]
    expect(kept({ files }).files).toEqual(['src/a.ts', 'src/b.ts'])
  })

  it('a tilde before a number is no home, nor is a route that begins like one', () => {
    const told =
      'A ~100 byte string under /root-level/x took ~2 s, because ~/notes/plan.md and /root/todo.md were read.'
    expect(kept({ reasoningTrace: [told] }).reasoningTrace).toEqual([
      'A ~100 byte string under /root-level/x took ~2 s, because plan.md and todo.md were read.',
    ])
  })

  it('nothing grows without end', () => {
    const long = 'word '.repeat(5_000)
    const much = Array.from({ length: 200 }, (_, n) => `Changed src/file${n}.ts because of ${n} ${long}`)
    const text = JSON.stringify(kept({ instruction: long, goal: long, reasoningTrace: much, constraints: much }))
    expect(text.length).toBeLessThan(20_000)
  })
})

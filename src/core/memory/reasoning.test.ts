import { describe, expect, it } from 'vitest'
import type { Step } from '../step.ts'
import { actionsInWords, definitionsIn, reasoningFrom } from './reasoning.ts'

const step = (kind: Step['kind'], more: Partial<Step>): Step => ({
  id: 'toolu_1',
  sessionId: 's',
  taskId: 't',
  tool: 'Edit',
  kind,
  files: [],
  folders: [],
  keywords: [],
  keyDecision: false,
  at: 0,
  ...more,
})

describe('what finished work leaves behind', () => {
  it('names files and functions, each once', () => {
    expect(
      actionsInWords([
        step('read', { files: ['src/auth/token.ts'] }),
        step('edit', { files: ['src/auth/token.ts'], excerpt: '+export function refreshToken() {' }),
        step('edit', { files: ['src/auth/token.ts'], excerpt: '+const retry = async (n) => {' }),
        step('bash', { command: 'npm test' }),
      ]),
    ).toEqual(['Changed src/auth/token.ts: refreshToken, retry', 'Ran `npm test`'])
  })

  it('tells what a command took away from what it changed or moved', () => {
    const command = 'git mv src/a.ts src/b.ts && find src/old -delete && sed -i s/a/b/ src/c.ts'
    const changes = ['src/a.ts', 'src/b.ts', 'src/old', 'src/c.ts']
    expect(actionsInWords([step('bash', { command, changes, earlierWork: { removed: ['src/old'] } })])).toEqual([
      'Changed src/a.ts',
      'Changed src/b.ts',
      'Removed src/old',
      'Changed src/c.ts',
    ])
  })

  it('keeps decisions with their reasons and limits that were found', () => {
    const { decisions, constraints, reasoningTrace } = reasoningFrom({
      goal: 'g',
      instruction: 'i',
      actions: ['Changed a.ts'],
      files: ['a.ts'],
      closingWords:
        'The bug was in `refreshToken()`: the expiry was compared in seconds.\n' +
        '- I used a 5 minute buffer instead of retrying, because the API counts failed calls.\n' +
        'The API allows at most 100 requests per minute.\nHope this helps!',
    })
    expect(decisions).toEqual([
      { choice: 'I used a 5 minute buffer instead of retrying', reason: 'the API counts failed calls' },
    ])
    expect(constraints).toEqual(['The API allows at most 100 requests per minute.'])
    expect(reasoningTrace).toContain('Changed a.ts')
    expect(reasoningTrace.join(' ')).not.toContain('Hope')
  })

  it.each([
    ['def load(path):', ['load']],
    ['func (s *Server) Start() error {', ['Start']],
    ['pub fn parse(input: &str)', ['parse']],
    ['class Foo extends Bar', ['Foo']],
    ['nothing here', []],
  ])('%s', (code, names) => {
    expect(definitionsIn(code)).toEqual(names)
  })
})

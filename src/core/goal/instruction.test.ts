import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCompactSummary, isSimplePrompt, realInstruction } from './instruction.ts'

const text = (words: string) => ({ type: 'text', text: words })
const reminder = text('<system-reminder>\n# currentDate\nToday is a day.\n</system-reminder>\n\n')
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [text('a.txt')] }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const interrupted = text('[Request interrupted by user for tool use]')
const notification =
  '[SYSTEM NOTIFICATION - NOT USER INPUT]\nAutomated.\n\n<task-notification>\n<task-id>a1</task-id>\n<result>done</result>\n</task-notification>'

const table: [string, unknown, string | undefined][] = [
  ['a plain prompt', 'Fix the login', 'Fix the login'],
  ['the first prompt behind its reminder', [reminder, text('Fix the login')], 'Fix the login'],
  ['a reminder inside the prompt', 'Fix <system-reminder>x</system-reminder>the login', 'Fix the login'],
  ['only a reminder', [reminder], undefined],
  ['tool results alone', [result], undefined],
  [
    'tool results with a hook note',
    [result, text('<system-reminder>\nPostToolUse:Bash hook …\n</system-reminder>')],
    undefined,
  ],
  ['an image with a question', [text('[Image #1] What is this?'), image], 'What is this?'],
  ['an image alone', [image], undefined],
  ['a paste placeholder', '[Pasted text #1 +20 lines] explain', 'explain'],
  [
    'a custom command, not its expansion',
    [
      reminder,
      text(
        '<command-message>fix-issue</command-message>\n<command-name>/fix-issue</command-name>\n<command-args>123</command-args>\n',
      ),
      text('Look at issue 123 with care, then …'),
    ],
    '/fix-issue 123',
  ],
  [
    'words after a local command',
    [
      text('<local-command-caveat>Caveat: …</local-command-caveat>\n'),
      text(
        '<command-name>/compact</command-name>\n  <command-message>compact</command-message>\n  <command-args>keep names</command-args>\n',
      ),
      text('<local-command-stdout>Compacted</local-command-stdout>\n'),
      text('now the tests'),
    ],
    'now the tests',
  ],
  [
    'words after a local command without tags',
    [text('/model opus\n'), text('<local-command-stdout>Set model</local-command-stdout>\n'), text('go on')],
    'go on',
  ],
  [
    'a shell line of the user',
    '<bash-input>ls</bash-input><bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>',
    undefined,
  ],
  ['the end of a background task', notification, undefined],
  [
    'the end of a background task, tag alone',
    '<task-notification>\n<status>completed</status>\n</task-notification>',
    undefined,
  ],
  ['the feedback of a Stop hook', 'Stop hook feedback:\nReflect first', undefined],
  ['new words after an interruption', [result, interrupted, text('Use sqlite instead')], 'Use sqlite instead'],
  [
    'new words replace unanswered ones',
    [text('Use redis'), text('[Request interrupted by user]'), text('Use sqlite')],
    'Use sqlite',
  ],
  ['an interruption without new words', [text('Use redis'), interrupted], 'Use redis'],
  [
    'an interrupted command',
    [text('<command-name>/fix</command-name>'), text('…'), interrupted, text('Stop, do x')],
    'Stop, do x',
  ],
  [
    'words sent while the agent works',
    'The user sent a new message while you were working:\nalso mind the tests\n\nIMPORTANT: After completing …',
    'also mind the tests',
  ],
  [
    'words sent while the agent works, in a reminder',
    [
      result,
      text(
        '<system-reminder>\nThe user sent a new message while you were working:\nmind the tests\n</system-reminder>',
      ),
    ],
    'mind the tests',
  ],
  [
    'a compaction summary',
    [reminder, text('This session is being continued from a previous conversation that ran out of context. …')],
    undefined,
  ],
  [
    'words after a compaction summary',
    [text('This session is being continued from a previous conversation. …'), text('go on with the tests')],
    'go on with the tests',
  ],
  [
    'a tag the user writes about',
    'Strip <system-reminder> tags from the goal',
    'Strip <system-reminder> tags from the goal',
  ],
  ['a tag that only begins the same', '<command-names>a</command-names>', '<command-names>a</command-names>'],
  ['nothing', '  \n ', undefined],
  ['something else', 42, undefined],
]

describe('the real instruction', () => {
  it.each(table)('of %s', (_, content, expected) => {
    expect(realInstruction(content)).toBe(expected)
  })

  it('keeps the first line of a pasted trace and the words around it', () => {
    const trace = [
      'TypeError: x is not a function',
      '    at total (/p/src/cart.ts:10:5)',
      '    at checkout (/p/src/pay.ts:20:7)',
      '    at Object.<anonymous> (/p/test/a.test.ts:3:1)',
      '    at node:internal/modules/run_main:1:1',
    ]
    expect(realInstruction(`I get this:\n${trace.join('\n')}\nPlease fix it in the cart.`)).toBe(
      'I get this:\nTypeError: x is not a function\nat total (/p/src/cart.ts:10:5)\n[3 more lines]\nPlease fix it in the cart.',
    )
  })

  it.each([
    ['server logs', Array.from({ length: 30 }, (_, i) => `2026-03-01T10:00:${10 + i}Z INFO request ${i}`)],
    [
      'a Python trace',
      ['Traceback (most recent call last):', ...Array(9).fill('  File "a.py", line 3, in f\n    g()')],
    ],
    ['npm errors', Array(12).fill('npm ERR! code ELIFECYCLE')],
    ['compiler errors', Array.from({ length: 8 }, (_, i) => `src/a.ts:${i}:5: error: bad`)],
    ['a long code block', ['```ts', ...Array(40).fill('const a = 1'), '```']],
  ])('shrinks %s', (_, lines) => {
    const said = realInstruction(`Why?\n${lines.join('\n')}\nFix the cause.`)!
    expect(said.startsWith('Why?\n')).toBe(true)
    expect(said.endsWith('more lines]\nFix the cause.')).toBe(true)
    expect(said.split('\n')).toHaveLength(4)
  })

  it('ends with the last words of a prompt of two million lines', () => {
    const said = realInstruction(`${'a\n'.repeat(2_000_000)}Fix the cause.`)!
    expect(said.endsWith('Fix the cause.')).toBe(true)
  })

  it('keeps a short code block and a list of tasks', () => {
    const prompt = 'Do:\n1. a\n2. b\n3. c\n4. d\n5. e\n```ts\nconst a = 1\n```\n- and: this\n- and: that'
    expect(realInstruction(prompt)).toBe(prompt)
  })

  it('keeps beginning and end of a very long text', () => {
    const said = realInstruction(`Please read. ${'word '.repeat(5000)} And fix the end.`)!
    expect(said.length).toBeLessThan(2600)
    expect(said).toMatch(/^Please read\.[\s\S]*\[…\][\s\S]*And fix the end\.$/)
  })

  it('never throws and never returns emptiness, whatever the content', () => {
    const block = fc.oneof(fc.jsonValue(), fc.record({ type: fc.constant('text'), text: fc.string() }))
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(block)), (content) => {
        const said = realInstruction(content)
        return said === undefined || said.trim() !== ''
      }),
    )
  })

  it('is quickly found in hostile text', () => {
    const hostile = `${'<system-reminder>'.repeat(20_000)}${'<task-notification '.repeat(20_000)}${'[Image '.repeat(20_000)}`
    expect(realInstruction(hostile)!.length).toBeLessThan(2600)
  })
})

it('a compaction summary is recognised by its opening', () => {
  expect(isCompactSummary('This session is being continued from a previous conversation that …')).toBe(true)
  expect(isCompactSummary('Continue this session')).toBe(false)
})

describe('a simple prompt', () => {
  it.each([
    'yes',
    'Yes.',
    'y',
    'ok',
    'OK do it',
    'go on',
    'Go ahead!',
    'continue',
    'Continue please',
    'proceed',
    '1',
    '2)',
    'option 2',
    'lgtm',
    'LGTM, ship it',
    'looks good',
    'sounds good, thanks!',
    'no',
    'try again',
    'keep going',
    'do all of them',
    '👍',
    '',
    'Continue from where you left off.',
    'yes, and go on with the next one',
    "that's right",
    'ja, weiter',
    '继续',
  ])('is "%s"', (prompt) => {
    expect(isSimplePrompt(prompt)).toBe(true)
  })

  it.each([
    'fix the login',
    'yes, but use sqlite',
    'go on with the tests',
    'no, rename it to cart',
    'continue with src/cart.ts',
    'add a README',
    '2024',
    'why?',
    'revert that',
    'do it in TypeScript instead',
    'yes '.repeat(60),
  ])('is not "%s"', (prompt) => {
    expect(isSimplePrompt(prompt)).toBe(false)
  })
})

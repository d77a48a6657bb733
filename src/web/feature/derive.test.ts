import { describe, expect, it } from 'vitest'
import { linesWith } from '#protocol/workflow/output-text.ts'
import type { PlanStep } from '#protocol/workflow/plan.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { answersOf, categoryWords, contextWords, firstDraft, isAnswered, OTHER, sendLabel } from './derive-answers.ts'
import { changedLines, lineBeside, readPatch } from './derive-diff.ts'
import { windowWords } from './derive-hold.ts'
import { pagesOf } from './derive-output.ts'
import { boardColumns, linesOf, planRows, reasonWords, timelineBars } from './derive-plan.ts'
import { findingCounts, signOffSentence } from './derive-review.ts'
import { appended } from './use-output.ts'

const step = (id: string, parentId: string | null, orderIndex: number, more: Partial<PlanStep> = {}): PlanStep => ({
  id,
  uid: `u${id}`,
  parentId,
  orderIndex,
  title: `Step ${id}`,
  description: '',
  status: 'pending',
  dependsOn: [],
  complexity: null,
  criteria: [],
  ownedPaths: [],
  metadata: {},
  ...more,
})
const question = (more: Partial<Question>): Question => ({
  id: 'q',
  stage: 'review',
  questionType: 'single_choice',
  questionText: '?',
  context: '',
  options: [
    { value: 'a', label: 'A', description: '', recommended: false },
    { value: 'b', label: 'B', description: '', recommended: true },
  ],
  answer: null,
  isRequired: true,
  priority: 1,
  category: 'x',
  file: null,
  line: null,
  immediate: false,
  state: 'open',
  validation: null,
  askedBy: 'tool',
  batch: 'b',
  todoId: null,
  stepId: null,
  askedAt: '',
  answeredAt: null,
  ...more,
})

describe('the window of a conversation', () => {
  it('is worth a word from 80 % on, and another one when it is about to be shortened', () => {
    expect(windowWords({ contextTokens: 79, window: 100 })).toBeUndefined()
    expect(windowWords({ contextTokens: 1, window: 0 })).toBeUndefined()
    expect(windowWords({ contextTokens: 80, window: 100 })).toContain('From 90 % on')
    expect(windowWords({ contextTokens: 93, window: 100 })).toContain('93 %')
  })
})

describe('the plan', () => {
  it('is a tree in its order, without what lies under a closed step', () => {
    const steps = [step('2', null, 3), step('1', null, 0), step('1.1', '1', 1), step('1.2', '1', 2)]
    const ids = (closed: string[]) =>
      planRows(steps, new Set(closed)).map(({ step: { id }, depth }) => `${id}@${depth}`)
    expect(ids([])).toEqual(['1@0', '1.1@1', '1.2@1', '2@0'])
    expect(ids(['1'])).toEqual(['1@0', '2@0'])
  })

  it('shows every step once, whatever its parents are', () => {
    const odd = [step('a', 'missing', 0), step('b', 'b', 1), step('c', 'd', 2), step('d', 'c', 3)]
    expect(planRows(odd, new Set()).map(({ step: { id } }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('has its leaves on the board by how they stand', () => {
    const steps = [
      step('1', null, 0),
      step('1.1', '1', 1, { status: 'completed' }),
      step('1.2', '1', 2, { status: 'blocked' }),
      step('2', null, 3, { status: 'in_progress' }),
    ]
    expect(boardColumns(steps).map(({ title, steps: list }) => [title, list.map(({ id }) => id)])).toEqual([
      ['Done', ['1.1']],
      ['Working', ['2']],
      ['Next', []],
      ['Blocked', ['1.2']],
    ])
  })

  it('says once what Grove did itself', () => {
    const description = 'Done by Grove when the session began.'
    expect(linesOf(step('1', null, 0, { description }))).toEqual(['Step 1', description])
    expect(linesOf(step('1', null, 0, { description, metadata: { doneBy: 'grove' } }))).toEqual(['Step 1'])
  })

  it('names each answer that a version came from in a line of its own', () => {
    expect(reasonWords('Question: May a; b be?; Question: And c?')).toBe('Answered: May a; b be?\nAnswered: And c?')
    expect(reasonWords('First plan')).toBe('First plan')
  })

  it('becomes bars between the first beginning and now', () => {
    const at = (ms: number) => new Date(ms).toISOString()
    const steps = [
      step('1', null, 0, { metadata: { startedAt: at(0), completedAt: at(50) } }),
      step('2', null, 1, { metadata: { startedAt: at(50) } }),
      step('3', null, 2),
    ]
    expect(timelineBars(steps, 100).bars.map(({ start, length, isRunning }) => [start, length, isRunning])).toEqual([
      [0, 0.5, false],
      [0.5, 0.5, true],
    ])
  })
})

describe('answers', () => {
  it('reads categories as words', () => {
    expect(['ci', 'code_quality', 'api_contract', 'security'].map(categoryWords)).toEqual([
      'CI',
      'code quality',
      'API contract',
      'security',
    ])
  })

  it('leave out the category that stands above the words', () => {
    const words = (context: string) => contextWords(question({ context, category: 'performance' }))
    expect(words('performance, the plan keeps streams open')).toBe('The plan keeps streams open')
    expect(words('Performance: two queries each')).toBe('Two queries each')
    expect(words('performance is what counts')).toBe('performance is what counts')
    expect(words('Two queries each')).toBe('Two queries each')
  })

  it('begin with what is recommended', () => {
    expect(firstDraft(question({}))).toEqual({ value: 'b', text: '' })
    expect(firstDraft(question({ questionType: 'multiple_choice' }))).toEqual({ value: ['b'], text: '' })
    expect(firstDraft(question({ questionType: 'text' }))).toEqual({ value: '', text: '' })
  })

  it('need words where something else is chosen, and something where it is required', () => {
    expect(isAnswered(question({}), { value: OTHER, text: ' ' })).toBe(false)
    expect(isAnswered(question({}), { value: OTHER, text: 'mine' })).toBe(true)
    expect(isAnswered(question({ questionType: 'confirmation', options: [] }), { value: '', text: '' })).toBe(false)
    expect(isAnswered(question({ questionType: 'text', isRequired: false }), { value: '', text: '' })).toBe(true)
  })

  it('are sent as values, with own words beside or instead', () => {
    const questions = [question({ id: 'q1' }), question({ id: 'q2' }), question({ id: 'q3', questionType: 'text' })]
    const drafts = { q2: { value: OTHER, text: 'neither' }, q3: { value: '', text: 'long words' } }
    expect(answersOf(questions, drafts)).toEqual([
      { questionId: 'q1', value: 'b' },
      { questionId: 'q2', value: '', text: 'neither' },
      { questionId: 'q3', value: 'long words' },
    ])
    expect(sendLabel(2, 'review')).toBe('Send 2 answers and refine the plan')
  })
})

describe('reviews', () => {
  const review = (iterationNumber: number, resolved: boolean[]) => ({
    id: `r${iterationNumber}`,
    planVersion: 1,
    iterationNumber,
    findings: resolved.map((is, index) => ({
      id: `${index}`,
      category: 'security',
      priority: 1 as const,
      issue: `Issue ${index}`,
      impact: '',
      resolved: is,
      questionId: null,
    })),
    userApproved: false,
    outcome: 'findings' as const,
    startedAt: '',
    completedAt: null,
  })

  it('are counted without the one that runs', () => {
    expect(findingCounts([review(1, [true, true]), { ...review(2, []), outcome: 'running' }])).toEqual([
      { iteration: 1, found: 2, open: 0 },
    ])
  })

  it('leave a sentence to sign that names what is open, up to three', () => {
    expect(signOffSentence(3, 2, 10, [review(1, [false, true])])).toBe(
      'I approve plan v3 after 2 of 10 reviews, with 1 finding open (security: Issue 0). Any later change of the plan voids this.',
    )
    expect(signOffSentence(1, 1, 10, [review(1, [false, false, false, false])])).toContain('and 1 more')
    expect(signOffSentence(1, 1, 10, [])).toContain('no finding open')
  })
})

describe('a diff', () => {
  it('calls a binary file one', () => {
    const patch =
      'diff --git a/logo.png b/logo.png\nnew file mode 100644\nBinary files /dev/null and b/logo.png differ\n'
    expect(readPatch(patch)).toEqual([{ path: 'logo.png', added: 0, removed: 0, isBinary: true, lines: [] }])
  })

  it('has its lines with their numbers in the file as it is', () => {
    const patch =
      'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -10,2 +10,3 @@ function f() {\n one\n-two\n+2\n+3\n\\ No newline at end of file\n'
    expect(readPatch(patch)).toEqual([
      {
        path: 'a.ts',
        added: 2,
        removed: 1,
        lines: [
          { type: 'hunk', text: 'function f() {' },
          { type: 'context', text: 'one', line: 10 },
          { type: 'removed', text: 'two', line: 11 },
          { type: 'added', text: '2', line: 11 },
          { type: 'added', text: '3', line: 12 },
        ],
      },
    ])
  })

  it('leads from a line to the one beside it, over what cannot be commented on', () => {
    const lines = readPatch('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -4 +4 @@\n a\n@@ -9 +9 @@\n b').at(0)!.lines
    expect(lines.map(({ type }) => type)).toEqual(['hunk', 'context', 'hunk', 'context'])
    expect([lineBeside(lines, 1, 1), lineBeside(lines, 3, -1)]).toEqual([3, 1])
    expect([lineBeside(lines, 1, -1), lineBeside(lines, 3, 1)]).toEqual([undefined, undefined])
  })

  it('takes lines that look like headers for what they are', () => {
    const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- old\n+++ new\n'
    expect(readPatch(patch)[0]).toMatchObject({ path: 'x', added: 1, removed: 1 })
  })

  it('reads names with spaces, other letters, and files that are new', () => {
    const patch =
      'diff --git "a/\\303\\274 b.ts" "b/\\303\\274 b.ts"\n--- /dev/null\n+++ "b/\\303\\274 b.ts"\n@@ -0,0 +1 @@\n+x\n'
    expect(readPatch(patch)[0]!.path).toBe('ü b.ts')
    expect(readPatch('no diff at all')).toEqual([])
  })
})

describe('two versions of a text', () => {
  it.each([
    ['a\nb\nc', 'a\nx\nc', ' a -b +x  c'],
    ['a', 'a\na', ' a +a'],
    ['a\na', 'a', ' a -a'],
    ['', 'new', '+new'],
    ['gone', '', '-gone'],
    ['same', 'same', ' same'],
  ])('%j and %j share their beginning and end', (before, after, expected) => {
    const sign = { context: ' ', added: '+', removed: '-' }
    expect(
      changedLines(before, after)
        .map(({ type, text }) => sign[type] + text)
        .join(' '),
    ).toBe(expected)
  })
})

describe('output', () => {
  const line = (number: number, text = `line ${number}`) => ({
    number,
    at: '',
    spawnId: 's',
    kind: 'text' as const,
    text,
  })

  it('is read in the pages that are in sight', () => {
    expect(pagesOf([1, 2, 500])).toEqual([0])
    expect(pagesOf([500, 501])).toEqual([0, 1])
    expect(pagesOf([200_000])).toEqual([399])
    expect(pagesOf([])).toEqual([])
  })

  it('keeps the newest lines, each once', () => {
    const tail = appended({ lines: [line(1), line(2)], last: 2 }, [line(2), line(3)])
    expect(tail.lines.map(({ number }) => number)).toEqual([1, 2, 3])
    const many = appended(
      { lines: [], last: 0 },
      Array.from({ length: 5_000 }, (_, index) => line(index + 1)),
    )
    expect([many.lines.length, many.lines[0]!.number, many.last]).toEqual([2_000, 3_001, 5_000])
  })

  it('is searched without regard to case', () => {
    expect(linesWith([line(1, 'An Error'), line(2, 'fine')], 'error')).toEqual([1])
  })
})

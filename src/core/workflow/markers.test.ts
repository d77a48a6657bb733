import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkerReader, type MarkersRead } from './markers.ts'
import { reportsOf } from './reports.ts'

/** The text as a whole. */
function readMarkers(text: string): MarkersRead {
  const reader = new MarkerReader()
  const first = reader.push(text)
  const last = reader.end()
  return { markers: [...first.markers, ...last.markers], unclosed: [...first.unclosed, ...last.unclosed] }
}

const decision = `[DECISION_NEEDED priority="1" category="security" file="src/auth.ts" line="42"]
Issue: Tokens never expire
Impact: Stolen tokens stay valid
- Option A: Expire after an hour (recommended)
- Option B: Accept the risk
[/DECISION_NEEDED]`

describe('a marker', () => {
  it('has attributes and a body', () => {
    expect(readMarkers(`before\n${decision}\nafter`)).toMatchObject({
      markers: [
        {
          name: 'DECISION_NEEDED',
          attributes: { priority: '1', category: 'security', file: 'src/auth.ts', line: '42' },
        },
      ],
      unclosed: [],
    })
  })

  it.each([
    ['in the middle of a line', 'I will write [PLAN_APPROVED] now'],
    ['in another case', '[plan_approved]\n[Plan_Approved]'],
    ['inside a code fence', '```\n[PLAN_APPROVED]\n```'],
    ['inside a fence of tildes with backticks in it', '~~~\n```\n[PLAN_APPROVED]\n~~~'],
    ['in a fence that never ends', '````\n```\n[PLAN_APPROVED]'],
    ['with a name that is none', '[PLAN_APPROVE]\n[NOTE]'],
    ['with broken attributes', '[PLAN_FILE path=x]'],
  ])('does not count %s', (_, text) => {
    expect(readMarkers(text)).toEqual({ markers: [], unclosed: [] })
  })

  it('counts with spaces around it, Windows line ends, and after a fence', () => {
    expect(readMarkers('```\nx\n```\r\n  [PLAN_APPROVED]  \r\n').markers).toMatchObject([{ name: 'PLAN_APPROVED' }])
  })

  it('that is never closed is handed on as text, also when the next one begins', () => {
    const text = '[STEP_COMPLETE id="1"]\nall done\n[STEP_COMPLETE id="2"]\nthis too\n[/STEP_COMPLETE]'
    expect(readMarkers(text)).toEqual({
      markers: [{ name: 'STEP_COMPLETE', attributes: { id: '2' }, body: 'this too' }],
      unclosed: ['[STEP_COMPLETE id="1"]\nall done'],
    })
  })

  it('is not closed by a tag inside a fence', () => {
    const text = '[IMPLEMENTATION_COMPLETE]\n```\n[/IMPLEMENTATION_COMPLETE]\n```\nreally\n[/IMPLEMENTATION_COMPLETE]'
    expect(readMarkers(text).markers[0]?.body).toContain('really')
  })
})

describe('a text in pieces', () => {
  const corpus = [
    decision,
    '[PLAN_APPROVED]',
    '```\n[PLAN_APPROVED]\n```',
    '[STEP_COMPLETE id="1"]\nx\n[/STEP_COMPLETE]',
    'words\r\n',
    '[CI_STATUS status="passing"]',
  ]

  it('reads the same, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...corpus), { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 20 }),
        (parts, cuts) => {
          const text = parts.join('\n')
          const places = [...new Set(cuts.filter((cut) => cut < text.length))].sort((a, b) => a - b)
          const reader = new MarkerReader()
          const read = [0, ...places].map((start, index) => reader.push(text.slice(start, places[index])))
          read.push(reader.end())
          const whole = readMarkers(text)
          expect(read.flatMap(({ markers }) => markers)).toEqual(whole.markers)
          expect(read.flatMap(({ unclosed }) => unclosed)).toEqual(whole.unclosed)
        },
      ),
    )
  })

  it('never throws, and never finds what was not closed', () => {
    const noise = fc.array(
      fc.constantFrom('[', ']', '/', '\n', '"', '=', '`', '~', 'PLAN_STEP', 'DECISION_NEEDED', ' id="1"', '\0', 'é'),
    )
    fc.assert(
      fc.property(noise, (pieces) => {
        const { markers } = readMarkers(pieces.join(''))
        expect(reportsOf(markers)).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('what markers report', () => {
  it('a decision with its options, the recommended one, and why it matters', () => {
    expect(reportsOf(readMarkers(decision).markers)).toEqual([
      {
        type: 'questions',
        questions: [
          {
            text: 'Tokens never expire',
            context: 'Impact: Stolen tokens stay valid',
            questionType: 'single_choice',
            options: [
              { value: 'A', label: 'Expire after an hour', description: '', recommended: true },
              { value: 'B', label: 'Accept the risk', description: '', recommended: false },
            ],
            required: true,
            priority: 1,
            category: 'security',
            file: 'src/auth.ts',
            line: 42,
            immediate: false,
          },
        ],
      },
    ])
  })

  it.each([
    ['no options', 'Which name?', 'text'],
    ['yes and no', 'Sure?\n- Option A: Yes (recommended)\n- Option B: No', 'confirmation'],
    ['others', 'Which?\n- red\n- green', 'single_choice'],
  ])('a kind of question by its options: %s', (_, body, questionType) => {
    const [report] = reportsOf([{ name: 'DECISION_NEEDED', attributes: {}, body }])
    expect(report).toMatchObject({ questions: [{ questionType, priority: 2 }] })
  })

  it('blockers at once', () => {
    const [report] = reportsOf([
      { name: 'DECISION_NEEDED', attributes: { immediate: 'true', priority: '1' }, body: 'x' },
    ])
    expect(report).toMatchObject({ questions: [{ immediate: true, priority: 1 }] })
  })

  it('the steps of a plan together', () => {
    const text =
      '[PLAN_STEP id="1" parent="null" status="pending"]\nFirst\nDo it\n[/PLAN_STEP]\n[PLAN_STEP id="2" parent="1" complexity="high" paths="src/**, test/**"]\nSecond\n[/PLAN_STEP]'
    expect(reportsOf(readMarkers(text).markers)).toEqual([
      {
        type: 'plan',
        summary: '',
        steps: [
          { id: '1', title: 'First', description: 'Do it' },
          { id: '2', parent: '1', title: 'Second', description: '', complexity: 'high', paths: ['src/**', 'test/**'] },
        ],
      },
    ])
  })

  it('a status in any order and with strange values', () => {
    const body =
      'progress: 160%\nstatus: complete\nstep_id: step-1\nwork_type: dancing\nfiles_modified: 3\ntests_status: FAILING\nmessage: a: b'
    expect(reportsOf([{ name: 'IMPLEMENTATION_STATUS', attributes: {}, body }])).toEqual([
      {
        type: 'status',
        status: {
          stepId: 'step-1',
          status: 'COMPLETE',
          filesModified: 3,
          testsStatus: 'FAILING',
          workType: 'IMPLEMENTATION',
          progress: 100,
          message: 'a: b',
        },
      },
    ])
  })

  it('title and text of a pull request', () => {
    const body = 'Title: Add login\nBranch: feature/x → main\n\n## Summary\nIt logs in.'
    expect(reportsOf([{ name: 'PR_CREATED', attributes: {}, body }])).toEqual([
      { type: 'pr', title: 'Add login', body: '## Summary\nIt logs in.' },
    ])
  })
})

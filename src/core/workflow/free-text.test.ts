import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FreeText, reportByRules } from './free-text.ts'

function read(wanted: FreeText['wanted'], text: string, ...unclosed: string[]) {
  return reportByRules({ wanted, text, unclosed })
}

describe('a marker that was not closed', () => {
  it('is still the question that it begins', () => {
    const cut =
      '[DECISION_NEEDED priority="1" category="auth"]\nWhich tokens?\n- Option A: Opaque (recommended)\n- Option B: Signed\n\nI wait for you.'
    expect(read('plan', '', cut)).toMatchObject({
      type: 'questions',
      questions: [{ text: 'Which tokens?', priority: 1, options: [{ label: 'Opaque', recommended: true }, {}] }],
    })
    expect(read('review', '', cut)).toMatchObject({ type: 'review', clean: false, findings: [{ priority: 1 }] })
  })

  it('is still the step of a plan, and the end of a step', () => {
    const steps = ['[PLAN_STEP id="a"]\nWrite it\nWith care', '[PLAN_STEP id="b"]\nTry it']
    expect(read('plan', '', ...steps)).toMatchObject({
      type: 'plan',
      steps: [{ id: 'a', title: 'Write it' }, { id: 'b' }],
    })
    expect(read('step', '', '[STEP_COMPLETE id="a"]\nIt is written.')).toEqual({
      type: 'step_complete',
      stepId: 'a',
      summary: 'It is written.',
    })
    expect(read('step', '', '[STEP_COMPLETE id="a"]')).toBeUndefined()
  })
})

describe('a question without any marker', () => {
  it('is found with the list below it, and what the text recommends', () => {
    const text = 'I have read it all.\n\nWhich store should it use?\n1. SQLite\n2. A file\n\nI would recommend SQLite.'
    expect(read('plan', text)).toMatchObject({
      type: 'questions',
      questions: [
        {
          text: 'Which store should it use?',
          questionType: 'single_choice',
          priority: 2,
          options: [
            { label: 'SQLite', recommended: true },
            { label: 'A file', recommended: false },
          ],
        },
      ],
    })
  })

  it('is found below its list when it asks to choose', () => {
    const report = read('plan', 'There are two ways:\n\n- Opaque tokens\n- Signed tokens\n\nWhich one do you prefer?')
    expect(report).toMatchObject({ type: 'questions', questions: [{ options: [{ label: 'Opaque tokens' }, {}] }] })
  })

  it('takes words for an answer when it offers none, and counts by what hangs on it', () => {
    expect(read('plan', 'This blocks everything. Where is the key kept?')).toMatchObject({
      questions: [{ questionType: 'text', priority: 1 }],
    })
    expect(read('plan', 'A cosmetic thing: what should the button say?')).toMatchObject({
      questions: [{ priority: 3 }],
    })
  })

  it('is none when it only rounds off a plan', () => {
    const text = '## Plan\n1. Write the route\n2. Try it\n\nShall I go ahead?'
    expect(read('plan', text)).toMatchObject({ type: 'plan', steps: [{ title: 'Write the route' }, {}] })
  })

  it('is none when other things follow it', () => {
    expect(read('plan', 'Is it there? It is. So all is well.')).toBeUndefined()
    expect(read('plan', 'Which file?\nI found it myself.')).toBeUndefined()
  })
})

describe('a review without any marker', () => {
  it('has the findings that are listed with their weight', () => {
    const text =
      '- **Critical**: no limit on attempts\n- performance: reads the file twice\n- Suggestion: name it better\n- Read src/a.ts'
    expect(read('review', text)).toMatchObject({
      clean: false,
      findings: [
        { text: 'no limit on attempts', priority: 1 },
        { text: 'reads the file twice', priority: 2, category: 'performance' },
        { text: 'name it better', priority: 3 },
      ],
    })
  })

  it('is never clean by words, which could start the work', () => {
    expect(read('review', 'I found no issues. The plan is fine.')).toBeUndefined()
  })
})

it('a step is never done, nor a blocker, by words', () => {
  expect(read('step', 'Everything is done. Shall I go on with the next?')).toBeUndefined()
})

it('any text is read without trouble', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.string()),
      fc.constantFrom('plan', 'review', 'step'),
      (text, cut, wanted) => {
        reportByRules({ wanted, text, unclosed: cut })
      },
    ),
  )
})

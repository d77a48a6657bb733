import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvedText, comparePlans } from './compare.ts'
import { inOrder, nextStep } from './order.ts'
import type { PlanStep, ProposedStep } from './plan.ts'
import { faultsOf, gapsOf, stepsOf } from './propose.ts'
import { planMarkdown, stepsInMarkdown } from './text.ts'

const facts = { branch: 'feature/login', newId: () => 'uid', at: '2026-01-10T14:30:00.000Z' }
const proposed: ProposedStep[] = [
  {
    id: '1',
    title: 'Schema',
    description: 'tables',
    complexity: 'low',
    paths: ['db/**'],
    criteria: ['All tests pass'],
  },
  { id: '2', title: 'Routes', description: 'http', dependsOn: ['3'] },
  { id: '3', title: 'Service', description: '' },
]
const steps = stepsOf(proposed, [], facts)

function done(list: PlanStep[], ...ids: string[]): PlanStep[] {
  return list.map((step) => (ids.includes(step.id) ? { ...step, status: 'completed' as const } : step))
}

describe('a proposal', () => {
  it.each([
    ['no steps', [], 'no steps'],
    ['an id twice', [proposed[0]!, proposed[0]!], 'more than once'],
    ['an unknown parent', [{ ...proposed[0]!, parent: 'x' }], 'parent x'],
    ['an unknown dependency', [{ ...proposed[0]!, dependsOn: ['y'] }], 'depends on y'],
    [
      'steps that wait for each other',
      [
        { ...proposed[0]!, dependsOn: ['3'] },
        { ...proposed[2]!, dependsOn: ['1'] },
      ],
      '1 → 3 → 1',
    ],
    ['a step that waits for itself', [{ ...proposed[0]!, dependsOn: ['1'] }], '1 → 1'],
    ['no title', [{ ...proposed[0]!, title: ' ' }], 'no title'],
  ])('is sent back with %s', (_, list, fault) => {
    expect(faultsOf(list).join()).toContain(fault)
  })

  it('that is sound has no faults', () => {
    expect(faultsOf(proposed)).toEqual([])
  })

  it('begins with the branch, which is done already', () => {
    expect(steps[0]).toMatchObject({
      id: 'branch',
      status: 'completed',
      title: 'Create the branch feature/login',
      metadata: { doneBy: 'grove' },
    })
    const named = stepsOf(
      [
        { id: 'step-1', title: 'Create feature branch', description: '' },
        { id: 'step-2', parent: 'step-1', title: 'Work', description: '' },
      ],
      [],
      facts,
    )
    expect(named).toMatchObject([
      { id: 'step-1', status: 'completed' },
      { id: 'step-2', parentId: null, dependsOn: ['step-1'], status: 'pending' },
    ])
  })

  it('keeps what is done done', () => {
    const next = stepsOf(
      [
        { ...proposed[0]!, title: 'Schema, larger' },
        { id: '4', title: 'More', description: '' },
      ],
      done(steps, '1'),
      facts,
    )
    expect(next.map(({ id, status }) => [id, status])).toEqual([
      ['branch', 'completed'],
      ['1', 'completed'],
      ['4', 'pending'],
    ])
  })

  it('says what is missing in its form', () => {
    expect(gapsOf(steps, ['All tests pass', 'Fast'])).toEqual([
      'Without a complexity: 2, 3',
      'Without paths that they may change: 2, 3',
      'No step serves the criterion "Fast"',
    ])
  })
})

describe('order', () => {
  it('a step waits for what it depends on', () => {
    expect(nextStep({ steps })?.id).toBe('1')
    expect(nextStep({ steps: done(steps, '1') })?.id).toBe('3')
    expect(nextStep({ steps: done(steps, '1', '3') })?.id).toBe('2')
    expect(nextStep({ steps: done(steps, '1', '2', '3') })).toBeNull()
  })

  it('every step of a sound plan is reached exactly once', () => {
    const plan = fc.integer({ min: 1, max: 8 }).chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, index) =>
          fc.record({
            id: fc.constant(`s${index}`),
            title: fc.constant('t'),
            description: fc.constant(''),
            parent:
              index === 0
                ? fc.constant(undefined)
                : fc.option(
                    fc.integer({ min: 0, max: index - 1 }).map((at) => `s${at}`),
                    { nil: undefined },
                  ),
            dependsOn: fc.subarray(Array.from({ length: index }, (__, at) => `s${at}`)),
          }),
        ),
      ),
    )
    fc.assert(
      fc.property(plan, (list) => {
        expect(faultsOf(list)).toEqual([])
        let left = stepsOf(list, [], facts)
        expect(inOrder(left)).toHaveLength(left.length)
        const seen: string[] = []
        for (let next = nextStep({ steps: left }); next; next = nextStep({ steps: left })) {
          expect(next.dependsOn.every((id) => id === 'branch' || seen.includes(id))).toBe(true)
          seen.push(next.id)
          left = done(left, next.id)
        }
        expect(new Set(seen).size).toBe(list.length)
      }),
    )
  })
})

describe('versions', () => {
  it('have the same text when only the progress differs', () => {
    expect(approvedText(done(steps, '1'))).toBe(approvedText(steps))
    expect(approvedText(steps.map((step) => (step.id === '1' ? { ...step, title: 'x' } : step)))).not.toBe(
      approvedText(steps),
    )
  })

  it('tell what they change', () => {
    const next = stepsOf(
      [{ ...proposed[2]! }, { ...proposed[0]!, title: 'Tables' }, { id: '5', title: 'New', description: '' }],
      steps,
      facts,
    )
    expect(comparePlans(steps, next)).toMatchObject([
      { stepId: '3', change: 'moved' },
      { stepId: '1', change: 'changed', fields: [{ field: 'title', before: 'Schema', after: 'Tables' }] },
      { stepId: '5', change: 'added' },
      { stepId: '2', change: 'removed' },
    ])
    expect(comparePlans(steps, steps)).toEqual([])
  })
})

describe('a plan in words', () => {
  it('is written with what people decide by', () => {
    expect(planMarkdown(steps)).toContain(
      '## 1: Schema\ntables\n- Complexity: low\n- Changes: db/**\n- Serves: All tests pass',
    )
  })

  it.each([
    ['numbered', '# Plan\n1. **First** thing\n   details\n2. Second', ['step-1', 'step-2']],
    ['headings', '# Plan\n\n## Step 1: First\ntext\n## Step 2: Second', ['step-1', 'step-2']],
    ['headings without numbers', '# Plan\n## Look\na\n## Build\nb', ['step-1', 'step-2']],
    ['nothing', 'I will just do it.', undefined],
  ])('is read back: %s', (_, text, ids) => {
    expect(stepsInMarkdown(text)?.map(({ id }) => id)).toEqual(ids)
  })
})

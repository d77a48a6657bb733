import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intentContext, protocolText } from './text-for-agents.ts'

const words = fc.string({ maxLength: 900 })
const lists = fc.array(words, { maxLength: 80 })
const anyContext = fc.record({
  intent: fc.record({
    id: words,
    name: words,
    status: words,
    ownedScope: lists,
    constraints: lists,
    acceptanceCriteria: lists,
    dependencies: fc.constant<string[]>([]),
  }),
  recent: fc.array(fc.record({ at: fc.nat(), files: lists }), { maxLength: 30 }),
  recalled: fc.array(fc.record({ kind: fc.constantFrom('memory' as const, 'learning' as const), text: words }), {
    maxLength: 20,
  }),
  dependencies: fc.array(fc.record({ id: words, status: words }), { maxLength: 5 }),
  needsApproval: fc.boolean(),
})

describe('what an agent is told of an intent', () => {
  it('is never more than it should read, and every tag of it closes', () => {
    fc.assert(
      fc.property(anyContext, (context) => {
        const text = intentContext(context)
        expect(text.length).toBeLessThanOrEqual(8000)
        const tags = [...text.matchAll(/^<(\/?)([a-z_]+)>/gm)].map(([, end, name]) => `${end}${name}`)
        const open: string[] = []
        for (const tag of tags) {
          if (tag.startsWith('/')) expect(open.pop()).toBe(tag.slice(1))
          else if (tag !== 'approval') open.push(tag)
        }
        expect(open).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('keeps what binds when there is too much of everything', () => {
    const long = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(100)}`)
    const text = intentContext({
      intent: {
        id: 'INT-1',
        name: 'Much',
        status: 'in_progress',
        ownedScope: ['src/**'],
        constraints: ['no new dependencies'],
        acceptanceCriteria: ['tests pass'],
        dependencies: [],
      },
      recent: [{ at: 0, files: long }],
      recalled: long.map((one) => ({ kind: 'memory', text: one })),
      dependencies: [],
      needsApproval: false,
    })
    expect(text).toContain('- src/**')
    expect(text).toContain('- no new dependencies')
    expect(text).toContain('- tests pass')
    expect(text).toContain('<memories>')
  })

  it('is short at the start of a session', () => {
    const open = Array.from({ length: 8 }, (_, i) => ({ id: `INT-${i}`, name: 'n'.repeat(500), status: 'planned' }))
    expect(protocolText({ open, count: 5000 }, undefined).length).toBeLessThan(1600)
  })
})

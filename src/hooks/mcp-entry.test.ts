import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editJson } from '#protocol/json-edit.ts'
import { attachMcp, detachMcp } from './mcp-entry.ts'

const entry = { type: 'stdio', command: '/usr/bin/node', args: ['/opt/grove/grove.js', 'mcp'] }

describe("Grove's MCP server", () => {
  it('is added for all projects, or for one', () => {
    const all = done(attachMcp('{"numStartups":3}', undefined, entry))
    expect(JSON.parse(all.text)).toEqual({ numStartups: 3, mcpServers: { grove: entry } })
    const one = done(attachMcp('{"projects":{"/repo/a":{"history":[1]}}}', '/repo/a', entry))
    expect(JSON.parse(one.text)).toEqual({ projects: { '/repo/a': { history: [1], mcpServers: { grove: entry } } } })
  })

  it('stands beside others, and goes without a trace', () => {
    const server = fc.constantFrom({ command: 'other' }, { command: 'grove', args: ['old'] })
    const servers = fc.dictionary(fc.constantFrom('other', 'grove'), server)
    const project = fc.record({ mcpServers: servers, history: fc.constant([]) }, { requiredKeys: [] })
    const config = fc.record(
      { mcpServers: servers, projects: fc.dictionary(fc.constantFrom('/a', '/b'), project), theme: fc.string() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        config,
        fc.constantFrom(undefined, '/a'),
        fc.constantFrom(0, 2),
        fc.boolean(),
        (value, at, indent, ran) => {
          const before = JSON.stringify(value, null, indent)
          const { text, trace } = done(attachMcp(before, at, entry))
          const live = (now: string) => (ran ? editJson(now, { ...JSON.parse(now), numStartups: 4 }) : now)
          expect(done(detachMcp(live(text), at, trace))).toBe(live(before))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('takes a file with it that was there for it alone', () => {
    const { text, trace } = done(attachMcp(undefined, '/a', entry))
    expect(done(detachMcp(text, '/a', trace))).toBeUndefined()
  })

  it('added twice is there once', () => {
    const first = done(attachMcp('{}', undefined, entry))
    const moved = { ...entry, command: '/opt/node' }
    const second = done(attachMcp(first.text, undefined, moved, first.trace))
    expect(JSON.parse(second.text)).toEqual({ mcpServers: { grove: moved } })
    expect(done(detachMcp(second.text, undefined, second.trace))).toBe('{}')
  })

  it('leaves a server alone that the user has put in its place', () => {
    const { text, trace } = done(attachMcp('{}', undefined, entry))
    const theirs = text.replace('/usr/bin/node', '/my/node')
    expect(done(detachMcp(theirs, undefined, trace))).toBe(theirs)
  })

  it('is still found when nobody remembers having added it', () => {
    const { text } = done(attachMcp('{"mcpServers":{}}', undefined, entry))
    expect(done(detachMcp(text, undefined, undefined))).toBe('{"mcpServers":{}}')
  })

  it('is not added to a file that cannot be read', () => {
    expect(attachMcp('{"a":', undefined, entry)).toMatchObject({ ok: false })
    expect(attachMcp('[]', undefined, entry)).toMatchObject({ ok: false })
  })
})

function done<T>(edited: { ok: true; value: T } | { ok: false; problem: { message: string } }): T {
  if (!edited.ok) throw new Error(edited.problem.message)
  return edited.value
}
